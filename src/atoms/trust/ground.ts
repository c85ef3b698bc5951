import type { Verification } from './verification'

/** What a check that held was compared with, and therefore how much it says. */
export type Ground =
  | 'recorded'
  /** Nothing was known. */
  | 'nothing'
  /** Nothing is kept for this page, so that it knows no more than this server has told it. */
  | 'memory'
  /** What was recorded could not be read so far. */
  | 'late'

/** Only what was compared with a record may be called verified. */
export function groundOf({ outcome, basis }: Verification): Ground {
  const hasFirstUse = outcome.kind !== 'ok' || outcome.verified.firstUse
  if (basis === 'example') return hasFirstUse ? 'nothing' : 'recorded'
  if (basis && basis.keeping !== 'kept') return basis.keeping
  return hasFirstUse || !basis?.contact ? 'nothing' : 'recorded'
}
