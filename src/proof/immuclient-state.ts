import type { WrittenState } from '~/immudb/state-text'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { concat, fromBase64, utf8Text } from './kernel/bytes'
import { bytesTag, protoFields, varintTag } from './kernel/protobuf'

/**
 * The trusted states that `immuclient` and other Go clients keep in files called `.state-<server>`,
 * a line `<database>:<base64>` each, of a message `ImmutableState`:
 * `pkg/client/cache/file_cache.go` and `pkg/api/schema/schema.proto` of immudb 1.11.1. `immuclient`
 * writes nothing before the colon, for any database.
 */
const [dbTag, txIdTag, txHashTag] = [bytesTag(1), varintTag(2), bytesTag(3)]

/** Not imported from `hash.ts`, which would load all of SHA-256. */
const hashBytes = 32

type Point = Pick<WrittenState, 'database' | 'txId' | 'txHash'>

/** The name of such a file. */
export function stateFileName(server: string): string {
  return `.state-${server}`
}

/** The lines of a state, for `immuclient` and for other clients; `txHash` is base64 of 32 bytes. */
export function writeState({ database, txId, txHash }: Point): string {
  const db = encodeUtf8(database)
  const hash = fromBase64(txHash) ?? new Uint8Array()
  const state = concat(
    field(dbTag, db.length),
    db,
    field(txIdTag, txId),
    field(txHashTag, hash.length),
    hash,
  )
  const base64 = bytesToBase64(state)
  return `:${base64}\n${database}:${base64}\n`
}

/**
 * Reads the lines of such a file. The file does not name its `server`. Null when a line is
 * malformed or there are none.
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

/** The server in a file's name; empty for other names. */
export function serverOfFile(name: string): string {
  // Some browsers and mail programs replace the first dot.
  return /^[._-]?state-([\w-]+)/i.exec(name)?.[1] ?? ''
}

function pointOf(line: string, server: string): WrittenState | null {
  const [, before = '', base64 = ''] = /^([^:]*):([A-Za-z0-9+/]+=*)$/.exec(line) ?? []
  const state = new Map(protoFields(fromBase64(base64) ?? new Uint8Array()) ?? [])
  const [db, txId, hash] = [state.get(dbTag), state.get(txIdTag), state.get(txHashTag)]
  const database = db instanceof Uint8Array ? utf8Text(db) : ''
  if (database === '' || (before !== '' && before !== database)) return null
  // Larger numbers would be inexact, and no server has as many transactions.
  if (!Number.isSafeInteger(txId)) return null
  if (!(hash instanceof Uint8Array) || hash.length !== hashBytes) return null
  return { database, txId: String(txId), txHash: bytesToBase64(hash), server, origin: '', at: '' }
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
