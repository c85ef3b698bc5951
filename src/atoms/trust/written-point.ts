import type { WrittenPoint } from '~/lib/point-text'
import type { TrustRecord } from './record'

/** The present point of a record, to be passed on as text. */
export function writtenOf({ id, point, history }: TrustRecord): WrittenPoint {
  const at = history.at(-1)?.at
  return {
    ...id,
    ...point,
    at: at === undefined ? '' : new Date(at).toISOString(),
  }
}
