import type { WrittenState } from '~/immudb/state-text'
import { concat, fromBase64, toBase64, utf8, utf8Text } from './bytes'
import { bytesTag, protoFields, varintTag } from './protobuf'

/**
 * The points that `immuclient` and other Go clients keep in files called `.state-<server>`, a line
 * `<database>:<base64>` each, of a message `ImmutableState`: `pkg/client/cache/file_cache.go` and
 * `pkg/api/schema/schema.proto` of immudb 1.11.1. Before the colon `immuclient` writes nothing,
 * whichever database it is of.
 */
const [dbTag, txIdTag, txHashTag] = [bytesTag(1), varintTag(2), bytesTag(3)]

/** Not from the engine's own file, which would load all of SHA-256 with it. */
const hashBytes = 32

type Point = Pick<WrittenState, 'database' | 'txId' | 'txHash'>

/** What such a file is called. */
export function stateFileName(server: string): string {
  return `.state-${server}`
}

/** The lines of a point, for `immuclient` and for others; `txHash` is base64 of 32 bytes. */
export function writeState({ database, txId, txHash }: Point): string {
  const db = utf8(database)
  const hash = fromBase64(txHash) ?? new Uint8Array()
  const state = concat(
    field(dbTag, db.length),
    db,
    field(txIdTag, txId),
    field(txHashTag, hash.length),
    hash,
  )
  const base64 = toBase64(state)
  return `:${base64}\n${database}:${base64}\n`
}

/**
 * Reads the lines of such a file, which does not say by itself of which `server` it is; null when
 * one of them is none, or when there are none.
 */
export function readStates(text: string, server = ''): WrittenState[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const points = new Map<string, WrittenState>()
  for (const line of lines) {
    const point = pointOf(line, server)
    if (point === null) return null
    points.set(JSON.stringify(point), point)
  }
  return points.size > 0 ? [...points.values()] : null
}

/** The server that a file is of, by its name; empty when it is called something else. */
export function serverOfFile(name: string): string {
  // Some browsers and mail programs put another sign in the place of the first one.
  return /^[._-]?state-([\w-]+)/i.exec(name)?.[1] ?? ''
}

function pointOf(line: string, server: string): WrittenState | null {
  const [, before = '', base64 = ''] = /^([^:]*):([A-Za-z0-9+/]+=*)$/.exec(line) ?? []
  const state = new Map(protoFields(fromBase64(base64) ?? new Uint8Array()) ?? [])
  const [db, txId, hash] = [state.get(dbTag), state.get(txIdTag), state.get(txHashTag)]
  const database = db instanceof Uint8Array ? utf8Text(db) : ''
  if (database === '' || (before !== '' && before !== database)) return null
  // Larger numbers are not read exactly, and no server has as many transactions.
  if (!Number.isSafeInteger(txId)) return null
  if (!(hash instanceof Uint8Array) || hash.length !== hashBytes) return null
  return { database, txId: String(txId), txHash: toBase64(hash), server, origin: '', at: '' }
}

/** A tag and the number behind it. */
function field(tag: number, number: number | string): Uint8Array {
  const bytes = [tag]
  let left = BigInt(number)
  while (left > 127n) {
    bytes.push(Number(left % 128n) + 128)
    left /= 128n
  }
  return Uint8Array.from([...bytes, Number(left)])
}
