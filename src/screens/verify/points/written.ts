import type { TrustRecord } from '~/atoms/trust/record'
import type { WrittenPoint } from '~/lib/point-text'

/** The present point of a record, to be passed on as text. */
export function writtenOf({ id, point, history }: TrustRecord): WrittenPoint {
  const at = history.at(-1)?.at
  return {
    ...id,
    ...point,
    at: at === undefined ? '' : new Date(at).toISOString(),
  }
}
