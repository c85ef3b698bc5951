import { pathTo } from './paths'

/** Sections of the guide that other pages lead to. */
export const guideAnchors = [
  'code-snippets',
  'damage-steps',
  'operate-audit-log',
  'time-compare',
  'time-console',
  'verify-arrivals',
  'verify-means',
  'verify-records',
  'verify-signature',
  'verify-witnesses',
] as const

export type GuideAnchor = (typeof guideAnchors)[number]

/** The address of a section of the guide. */
export function guidePath(anchor: GuideAnchor): string {
  return `${pathTo('guide')}#${anchor}`
}
