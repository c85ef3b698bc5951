import { base64ToBytes, bytesToBase64, decodeUtf8, encodeUtf8 } from '~/lib/bytes'

/**
 * The one prefix under which the console writes keys of its own: saved queries that a team shares,
 * a key for each. The id of the query follows.
 */
export const sharedPrefix = 'webconsole/queries/'

const id = /^[A-Za-z0-9_-]{4,64}$/

/** Whether a text can be the id of a saved query. Ids are ends of keys too, so they are plain. */
export const isQueryId = (text: string): boolean => id.test(text)

/** The key of a shared query, in standard base64. */
export const sharedKey = (of: string): string => bytesToBase64(encodeUtf8(sharedPrefix + of))

/** The id of the shared query that a key holds, by its name; null for any other key. */
export function sharedIdOf(key: string): string | null {
  const name = decodeUtf8(base64ToBytes(key))
  if (!name?.startsWith(sharedPrefix)) return null
  const of = name.slice(sharedPrefix.length)
  return isQueryId(of) ? of : null
}
