import { createHash } from 'node:crypto'
import { plainKey, plainValue, referenceValue, sortedSetKey } from '~/proof/kernel/stored'
import { failure, json } from './fake-faults'
import type { FakeCall } from './fake-immudb'
import type { FakeDatabase } from './fake-sql'
import { recorded, recordedResponse } from './recorded'

type FakeEntry = { value?: string; readonly [field: string]: unknown }

type Stored = {
  tx: number
  /** Base64; null for a deletion. */
  value: string | null
  expiresAt?: string
  isExpired?: boolean
  /** The key that it refers to, and the transaction that it is bound to. */
  target?: string
  atTx?: string
}

const stores = new WeakMap<FakeDatabase, Map<string, Stored[]>>()
const answerLimit = 4_194_304

/** The revisions of each key of a database, oldest first; keys and values are base64. */
export function keysOf(database: FakeDatabase): Map<string, Stored[]> {
  const found = stores.get(database) ?? new Map<string, Stored[]>()
  stores.set(database, found)
  return found
}

/** Stores a revision as someone else would, and returns its transaction. */
export function storeKey(
  database: FakeDatabase,
  key: string,
  value: string | null,
  more: Partial<Stored> = {},
): number {
  database.txId += 1
  const revisions = keysOf(database).get(key) ?? []
  keysOf(database).set(key, [...revisions, { ...more, tx: database.txId, value }])
  return database.txId
}

/** The digests of the keys that a transaction wrote. */
export function writtenKeys(id: number, database: FakeDatabase): object[] {
  const keys = [...keysOf(database)].flatMap(([key, revisions]) =>
    revisions
      .filter(({ tx }) => tx === id)
      .map(({ value, expiresAt, target, atTx }) => ({
        key: Buffer.from(plainKey(bytes(key))).toString('base64'),
        hValue: digest(
          target === undefined
            ? plainValue(bytes(value))
            : referenceValue(bytes(target), BigInt(atTx ?? '0')),
        ),
        vLen: bytes(value).length + 1,
        metadata: {
          ...(value === null && { deleted: true }),
          ...(expiresAt && { expiration: { expiresAt } }),
        },
      })),
  )
  const scored = scoresOf(database)
    .filter(({ tx }) => tx === id)
    .map(({ set, score, key, atTx }) => {
      const stored = sortedSetKey(bytes(set), Number(score), bytes(key), BigInt(atTx ?? '0'))
      return { key: Buffer.from(stored).toString('base64'), hValue: digest(new Uint8Array()) }
    })
  return [...keys, ...scored]
}

function digest(value: Uint8Array): string {
  return createHash('sha256').update(value).digest('base64')
}

const paths =
  /^\/db\/(scan$|get\/|count\/|countall$|history$|set$|setreference$|execall$|zscan$|deletekey$|tx$|verifiable\/get$)/

export function isKeyCall({ path }: FakeCall): boolean {
  return paths.test(path.split('?', 1)[0] ?? '')
}

/** The text of the key a call is about, which may ask for a fault. */
export function keyTextOf({ path, body }: FakeCall): string {
  const kvs = Array.isArray(body.KVs) ? body.KVs : []
  const inPath = /^\/db\/get\/([^?]*)/.exec(path)?.[1] ?? ''
  const all = Array.isArray(body.Operations) ? body.Operations : []
  const keys = [
    kvs[0]?.key,
    all[0]?.kv?.key,
    Array.isArray(body.keys) ? body.keys[0] : '',
    body.key,
    body.prefix,
  ]
  return [...keys, inPath]
    .map((key) => Buffer.from(String(key ?? ''), 'base64url').toString())
    .join(' ')
}

export function answerKey(call: FakeCall, database: FakeDatabase, level: number): Response {
  const path = call.path.split('?', 1)[0] ?? ''
  if (path.startsWith('/db/get/')) return get(call, database)
  if (path.startsWith('/db/count')) return count(path, database)
  if (/^\/db\/(set|setreference|execall|deletekey)$/.test(path) && level < 2) {
    return recordedResponse(recorded('kv', 'write systemdb'))
  }
  switch (path) {
    case '/db/scan':
      return scan(call, database)
    case '/db/history':
      return history(call, database)
    case '/db/set':
      return setOne(call, database)
    case '/db/setreference':
      return refer(call, database)
    case '/db/execall':
      return executeAll(call, database)
    case '/db/zscan':
      return scanSorted(call, database)
    case '/db/deletekey':
      return deleteOne(call, database)
    case '/db/tx':
      return headers(call)
    default:
      return proofOf(call)
  }
}

/** Only what was recorded can be proven; of anything else the index does not know yet. */
function proofOf({ body }: FakeCall): Response {
  const pair = recorded('verifiable', 'get')
  const keyOf = (of: unknown) => (of as { keyRequest?: { key?: string } }).keyRequest?.key
  const isRecorded = keyOf(body) === keyOf(pair.request.body)
  return recordedResponse(isRecorded ? pair : recorded('kv', 'get missing'))
}

function isLive(stored: Stored | undefined, database: FakeDatabase): stored is Stored {
  if (!stored || stored.value === null || stored.isExpired) return false
  return (
    stored.target === undefined || isLive(keysOf(database).get(stored.target)?.at(-1), database)
  )
}

function isListed(stored: Stored | undefined): boolean {
  return stored !== undefined && stored.value !== null && !stored.isExpired
}

/** Deleted and expired keys are counted too, as the server does. */
function count(path: string, database: FakeDatabase): Response {
  const prefix = Buffer.from(path.slice('/db/count/'.length), 'base64url')
  const found = [...keysOf(database).keys()].filter((key) =>
    bytes(key).subarray(0, prefix.length).equals(prefix),
  )
  return json(JSON.stringify(found.length === 0 ? {} : { count: String(found.length) }))
}

function entryOf(key: string, at: number, database: FakeDatabase, isResolved = true): FakeEntry {
  const stored = keysOf(database).get(key)?.[at]
  const target = stored?.target
  if (isResolved && target !== undefined) {
    const last = (keysOf(database).get(target)?.length ?? 1) - 1
    const bound = keysOf(database)
      .get(target)
      ?.findIndex(({ tx }) => String(tx) === stored?.atTx)
    const atTx = stored?.atTx === undefined ? {} : { atTx: stored.atTx }
    const by = { tx: String(stored?.tx), key, revision: String(at + 1), ...atTx }
    const place = bound === undefined || bound < 0 ? last : bound
    return { ...entryOf(target, place, database), referencedBy: by }
  }
  const metadata = {
    ...(stored?.value === null ? { deleted: true } : {}),
    ...(stored?.expiresAt ? { expiration: { expiresAt: stored.expiresAt } } : {}),
  }
  return {
    tx: String(stored?.tx),
    key,
    ...(stored?.value && !stored.isExpired ? { value: stored.value } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(stored?.isExpired ? { expired: true } : {}),
    revision: String(at + 1),
  }
}

/** Serialising answers that are too large to send would take most of a test's time. */
function sized(answer: object, entries: readonly { value?: string }[]): Response {
  const size = entries.reduce((sum, { value = '' }) => sum + value.length * 0.75, 0)
  if (size > answerLimit) return recordedResponse(recorded('sql-limits', 'answer over 4 MiB'))
  return json(JSON.stringify(answer))
}

function get(call: FakeCall, database: FakeDatabase): Response {
  const { pathname, searchParams } = new URL(call.path, 'http://x')
  const key = decodeURIComponent(pathname.slice('/db/get/'.length))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  const revisions = keysOf(database).get(key) ?? []
  const atTx = searchParams.get('atTx')
  if (atTx !== null) {
    const at = revisions.findIndex(({ tx }) => String(tx) === atTx)
    if (at < 0) return recordedResponse(recorded('kv', 'get missing'))
    const { revision: _, ...entry } = entryOf(key, at, database)
    return json(JSON.stringify(entry))
  }
  const wanted = Number(searchParams.get('atRevision') ?? 0)
  if (wanted > revisions.length) return recordedResponse(recorded('kv', 'get bad revision'))
  const at = wanted === 0 ? revisions.length - 1 : wanted - 1
  const stored = revisions[at]
  if (stored?.isExpired) return recordedResponse(recorded('kv', 'get expired'))
  if (!isLive(stored, database)) return recordedResponse(recorded('kv', 'get missing'))
  const entry = entryOf(key, at, database)
  return sized(entry, [entry])
}

function scan({ body }: FakeCall, database: FakeDatabase): Response {
  const limit = Number(body.limit ?? 2_500)
  if (limit > 2_500) return recordedResponse(recorded('kv', 'scan limit too big'))
  const prefix = bytes(body.prefix)
  const after = body.seekKey === undefined ? null : bytes(body.seekKey)
  const found = [...keysOf(database)]
    .filter(([, revisions]) => isListed(revisions.at(-1)))
    .map(([key]) => ({ key, at: bytes(key) }))
    .filter(({ at }) => at.subarray(0, prefix.length).equals(prefix))
    .filter(({ at }) => after === null || at.compare(after) > (body.inclusiveSeek ? -1 : 0))
    .sort((a, b) => a.at.compare(b.at))
    .slice(Number(body.offset ?? 0))
    .slice(0, limit)
    .map(({ key }) => key)
    // References to nothing are left out only after the limit.
    .filter((key) => isLive(keysOf(database).get(key)?.at(-1), database))
  const entries = found.map((key) =>
    entryOf(key, (keysOf(database).get(key)?.length ?? 1) - 1, database),
  )
  return sized(entries.length === 0 ? {} : { entries }, entries)
}

function history({ body }: FakeCall, database: FakeDatabase): Response {
  const key = String(body.key)
  const revisions = keysOf(database).get(key)
  if (!revisions) return recordedResponse(recorded('kv', 'history missing'))
  const from = Number(body.offset ?? 0)
  const all = revisions.map((_, at) => entryOf(key, at, database, false))
  const inOrder = body.desc ? all.reverse() : all
  const entries = inOrder.slice(from, from + Number(body.limit ?? 2_500))
  // Right behind the last one the server answers with an error, and further on with nothing.
  if (from === all.length) return failure(500, 2, 'tbtree: no more entries')
  return sized({ entries }, entries)
}

type SetBody = {
  KVs: { key: string; value: string; metadata?: { expiration?: { expiresAt: string } } }[]
  preconditions: {
    keyMustNotExist?: object
    keyMustExist?: object
    keyNotModifiedAfterTX?: { txID: string }
  }[]
}

function areMet(
  preconditions: SetBody['preconditions'],
  key: string,
  database: FakeDatabase,
): boolean {
  const last = keysOf(database).get(key)?.at(-1)
  return preconditions.every((one) =>
    one.keyMustNotExist
      ? !isLive(last, database)
      : one.keyMustExist
        ? isLive(last, database)
        : (last?.tx ?? 0) <= Number(one.keyNotModifiedAfterTX?.txID),
  )
}

function refer({ body }: FakeCall, database: FakeDatabase): Response {
  const { key, referencedKey, preconditions, atTx } = body as {
    key: string
    referencedKey: string
    atTx?: string
    preconditions: SetBody['preconditions']
  }
  const target = keysOf(database).get(referencedKey)?.at(-1)
  if (!isLive(target, database)) return recordedResponse(recorded('kv', 'setreference missing'))
  if (target.target) return recordedResponse(recorded('kv', 'setreference to reference'))
  if (!areMet(preconditions, key, database)) {
    return recordedResponse(recorded('kv', 'set precondition failed'))
  }
  const bound = atTx === undefined ? {} : { atTx }
  return header(storeKey(database, key, '', { target: referencedKey, ...bound }))
}

type Scored = {
  set: string
  key: string
  score: number | string
  atTx?: string
  /** The transaction that added it. */
  tx?: number
}

const sets = new WeakMap<FakeDatabase, Scored[]>()

/** The entries of all sorted sets of a database, in the order in which they are listed. */
export function scoresOf(database: FakeDatabase): Scored[] {
  const found = sets.get(database) ?? []
  sets.set(database, found)
  return found
}

function scanSorted({ body }: FakeCall, database: FakeDatabase): Response {
  const all = scoresOf(database).filter(({ set }) => set === body.set)
  const from =
    all.findIndex(({ key, score }) => key === body.seekKey && score === body.seekScore) + 1
  const start = from + Number(body.offset ?? 0)
  const entries = all.slice(start, start + Number(body.limit)).map((one) => {
    const last = (keysOf(database).get(one.key)?.length ?? 1) - 1
    const { tx: _, ...wire } = one
    return { ...wire, entry: entryOf(one.key, last, database) }
  })
  return sized(
    entries.length === 0 ? {} : { entries },
    entries.map(({ entry }) => entry),
  )
}

type Operations = {
  Operations: {
    kv?: SetBody['KVs'][number]
    ref?: { key: string; referencedKey: string }
    zAdd?: Scored
  }[]
  preconditions?: Record<string, { key: string; txID?: string }>[]
}

/** All in one transaction. */
function executeAll({ body }: FakeCall, database: FakeDatabase): Response {
  const { Operations: all, preconditions = [] } = body as Operations
  const isMet = preconditions.every((one) =>
    areMet([one as SetBody['preconditions'][number]], Object.values(one)[0]?.key ?? '', database),
  )
  if (!isMet) return recordedResponse(recorded('kv', 'set precondition failed'))
  const areThere = all.every(({ ref, zAdd }, at) => {
    const target = ref?.referencedKey ?? zAdd?.key
    const isSet = all.slice(0, at).some(({ kv }) => kv?.key === target)
    return !target || isSet || isLive(keysOf(database).get(target)?.at(-1), database)
  })
  if (!areThere) return recordedResponse(recorded('kv', 'setreference missing'))
  database.txId += 1
  const tx = database.txId
  const write = (key: string, stored: Stored) =>
    keysOf(database).set(key, [...(keysOf(database).get(key) ?? []), stored])
  for (const { kv, ref, zAdd } of all) {
    const expiresAt = kv?.metadata?.expiration?.expiresAt
    if (kv) write(kv.key, { tx, value: kv.value, ...(expiresAt ? { expiresAt } : {}) })
    if (ref) write(ref.key, { tx, value: '', target: ref.referencedKey })
    if (zAdd) scoresOf(database).push({ ...zAdd, tx })
  }
  return header(tx)
}

function setOne({ body }: FakeCall, database: FakeDatabase): Response {
  const { KVs, preconditions } = body as SetBody
  const [kv] = KVs
  if (!kv?.key) return recordedResponse(recorded('kv', 'set empty key'))
  if (!areMet(preconditions, kv.key, database)) {
    return recordedResponse(recorded('kv', 'set precondition failed'))
  }
  const expiresAt = kv.metadata?.expiration?.expiresAt
  return header(storeKey(database, kv.key, kv.value, expiresAt ? { expiresAt } : {}))
}

function deleteOne({ body }: FakeCall, database: FakeDatabase): Response {
  const [key] = body.keys as string[]
  if (!key || !isLive(keysOf(database).get(key)?.at(-1), database)) {
    return recordedResponse(recorded('kv', 'delete missing'))
  }
  return header(storeKey(database, key, null))
}

function headerOf(tx: number): object {
  const { body } = recorded('kv', 'set two').response
  return { ...(body as object), id: String(tx), ts: String(1_700_000_000 + tx) }
}

function header(tx: number): Response {
  return json(JSON.stringify(headerOf(tx)))
}

function headers({ body }: FakeCall): Response {
  const from = Number(body.initialTx)
  if (from < 1) return failure(400, 3, 'illegal arguments')
  const txs = Array.from({ length: Number(body.limit) }, (_, at) => ({
    header: headerOf(from + at),
  }))
  return json(JSON.stringify({ txs }))
}

const decoded = new Map<string, Buffer>()

/** The bytes of a text in base64, the same ones each time: every scan needs those of all keys. */
function bytes(base64: unknown): Buffer {
  const text = String(base64 ?? '')
  const found = decoded.get(text) ?? Buffer.from(text, 'base64')
  decoded.set(text, found)
  return found
}
