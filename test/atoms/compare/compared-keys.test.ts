// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { keyValuesAtom, writtenKeys } from '~/atoms/compare/compared-keys'
import { valuesExport } from '~/atoms/compare/comparison-export'
import {
  type ComparedAs,
  stepsOf,
  type ValueDifference,
  type Written,
} from '~/atoms/compare/values'
import { newestExportAtom, startExport } from '~/core/files/exports'
import { readRange } from '~/core/history/transaction-reader'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { permissionsAtom } from '~/core/session/session'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { hash } from '~/proof/kernel/hash'
import { plainKey, plainValue, referenceValue } from '~/proof/kernel/stored'

const b = (text: string) => bytesToBase64(encodeUtf8(text))

type Revision = {
  tx: number
  value: string | null
  /** The key that it refers to: the value is empty. */
  target?: string
  /** Instead of the value. */
  bytes?: readonly number[]
  hasExpired?: boolean
  isNotIndexed?: boolean
}

let store: Store
/** Oldest first. */
let keys: Map<string, Revision[]>
let sent: { path: string; body: Record<string, unknown> }[]
/** Characters of values that one answer has room for. */
let room: number
/** Values from before this transaction are gone. */
let goneBefore: number
/** Called before each answer. */
let onAnswer: (path: string) => void

function wire(key: string, revisions: Revision[], at: number) {
  const of = revisions[at] ?? { tx: 0, value: null }
  const { tx, value, hasExpired = false } = of
  // The history leaves the first byte out.
  const shown = bytesToBase64(storedOf(of).subarray(1))
  return {
    key: b(key),
    tx: String(tx),
    revision: String(at + 1),
    ...(value === null
      ? { metadata: { deleted: true } }
      : hasExpired
        ? { metadata: { expiration: { expiresAt: '1' } }, expired: true }
        : shown === ''
          ? {}
          : { value: shown }),
  }
}

/** As a transaction has it, with the byte that tells a value from a reference. */
function storedOf({ value, bytes, target, tx }: Revision): Uint8Array {
  if (target === undefined)
    return plainValue(bytes ? Uint8Array.from(bytes) : encodeUtf8(value ?? ''))
  return referenceValue(encodeUtf8(target), tx === boundAt ? BigInt(boundAt) : 0n)
}

/** What was written then refers to a key as of then. */
const boundAt = 14

const entryOf = (key: string, of: Revision) => ({
  key: bytesToBase64(plainKey(encodeUtf8(key))),
  hValue: bytesToBase64(hash(storedOf(of))),
  ...(of.value === null ? { metadata: { deleted: true } } : {}),
  ...(of.isNotIndexed ? { metadata: { nonIndexable: true } } : {}),
})

/** Transactions with the digests of what they wrote. */
function transactions({ initialTx, limit }: { initialTx: string; limit: number }): Response {
  const txs = Array.from({ length: limit }, (_, at) => {
    const id = Number(initialTx) + at
    const entries = [...keys].flatMap(([key, revisions]) =>
      revisions.flatMap((of) => (of.tx === id ? [entryOf(key, of)] : [])),
    )
    return { header: { id: String(id), prevAlh: '', ts: '1', eH: '' }, entries }
  })
  return Response.json({ txs })
}

/** A reference is answered with the value of its target. */
function newestOf(key: string, revisions: Revision[]) {
  const last = revisions.at(-1)
  if (!last || last.value === null || last.hasExpired) return []
  const own = wire(key, revisions, revisions.length - 1)
  const { target } = last
  if (target === undefined) return [own]
  return [{ key: b(target), tx: '1', revision: '1', value: b('of the target'), referencedBy: own }]
}

async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const path = String(input).replace('/api', '')
  const body = JSON.parse(String(init?.body))
  sent.push({ path, body })
  onAnswer(path)
  if (path === '/db/tx') return transactions(body)
  const named = (key: string) => Buffer.from(key, 'base64').toString()
  const indexed = (key: string) => (keys.get(key) ?? []).filter((of) => !of.isNotIndexed)
  const entries =
    path === '/db/getall'
      ? body.keys.map(named).flatMap((key: string) => newestOf(key, indexed(key)))
      : [...indexed(named(body.key)).keys()]
          .sort((one, other) => (body.desc ? other - one : one - other))
          .slice(Number(body.offset), Number(body.offset) + body.limit)
          .map((at) => wire(named(body.key), indexed(named(body.key)), at))
  if (path === '/db/history' && Number(body.offset) === indexed(named(body.key)).length) {
    return Response.json({ error: 'tbtree: no more entries', code: 2 }, { status: 500 })
  }
  if (path === '/db/history' && entries.some(({ tx }: { tx: string }) => Number(tx) < goneBefore)) {
    return Response.json({ error: 'EOF', code: 2, message: 'EOF' }, { status: 500 })
  }
  if (JSON.stringify(entries).length > room) {
    const message = 'grpc: received message larger than max (5000000 vs. 4194304)'
    return Response.json({ error: message, code: 8, message }, { status: 429 })
  }
  return Response.json({ entries })
}

beforeEach(() => {
  keys = new Map()
  sent = []
  room = 1_000_000
  goneBefore = 0
  onAnswer = () => {}
  store = createStore()
  connect(store, '/api', answer)
  openQueryCache(store)
  store.set(permissionsAtom, [{ database: 'd', permission: 2 }])
})

/** What was written in (10, 20]. */
async function writtenInBetween(): Promise<Written[]> {
  const range = await readRange(store, 'd', { from: 11n, to: 20n })
  sent = []
  return writtenKeys(range, '')
}

/** The first page of what changed then. */
async function compared(
  isWhole = true,
  as: ComparedAs = 'net',
): Promise<readonly ValueDifference[]> {
  const all = await writtenInBetween()
  const written = as === 'steps' ? stepsOf(all) : all
  const ends = { database: 'd', from: '10', to: '20', isWhole }
  const query = store.get(store.get(keyValuesAtom)(ends, '', as, written).listsAtom)()
  const leave = store.sub(query, () => {})
  await expect.poll(() => store.get(query).data ?? store.get(query).error).toBeTruthy()
  leave()
  return store.get(query).data?.rows ?? []
}

const stepwise = (rows: readonly ValueDifference[]) =>
  rows.map(({ tx, action, before, after }) => [tx, action, before?.text, after?.text])

const paths = () => sent.map(({ path }) => path)
const short = (rows: readonly ValueDifference[]) =>
  rows.map(({ action, before, after }) => [action, before?.text, after?.text])

describe('every step of keys', () => {
  test('stands in the order of the transactions, each beside the value before it', async () => {
    keys.set('a', [
      { tx: 2, value: 'first' },
      { tx: 12, value: 'second' },
      { tx: 15, value: 'third' },
      { tx: 25, value: 'since' },
    ])
    keys.set('b', [
      { tx: 11, value: 'short' },
      { tx: 13, value: null },
      { tx: 20, value: 'again' },
    ])
    expect(stepwise(await compared(true, 'steps'))).toEqual([
      ['11', 'added', undefined, 'short'],
      ['12', 'changed', 'first', 'second'],
      ['13', 'deleted', 'short', undefined],
      ['15', 'changed', 'second', 'third'],
      ['20', 'added', undefined, 'again'],
    ])
    expect(paths()).toEqual(['/db/history', '/db/history'])
  })

  test('of a key with 10,000 revisions since are found by bisection, and then in stretches', async () => {
    const later = Array.from({ length: 10_000 }, (_, at) => ({ tx: 21 + at, value: `l${at}` }))
    const before = Array.from({ length: 20 }, (_, at) => ({ tx: at + 1, value: `v${at + 1}` }))
    keys.set('k', [...before, ...later])
    const rows = await compared(true, 'steps')
    expect(rows.map(({ before, after }) => [before?.text, after?.text])).toEqual(
      Array.from({ length: 10 }, (_, at) => [`v${at + 10}`, `v${at + 11}`]),
    )
    expect(sent.length).toBeLessThan(20)
  })

  test('of a value that no answer holds is unread, and the steps around it are not', async () => {
    room = 2_500
    keys.set('k', [
      { tx: 11, value: 'a' },
      { tx: 12, value: null },
      { tx: 13, value: 'b' },
      { tx: 14, value: 'x'.repeat(3_000) },
      { tx: 15, value: 'c' },
      { tx: 20, value: 'y'.repeat(3_000) },
    ])
    const large = 'not read: larger than 4 MiB'
    expect(stepwise(await compared(true, 'steps'))).toEqual([
      ['11', 'added', undefined, 'a'],
      ['12', 'deleted', 'a', undefined],
      ['13', 'added', undefined, 'b'],
      ['14', 'changed', 'b', large],
      ['15', 'changed', large, 'c'],
      ['20', 'changed', 'c', large],
    ])
  })

  test('stay right while the key is written again', async () => {
    keys.set(
      'k',
      Array.from({ length: 120 }, (_, at) => ({
        tx: at < 20 ? at + 1 : 100 + at,
        value: `v${at}`,
      })),
    )
    let next = 1_000
    onAnswer = (path) => {
      if (path === '/db/history' && next < 1_006)
        keys.get('k')?.push({ tx: next++, value: 'just now' })
    }
    const rows = await compared(true, 'steps')
    expect(rows.map(({ before, after }) => [before?.text, after?.text])).toEqual(
      Array.from({ length: 10 }, (_, at) => [`v${at + 9}`, `v${at + 10}`]),
    )
  })

  test('is read by its moments where a transaction could not be listed', async () => {
    keys.set('k', [
      { tx: 5, value: 'old' },
      { tx: 12, value: 'new' },
    ])
    expect(stepwise(await compared(false, 'steps'))).toEqual([['12', 'changed', 'old', 'new']])
  })
})

describe('the values of keys at both moments', () => {
  test('of a page of new keys take one request', async () => {
    for (let at = 0; at < 50; at += 1) keys.set(`new:${at}`, [{ tx: 15, value: `v${at}` }])
    const rows = await compared()
    expect(rows).toHaveLength(50)
    // In the order of their bytes.
    expect(short(rows)[7]).toEqual(['added', undefined, 'v15'])
    expect(paths()).toEqual(['/db/getall'])
  })

  test('are read one by one for those that may not write, and where writes are not known', async () => {
    keys.set('a', [{ tx: 15, value: 'new' }])
    expect(short(await compared(false))).toEqual([['added', undefined, 'new']])
    expect(paths()).toEqual(['/db/getall', '/db/history'])
    store.set(permissionsAtom, [{ database: 'd', permission: 1 }])
    openQueryCache(store)
    sent = []
    expect(short(await compared())).toEqual([['added', undefined, 'new']])
    expect(paths()).toEqual(['/db/history'])
  })

  test('of changed and deleted keys take as many revisions as are needed', async () => {
    keys.set('changed', [
      { tx: 2, value: 'first' },
      { tx: 9, value: 'old' },
      { tx: 12, value: 'passing' },
      { tx: 20, value: 'new' },
    ])
    keys.set('deleted', [
      { tx: 3, value: 'gone' },
      { tx: 11, value: null },
    ])
    keys.set('passing', [
      { tx: 11, value: 'short' },
      { tx: 12, value: null },
    ])
    expect(short(await compared())).toEqual([
      ['changed', 'old', 'new'],
      ['deleted', 'gone', undefined],
      ['passing', undefined, undefined],
    ])
    const limits = sent.flatMap(({ path, body }) => (path === '/db/history' ? [body.limit] : []))
    expect(limits).toEqual([3, 2, 3])
  })

  test('of a key with 10,000 revisions since are found by bisection', async () => {
    const later = Array.from({ length: 10_000 }, (_, at) => ({ tx: 21 + at, value: `l${at}` }))
    keys.set('k', [{ tx: 5, value: 'old' }, { tx: 15, value: 'new' }, ...later])
    expect(short(await compared())).toEqual([['changed', 'old', 'new']])
    expect(sent.length).toBeLessThan(32)
  })

  test('stay right while the key is written again', async () => {
    keys.set('k', [
      { tx: 5, value: 'old' },
      { tx: 15, value: 'new' },
      ...Array.from({ length: 40 }, (_, at) => ({ tx: 21 + at, value: 'later' })),
    ])
    let next = 100
    onAnswer = (path) => {
      if (path === '/db/history' && next < 106)
        keys.get('k')?.push({ tx: next++, value: 'just now' })
    }
    expect(short(await compared())).toEqual([['changed', 'old', 'new']])
  })

  test('are read singly where several are too large for an answer', async () => {
    room = 3_000
    keys.set('k', [
      { tx: 5, value: 'o'.repeat(2_000) },
      { tx: 15, value: 'n'.repeat(2_000) },
    ])
    const [row] = await compared()
    expect(row).toMatchObject({
      before: { text: 'o'.repeat(2_000) },
      after: { text: 'n'.repeat(2_000) },
    })
  })

  test('that have expired since are said to be unread, and not to be empty or the same', async () => {
    keys.set('over', [
      { tx: 5, value: 'old', hasExpired: true },
      { tx: 15, value: 'new', hasExpired: true },
    ])
    const unread = 'not read: it has expired since'
    expect(short(await compared())).toEqual([['changed', unread, unread]])
  })

  test('are not those of entries that no read finds, because they were not indexed', async () => {
    keys.set('unseen', [{ tx: 15, value: 'x', isNotIndexed: true }])
    keys.set('seen', [
      { tx: 5, value: 'old' },
      { tx: 12, value: 'x', isNotIndexed: true },
      { tx: 15, value: 'new' },
    ])
    expect(short(await compared())).toEqual([['changed', 'old', 'new']])
  })

  test('are compared by their bytes, not by how they read', async () => {
    keys.set('k', [
      { tx: 5, value: '', bytes: [0xc3] },
      { tx: 15, value: '0xc3' },
    ])
    expect((await compared())[0]?.action).toBe('changed')
  })

  test('that are gone say so, also behind many newer ones', async () => {
    keys.set('k', [
      { tx: 5, value: 'old' },
      { tx: 15, value: 'new' },
    ])
    goneBefore = 10
    const gone = 'not read: the server no longer has its value'
    expect(short(await compared())).toEqual([['changed', gone, 'new']])
    const later = Array.from({ length: 80 }, (_, at) => ({ tx: 21 + at, value: 'later' }))
    keys.set('k', [...(keys.get('k') ?? []), ...later])
    openQueryCache(store)
    sent = []
    expect(short(await compared())).toEqual([['changed', gone, 'new']])
    expect(sent.length).toBeLessThan(24)
  })

  test('that no answer can hold are said to be unread', async () => {
    room = 1_000
    keys.set('k', [
      { tx: 5, value: 'old' },
      { tx: 15, value: 'n'.repeat(2_000) },
    ])
    const [row] = await compared()
    expect(row).toMatchObject({ action: 'changed', after: { kind: 'unread' } })
  })

  test('that no answer can hold do not make a new key look changed', async () => {
    room = 1_000
    const large = 'n'.repeat(2_000)
    keys.set('new', [{ tx: 15, value: large }])
    keys.set('since', [
      { tx: 15, value: 'first' },
      { tx: 17, value: large },
      { tx: 30, value: large },
    ])
    keys.set('unknown', [
      { tx: 5, value: large },
      { tx: 15, value: large },
    ])
    const unread = 'not read: its revisions are too many or too large'
    expect(short(await compared())).toEqual([
      ['added', undefined, unread],
      ['added', undefined, unread],
      ['changed', unread, unread],
    ])
  })
})

describe('a reference', () => {
  test('is named by the key that it refers to, as its digest tells', async () => {
    keys.set('moved', [
      { tx: 5, value: '', target: 'old' },
      { tx: 15, value: '', target: 'new' },
    ])
    keys.set('made', [{ tx: 15, value: '', target: 'here' }])
    keys.set('became', [
      { tx: 5, value: 'a value' },
      { tx: boundAt, value: '', target: 'bound' },
    ])
    expect(short(await compared())).toEqual([
      ['changed', 'a value', 'refers to bound as of tx 14'],
      ['added', undefined, 'refers to here'],
      ['changed', 'refers to old', 'refers to new'],
    ])
    // Only what was written before the first moment is asked for.
    expect(sent.flatMap(({ path, body }) => (path === '/db/tx' ? [body.initialTx] : []))).toEqual([
      '5',
    ])
  })

  test('is not what only looks like one, or is written like one', async () => {
    const bytes = '\0'.repeat(9)
    keys.set('bytes', [{ tx: 15, value: `${bytes}new` }])
    keys.set('words', [
      { tx: 5, value: 'refers to x' },
      { tx: 15, value: '', target: 'x' },
    ])
    const [one, two] = await compared(false)
    expect(one).toMatchObject({ action: 'added', after: { text: `${bytes}new` } })
    expect(two).toMatchObject({ action: 'changed', after: { text: 'refers to x' } })
  })
})

test('an export has every key with its values, and notes where there is none', async () => {
  for (let at = 10; at < 70; at += 1) keys.set(`k${at}`, [{ tx: 15, value: `v${at}` }])
  keys.set('l,1', [
    { tx: 5, value: 'old' },
    { tx: 15, value: '', target: 'k10' },
  ])
  keys.set('m', [{ tx: 15, value: 'x', hasExpired: true }])
  const written = await writtenInBetween()
  const of = {
    what: 'key',
    as: 'net',
    database: 'd',
    from: '10',
    to: '20',
    prefix: '',
    unlisted: 0,
  } as const
  const file = await startExport(store, valuesExport({ ...of, written }), 'exact-csv')
  const lines = file?.parts.join('').trimEnd().split('\r\n') ?? []
  expect(lines).toHaveLength(63)
  expect([lines[0], lines[1], ...lines.slice(-2)]).toEqual([
    '_change,key,value (old),value (new),note (old),note (new),writes,last tx',
    'added,k10,,v10,,,1,15',
    'changed,"l,1",old,,,refers to k10,1,15',
    'added,m,,,,not read: it has expired since,1,15',
  ])
  expect(file?.name).toBe('d-keys-tx10-tx20-exact-62-rows.csv')
  const text = `Complete: 62 keys in ${file?.name}.`
  expect(store.get(newestExportAtom)('comparison')).toMatchObject({ state: 'complete', text })
  // Each write, with its transaction in front.
  const steps = { ...of, as: 'steps', written: stepsOf(written.slice(-2)), unlisted: 3 } as const
  const stepwise = await startExport(store, valuesExport(steps), 'exact-csv')
  expect(stepwise?.parts.join('').trimEnd().split('\r\n').slice(0, 2)).toEqual([
    '_tx,_change,key,value (old),value (new),note (old),note (new)',
    '15,changed,"l,1",old,,,refers to k10',
  ])
  expect(stepwise?.name).toBe('d-keys-tx10-tx20-steps-exact-2-rows-incomplete.csv')
  expect(store.get(newestExportAtom)('comparison')?.text).toBe(
    `Not complete: 2 writes in ${stepwise?.name}. 3 transactions could not be listed, so keys may be missing.`,
  )
})
