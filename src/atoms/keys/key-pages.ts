import type { Client } from '~/api/client'
import { type Entry, scanKeys } from '~/api/keys'
import { type PlaceIn, readInParts } from '~/core/pages'
import type { Unreadable } from '~/core/unreadable'
import { base64Size } from '~/lib/size'

/** Where a scan continues: after a key, skipping some unreadable ones. */
type Position = PlaceIn<string>

export type KeyLine = {
  kind: 'key'
  key: string
  /** The transaction that wrote it last. */
  tx: string
  revision: string | null
  size: number
  expiresAt: string | null
  /** The key that this one refers to. */
  target: string | null
}

/** `unreadable`: with a value that no answer holds, or that is gone, not even the key is listed. */
export type KeyItem = KeyLine | { kind: 'unreadable'; why: Unreadable }

export type KeyPage = {
  items: readonly KeyItem[]
  /** Where more keys may follow; null at the end. */
  next: Position | null
}

type Listing = { database: string; prefix: string; signal?: AbortSignal }

/** The list of keys with one more page of them; those that cannot be read are listed as such. */
export async function readKeyPage(
  client: Client,
  listing: Listing,
  known: KeyPage = noKeysRead,
): Promise<KeyPage> {
  if (known.next === null) return known
  const ask = (asked: Position, limit: number) => scanKeys(client, { ...listing, ...asked, limit })
  const { found, next } = await readInParts(ask, ({ key }) => key, known.next)
  const more = found.map(
    (one): KeyItem => (typeof one === 'string' ? { kind: 'unreadable', why: one } : lineOf(one)),
  )
  return { items: [...known.items, ...more], next }
}

/** A list of which nothing was read. */
export const noKeysRead: KeyPage = { items: [], next: { after: null, offset: 0 } }

/** A key as a line of a list shows it. */
export function lineOf({ key, tx, revision, value, expiresAt, target }: Entry): KeyLine {
  const size = base64Size(value)
  return { kind: 'key', key, tx, revision, size, expiresAt, target: target?.key ?? null }
}
