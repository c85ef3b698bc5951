import type { Known } from '~/proof/verdict'
import type { Verification } from './verification'

/** What a check was compared with; a recorded answer brings its own state to compare with. */
export function groundOf({ outcome, basis }: Verification): Known['ground'] {
  const hasFirstUse = outcome.kind !== 'ok' || outcome.verified.firstUse
  if (basis === 'example') return hasFirstUse ? 'first' : 'recorded'
  if (basis && basis.keeping !== 'kept') return basis.keeping
  return hasFirstUse || !basis?.contact ? 'first' : 'recorded'
}
