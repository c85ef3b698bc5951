import type { Kind } from '~/proof/verify'

const all = ['value', 'entry', 'header', 'link', 'signature']

const rungs: Partial<Record<Kind, readonly string[]>> = {
  row: all,
  get: all,
  document: all,
  write: all,
  tx: ['entry', 'header', 'link', 'signature'],
  state: ['header', 'link', 'signature'],
}

/** The rungs of each kind, to tell which ones a refused proof did not reach. */
export function rungsOf(kind: Kind): readonly string[] {
  return rungs[kind] ?? []
}
