import { keyPageSize, serverRowLimit } from '~/lib/constants'
import { whyUnreadable } from './unreadable'

/** Calls that one page may take when its values are large. */
const callLimit = 12

/** Where a list continues: after something, skipping some that cannot be read. */
export type PlaceIn<K> = { after: K | null; offset: number }

/**
 * About a page of a list. Its answers bring whole values, and an answer has at most 4 MiB: smaller
 * parts are asked for until they fit, and null stands for one that does not fit alone.
 */
export async function readInParts<T, K>(
  ask: (from: PlaceIn<K>, limit: number) => Promise<readonly T[]>,
  placeOf: (item: T) => K,
  from: PlaceIn<K>,
): Promise<{ found: (T | null)[]; next: PlaceIn<K> | null }> {
  const found: (T | null)[] = []
  let next: PlaceIn<K> | null = from
  let limit = keyPageSize
  for (let calls = 0; next && calls < callLimit && found.length < keyPageSize; calls += 1) {
    const asked: PlaceIn<K> = next
    const part = await ask(asked, limit).catch(whyUnreadable)
    if (typeof part !== 'string') {
      found.push(...part)
      const last = part.at(-1)
      next = last ? { after: placeOf(last), offset: 0 } : behindNothing(asked, limit)
      limit = part.length < limit ? serverRowLimit : Math.min(keyPageSize, limit * 2)
    } else if (limit > 1) {
      limit = Math.max(1, Math.floor(limit / 8))
    } else {
      found.push(null)
      next = { ...asked, offset: asked.offset + 1 }
      limit = 64
    }
  }
  return { found, next }
}

/**
 * The server leaves out references to nothing but counts them. So nothing is the end only if as many
 * were asked for as the server lists at once: that many in a row are not looked behind.
 */
export function behindNothing<P extends { offset: number }>(asked: P, limit: number): P | null {
  return limit < serverRowLimit ? { ...asked, offset: asked.offset + limit } : null
}
