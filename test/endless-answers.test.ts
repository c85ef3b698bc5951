// @vitest-environment node
import type { Atom } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { listTransactions, readTransactions } from '~/api/transactions'
import { eventExport } from '~/atoms/auditlog/event-export'
import { noFilter as everyEvent } from '~/atoms/auditlog/filter'
import { auditScans } from '~/atoms/auditlog/scan'
import { beginDocuments } from '~/atoms/compare/compared-documents'
import { beginKeys } from '~/atoms/compare/compared-keys'
import { readDiffPage } from '~/atoms/compare/compared-tables'
import { comparisonExport } from '~/atoms/compare/comparison-export'
import { documentsExport } from '~/atoms/documents/document-export'
import { readSearchPage } from '~/atoms/documents/search-pages'
import { writtenSince } from '~/atoms/documents/sent-document'
import { keptSessionAtom, openDocumentSession } from '~/atoms/documents/session'
import { lookedThroughAtom, lookThrough } from '~/atoms/finder/look-through'
import type { Scan } from '~/atoms/finder/thing'
import { keysExport, setExport } from '~/atoms/keys/key-export'
import { keyLists, keysKey } from '~/atoms/keys/key-list'
import { readKeyPage } from '~/atoms/keys/key-pages'
import { revisionLists } from '~/atoms/keys/key-revisions'
import { readKeyState, readPastKeyState } from '~/atoms/keys/key-state'
import { readLevel, unreadLevel } from '~/atoms/keys/levels'
import { changeOutput, outputAtom } from '~/atoms/query/output'
import { fetchResultPages } from '~/atoms/query/result-pages'
import { readBlame } from '~/atoms/revisions/blame'
import type { History } from '~/atoms/revisions/history'
import { revisionsExport } from '~/atoms/revisions/revision-export'
import { openHistory } from '~/atoms/revisions/revision-list'
import { tableExport } from '~/atoms/tables/table-export'
import { scans } from '~/atoms/transactions/tx-list'
import { startExport } from '~/core/files/exports'
import { readRange } from '~/core/history/transaction-reader'
import { txAtTime } from '~/core/history/tx-at-time'
import { documentRevisions, keyRevisions } from '~/core/revisions/revisions'
import { RowRevisions } from '~/core/revisions/row-revisions'
import { Timeline } from '~/core/revisions/row-timeline'
import { lastWrite } from '~/core/revisions/row-writes'
import { clientAtom, type Store } from '~/core/session/client'
import { everything } from '~/immudb/document-query'
import { bisect, bisectFrom } from '~/lib/bisection'
import { jsonLines } from '~/lib/line-diff'
import { countable, NoProgress, rounds } from '~/lib/rounds'
import { compareHistories } from '~/proof/same-history'
import { indentedJson } from '~/sql/cell-input'
import { seeksBehind, soughtKey } from '~/sql/keyset'
import { noFilter } from '~/sql/row-filter'
import { linesInSight } from '~/ui/lines-in-sight'
import { Pages } from '~/workers/audit/tx-pages'
import { calmest } from './support/calmest'
import { EndlessServer, type Lies } from './support/endless-server'
import { keyOfCells } from './support/whole-key'

// As many rounds as a test has time for; each loop that asks for fewer keeps its own number.
const fewRounds = 24
vi.mock('~/lib/rounds', async (original) => {
  const real = await original<typeof import('~/lib/rounds')>()
  return { ...real, rounds: (most = fewRounds) => real.rounds(Math.min(most, fewRounds)) }
})

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
})

/** Requests that one read may send, whatever it is told. */
const mostRequests = 2_000
const mostTime = 20_000

const signal = new AbortController().signal
const read = (of: Atom<unknown>, store: Store) =>
  new Promise((resolve) => {
    const look = () => {
      const { isPending, isFetching } = store.get(of) as { isPending: boolean; isFetching: boolean }
      if (isPending && isFetching) return
      stop()
      resolve(null)
    }
    const stop = store.sub(of, look)
    setTimeout(look)
  })

async function lookedThrough(store: Store, kind: Scan['kind'], text: string) {
  lookThrough(store, { kind, database: 'db', text })
  await read(lookedThroughAtom, store)
}

const key = btoa('k')
const document = { kind: 'document', database: 'db', collection: 'c', id: 'aa' } as const
const row = { kind: 'row', database: 'db', table: 't', key: [{ n: '1' }] } as const
const named = {
  database: 'db',
  table: 't',
  key: keyOfCells([{ column: 'id', type: 'INTEGER', value: '1' }]),
} as const
const compared = { database: 'db', table: 't', from: '1', to: String(2n ** 63n) } as const
const write = (tx: string) => ({ tx, ts: '1', hValue: '', vLen: 0, isDeleted: false })
const written = {
  id: key,
  writes: [write('7'), write('9')] as never,
} as const
const rowsOf = {
  database: 'db',
  table: 't',
  period: '',
  columns: [
    { name: 'id', type: 'INTEGER' },
    { name: 'v', type: 'INTEGER' },
  ],
  filter: noFilter,
  path: { index: ['id'], key: [{ name: 'id', type: 'INTEGER' }], isDescending: false },
} as const
const search = { database: 'db', collection: 'c', query: everything } as const

async function allOf(store: Store, history: History) {
  const { count } = history
  await history.lines(count, Math.max(1, count - 9), { signal })
  await history.content(Math.ceil(count / 2), { signal })
  // As many as a file takes would take the test minutes.
  if (count > 200 && count <= 100_000) return
  await startExport(store, revisionsExport(history), 'json')
}

const blameIn = (store: Store, history: History) =>
  history.count === 0 ? undefined : readBlame(store, history, history.count, true)

async function inSession(store: Store) {
  store.sub(keptSessionAtom, () => {})
  await openDocumentSession(store, 'db', 'x')
}

const manyRevisions = new Timeline({ count: 5_000, last: 2n ** 63n, isThere: true })

/** Everything that reads in a loop. */
const loops: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'the history of a row': async (store) => allOf(store, await openHistory(store, row)),
  'the history of a key': async (store) =>
    allOf(store, await openHistory(store, { kind: 'key', database: 'db', key })),
  'the history of a document': async (store) => allOf(store, await openHistory(store, document)),
  'the last changes of a row': async (store) => blameIn(store, await openHistory(store, row)),
  'the last changes of a key': async (store) =>
    blameIn(store, await openHistory(store, { kind: 'key', database: 'db', key })),
  'the last changes of a document': async (store) =>
    blameIn(store, await openHistory(store, document)),
  'a revision of a row in the middle': (store) =>
    new RowRevisions(store, named, { count: 5_000, timeline: manyRevisions }).at(2_500, { signal }),
  'the last write of a row': (store) => lastWrite(store, named, 'UNTIL TX 9', 2n ** 63n - 1n),
  'a key as of a transaction': (store) =>
    readPastKeyState(store.get(clientAtom), { database: 'db', key, tx: '5' }),
  'a key in a revision': (store) =>
    readKeyState(store.get(clientAtom), { database: 'db', key, revision: '5' }),
  'revisions of a key': async (store) => {
    const name = { database: 'db', key }
    const revisions = keyRevisions(store.get(clientAtom), name, { atOnce: 50 })
    await revisions.upTo('5', signal).catch(noted)
    await revisions.count(signal).catch(noted)
    await revisions.at(3, signal)
  },
  'revisions of a document': async (store) => {
    await documentRevisions(store.get(clientAtom), document).upTo('5', signal)
  },
  'values of keys at two moments': async (store) => {
    for (const isWhole of [true, false]) {
      const begin = beginKeys(store, { database: 'db', from: '5', to: '9', isWhole })
      const all = [written, { ...written, among: written.writes }]
      const value = await begin(all as never, signal)
      for (const one of all) await value(one as never).catch(noted)
    }
  },
  'values of documents at two moments': async (store) => {
    const begin = beginDocuments(store, { database: 'db', from: '5', to: '9', collection: 'c' })
    await (await begin([written], signal))(written)
  },
  'the list of the revisions of a key': (store) =>
    read(store.get(revisionLists.listsAtom)('db', key), store),
  'a page of keys': (store) => readKeyPage(store.get(clientAtom), { database: 'db', prefix: '' }),
  'a level of keys': (store) =>
    readLevel(store.get(clientAtom), { database: 'db', prefix: '' }, unreadLevel(':')),
  'keys as long as a list was': async (store) => {
    const of = store.get(keyLists.listsAtom)('db', '')
    const { queryClientAtom } = await import('jotai-tanstack-query')
    store.get(queryClientAtom).setQueryData([...keysKey('db'), 'list', ''], {
      items: Array.from({ length: 1_000_000 }),
      next: null,
    })
    await store.get(queryClientAtom).invalidateQueries()
    await read(of, store)
  },
  'a file of keys': (store) =>
    startExport(store, keysExport({ database: 'db', prefix: '' }), 'ndjson'),
  'a file of a sorted set': (store) =>
    startExport(store, setExport({ database: 'db', set: btoa('s') }), 'ndjson'),
  'a file of the audit log': (store) =>
    startExport(store, eventExport(everyEvent, { from: null, to: null }), 'ndjson'),
  'a search of the audit log': async (store) => {
    const filter = JSON.stringify({ ...everyEvent, user: 'nobody' })
    const names = [filter, JSON.stringify({ from: null, to: null })]
    await read(store.get(auditScans.listsAtom)(...names), store)
    await auditScans.more(store, ...names)
  },
  'keys that are looked through': (store) => lookedThrough(store, 'keys', 'nothing'),
  'transactions that are looked through': (store) =>
    lookedThrough(store, 'transactions', `${'A'.repeat(43)}=`),
  'collections that are looked through': (store) =>
    lookedThrough(store, 'documents', 'ab'.repeat(16)),
  'a search for documents': async (store) => {
    await inSession(store)
    await readSearchPage(store, search)
  },
  'a file of documents': async (store) => {
    await inSession(store)
    await startExport(store, documentsExport(search), 'ndjson')
  },
  'documents that were sent': (store) =>
    writtenSince((atom) => store.get(atom), { database: 'db', txBefore: '1' }),
  'what transactions wrote': (store) => readRange(store, 'db', { from: 1n, to: 2n ** 63n }),
  'transactions by their kind': async (store) => {
    await read(store.get(scans.listsAtom)('db', 'truncation', '0', '', String(2n ** 63n)), store)
  },
  'a page of transactions': (store) =>
    readTransactions(store.get(clientAtom), { database: 'db', from: '1', limit: 1_000 }),
  'the transaction at a time': (store) =>
    txAtTime(
      (from, limit) =>
        listTransactions(store.get(clientAtom), { database: 'db', from: String(from), limit }),
      String(2n ** 63n),
      5n,
    ),
  'differences of a table': async (store) => {
    const asked = { action: null, signal }
    const first = await readDiffPage(store, compared, { ...asked, place: { done: 0, last: null } })
    if (first.next) await readDiffPage(store, compared, { ...asked, place: first.next })
  },
  'a file of differences': (store) => startExport(store, comparisonExport(compared, 'net'), 'csv'),
  'a file of steps': (store) => startExport(store, comparisonExport(compared, 'steps'), 'csv'),
  'a file of a table': (store) => startExport(store, tableExport(rowsOf), 'csv'),
  'all pages of a result': async (store) => {
    const { firstPage } = await import('~/atoms/query/result-pages')
    const asked = { database: 'db', sql: 'SELECT * FROM t', params: [], signal }
    const page = await firstPage((atom) => store.get(atom), asked, 1_000)
    if (!page) return
    const entry = { kind: 'entry', number: 1, database: 'db', tables: ['t'], given: [], ...page }
    changeOutput(store, 1, entry as never)
    if (store.get(outputAtom).length === 0) return
    await fetchResultPages(store, 1, 'all')
  },
  'pages of an audit': async (store) => {
    const client = store.get(clientAtom)
    const page = (from: bigint, limit: number) =>
      readTransactions(client, { database: 'db', from: String(from), limit })
    const pages = new Pages(
      { page: async (from: bigint, limit: number) => ({ txs: await page(from, limit) }) } as never,
      'values',
    )
    await pages.take(1n, 2n ** 63n)
  },
  'two histories that never agree': (store) => {
    let told = 0
    const point = (txId: bigint) => ({
      point: { txId: String(txId), txHash: 'AAAA' },
      key: null,
      answer: {},
    })
    const source = {
      db: 'db',
      readState: async () => ({}),
      readTx: async () => store.get(clientAtom) && {},
    }
    const facts = () => {
      told += 1
      return { facts: { alh: `${told}`, prevAlh: `${told}` }, open: [], verdict: 'ok' }
    }
    const states = [point(2n ** 63n), point(2n ** 63n - 1n)] as const
    return compareHistories((async () => facts()) as never, [source, source], states as never)
  },
  'a bisection without an end': () => bisectFrom(0n, 1n, async () => true),
}

/** A failure with a sentence is an end. */
const noted = (error: unknown) => error

const someNumbers = [1n, 2n, 7n, 50n, 1_000n, 2n ** 53n - 1n, 2n ** 53n, 10n ** 17n, 2n ** 63n - 1n]
const some = (asked: number) => someNumbers[(asked * 7_919) % someNumbers.length] ?? 1n

const servers: Readonly<Record<string, Lies>> = {
  'the same answer again': { number: () => 7n, length: (limit) => limit, isSame: true },
  'the same number in lists that go on': { number: () => 7n, length: (limit) => limit },
  'a number that is always ahead': {
    number: (asked) => BigInt(asked) * 1_000n,
    length: (limit) => limit,
  },
  'a number that falls': {
    number: (asked) => (asked < 900 ? 1_000n - BigInt(asked) : 1n),
    length: (limit) => limit,
  },
  '10^17': { number: () => 10n ** 17n, length: (limit) => limit },
  '2^63 - 1': { number: () => 2n ** 63n - 1n, length: (limit) => limit },
  'numbers of all sizes': { number: some, length: (limit) => limit },
  'numbers of all sizes in short lists': { number: some, length: (limit) => Math.min(limit, 1) },
  'numbers of all sizes in empty lists': { number: some, length: () => 0 },
  'that all is too large': { number: some, length: (limit) => limit, refusal: () => 'too-large' },
  'that every value is gone': { number: some, length: (limit) => limit, refusal: () => 'gone' },
  'now and then that it is too large or gone': {
    number: (asked) => BigInt(asked % 50) + 1n,
    length: (limit) => limit,
    refusal: (asked) => (asked % 3 === 0 ? 'too-large' : asked % 7 === 0 ? 'gone' : null),
  },
  'that all but the first answer is gone': {
    number: () => 2n ** 53n - 1n,
    length: (limit) => limit,
    refusal: (asked) => (asked > 1 ? 'gone' : null),
  },
}

describe.each(Object.entries(servers))('a server that says %s ends', (_, lies) => {
  test.each(Object.entries(loops))(
    '%s',
    async (_name, loop) => {
      const server = new EndlessServer(lies, mostRequests)
      const store = server.open()
      const began = performance.now()
      // Whether it succeeds or says why not: it ends.
      await loop(store).catch(noted)
      expect(server.asked).toBeLessThanOrEqual(mostRequests)
      expect(performance.now() - began).toBeLessThan(mostTime)
    },
    mostTime + 5_000,
  )
})

describe('a loop over answers', () => {
  test('has a most of rounds, and no place twice', () => {
    const round = rounds(3)
    for (const place of [1, 2, 3]) round(place)
    expect(() => round(4)).toThrow(NoProgress)
    const again = rounds()
    again({ after: 1n })
    expect(() => again({ after: 1n })).toThrow(/same answer again/)
  })

  test('counts with no number above 2^53', () => {
    expect(countable('9007199254740991')).toBe(2 ** 53 - 1)
    for (const number of ['9007199254740992', 2n ** 63n, 1e17, Number.NaN]) {
      expect(() => countable(number)).toThrow(/too large to count with/)
    }
  })

  test('ends a bisection whose ends may be nearer than nothing', async () => {
    expect(await bisect(1n, 2n, async () => true, 0n)).toEqual([1n, 2n])
  })
})

/** Work that numbers and lengths of answers could make long. */
const work: Readonly<Record<string, () => unknown>> = {
  'lines of JSON that is nothing but brackets': () =>
    jsonLines('['.repeat(131_072) + ']'.repeat(131_072)),
  'JSON to be edited that is nothing but brackets': () =>
    indentedJson('['.repeat(131_072) + ']'.repeat(131_072)),
  'the neighbour of a text of a gigabyte': () => seeksOf('VARCHAR(4294967295)', 'a'),
  'the neighbour of bytes of a gigabyte': () => seeksOf('BLOB(4294967295)', 'AQ=='),
  'lines in sight of 2^53': () =>
    linesInSight({ top: 2 ** 52, height: 600, shift: 0 }, 2 ** 53 - 1, 60),
}

const seeksOf = (type: string, value: string) =>
  seeksBehind(
    soughtKey([
      { name: 'a', type },
      { name: 'b', type: 'INTEGER' },
    ]) ?? [],
    [value, '1'],
    true,
  )

test.each(Object.entries(work))('%s take no more time than a second', (_, run) => {
  expect(calmest(run)).toBeLessThan(1_000)
})
