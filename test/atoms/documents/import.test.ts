// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { documentImport } from '~/atoms/documents/import'
import { chosenOf, type ImportFile, readImportFile } from '~/atoms/documents/import-file'
import type { Store } from '~/core/session/client'
import { committedText, pendingText } from '~/core/upload-progress'
import type { Collection } from '~/immudb/collection'
import { CollectionServer } from '../../support/collection-server'
import { writerWith } from '../../support/revision-server'

const collection: Collection = {
  name: 'c',
  idField: '_id',
  fields: [
    { name: '_id', type: 'STRING' },
    { name: 'n', type: 'INTEGER' },
  ],
  indexes: [],
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

const fileOf = (count: number) =>
  readImportFile(
    'in.ndjson',
    bytesOf(Array.from({ length: count }, (_, n) => `{"_id":"old${n}","n":${n}}`).join('\n')),
    collection,
  )

/** Imports a file as its screen does. */
const start = (store: Store, file: ImportFile) =>
  documentImport.start(store, file, {
    database: 'db',
    into: 'c',
    file: { name: file.name, size: file.size, checksum: file.checksum },
    items: file.documents.length,
    leftOut: [],
    idField: '_id',
    leavesWarned: false,
  })

const runOf = (store: Store) => {
  const run = store.get(documentImport.runAtom)
  if (!run) throw new Error('no import')
  return run
}

const report = (store: Store) => committedText(runOf(store).progress, documentImport.words)

const inserts = (server: CollectionServer) =>
  server.asked.filter(({ path }) => path === '/collection/c/documents')

describe('a file', () => {
  test('is looked through whole, with the lines that are no documents', async () => {
    const file = await readImportFile(
      'in.ndjson',
      bytesOf('\uFEFF{"n":1}\r\n\n[1]\n{"_id":"x","n":9007199254740993}\n{"n":'),
      collection,
    )
    expect(file.documents).toEqual([
      { line: 1, json: '{"n":1}', isWarned: false },
      { line: 4, json: '{"n":9007199254740993}', isWarned: true },
    ])
    expect(file.problems.map(({ line }) => line)).toEqual([3, 5])
    expect([file.withId, file.warned, file.problemCount]).toEqual([1, 1, 2])
  })

  test('keeps what is no id under the name of a field for ids, which is a problem then', async () => {
    const old = '0123456789abcdef0123456789abcdef'
    const file = await readImportFile(
      'in.ndjson',
      bytesOf(`{"_id":"${old}","key":"A-17"}\n{"key":"${old.toUpperCase()}","n":1}`),
      { ...collection, idField: 'key' },
    )
    expect(file.problems).toEqual([
      { line: 1, reason: 'Leave out “key”: the server makes the ids.' },
    ])
    expect(file.documents).toEqual([{ line: 2, json: '{"n":1}', isWarned: false }])
    expect(file.withId).toBe(1)
  })

  test('has no line changed in silence whose bytes are not UTF-8', async () => {
    const bytes = [...bytesOf('{"n":1}\n{"t":"a'), 0xff, ...bytesOf('"}\n{"t":"é"}\n')]
    const file = await readImportFile('in.ndjson', Uint8Array.from(bytes), collection)
    expect(file.problems).toEqual([{ line: 2, reason: expect.stringMatching(/not UTF-8/) }])
    expect(file.documents).toEqual([
      { line: 1, json: '{"n":1}', isWarned: false },
      { line: 3, json: '{"t":"é"}', isWarned: false },
    ])
  })

  const typed: Collection = {
    ...collection,
    fields: [...collection.fields, { name: 's', type: 'STRING' }, { name: 'a.b', type: 'DOUBLE' }],
    indexes: [
      { fields: ['_id'], isUnique: true },
      { fields: ['s', 'n'], isUnique: true },
    ],
  }
  const linesOf = async (text: string) => {
    const file = await readImportFile('in', bytesOf(text), typed)
    const problems = file.problems.map(({ line, reason }) => `${line} ${reason}`)
    return { problems, lines: file.documents.map(({ line }) => line), file }
  }

  test('is checked whole for what the server refuses, with the line and the reason', async () => {
    const { problems, lines } = await linesOf(
      [
        '{"n":4.5,"s":"a"}',
        '{"n":"text","s":"b"}',
        '{"n":1,"s":2}',
        '{"a":{"b":"x"},"s":"c"}',
        '{"a.b":"x","s":"d"}',
        `{"s":"${'é'.repeat(257)}"}`,
        '{"n":null,"s":null}',
        'no JSON',
        '{"_id":7,"s":"e"}',
        '{"_id":7,"s":"f"}',
        '{"s":"a","n":4}',
        '{"x":1}',
      ].join('\n'),
    )
    expect(problems).toEqual([
      '2 “n” is of type INTEGER and does not take text, such as "text".',
      '3 “s” is of type STRING and does not take a number, such as 2.',
      '4 “a.b” is of type DOUBLE and does not take text, such as "x".',
      '6 “s” has 514 bytes. A declared STRING takes at most 512.',
      expect.stringMatching(/^8 This is not JSON\./),
      '10 Line 9 has the same “_id”.',
      '11 Line 1 has the same value of “s, n”, which is unique.',
      '12 Line 7 has the same value of “s, n”, which is unique.',
    ])
    expect(lines).toEqual([1, 5, 7, 9])
  })

  test('may be an array, whose documents are found by their lines', async () => {
    const array = '\uFEFF [\n{"s":"a, ]",\n "n":1},\n{"s":"\\"}"}\n, 7,\n\n{"n":"x"},\n{}\n]\n'
    const { problems, lines, file } = await linesOf(array)
    expect(lines).toEqual([2, 4, 8])
    expect(file.documents[0]?.json).toBe('{"s":"a, ]",\n "n":1}')
    expect(problems.map((text) => text.split(' ')[0])).toEqual(['5', '7'])
    expect((await linesOf('[]')).lines).toEqual([])
    expect((await linesOf('[{"n":1},{"n":2,"s":"b"}]')).lines).toEqual([1, 1])
    expect((await linesOf('[{"n":1},]')).problems).toHaveLength(1)
    expect((await linesOf('[1]\n[2]')).problems).toHaveLength(2)
  })

  test('leaves out what would be stored otherwise, if that is wanted', async () => {
    const { file } = await linesOf('{"x":9007199254740993}\n{"n":2}')
    expect(chosenOf(file, false).documents).toHaveLength(2)
    expect(chosenOf(file, true).documents.map(({ line }) => line)).toEqual([2])
  })
})

describe('an import', () => {
  test('sends bounded transactions, one after the other', async () => {
    const server = new CollectionServer()
    const store = writerWith(server)
    await start(store, await fileOf(1_200))
    expect(inserts(server).map(({ body }) => JSON.parse(body).documents.length)).toEqual([
      500, 500, 200,
    ])
    expect(runOf(store).phase).toBe('done')
    expect(report(store)).toBe(
      'Documents 1–1,200 are committed: 3 transactions in tx 2–4. The last begins in line 1,200.',
    )
    expect(server.documents[1_199]).toBe('{"n":1199}')
  })

  test('that is cancelled ends after its transaction, and goes on behind it', async () => {
    const server = new CollectionServer()
    const store = writerWith(server)
    server.instead = ({ path }) => {
      if (path === '/collection/c/documents') documentImport.pause(store)
      return undefined
    }
    await start(store, await fileOf(1_200))
    expect(runOf(store)).toMatchObject({ phase: 'stopped', progress: { item: 500 } })
    server.instead = undefined
    await documentImport.goOn(store)
    expect(runOf(store)).toMatchObject({ phase: 'done', progress: { item: 1_200 } })
    expect(server.documents).toHaveLength(1_200)
  })

  test('of which a document is refused commits all before it, and names its line', async () => {
    const server = new CollectionServer()
    const store = writerWith(server)
    server.instead = ({ path, body }) =>
      path === '/collection/c/documents' && body.includes('{"n":733}')
        ? Response.json({ error: 'unexpected value', code: 2 }, { status: 500 })
        : undefined
    await start(store, await fileOf(1_200))
    expect(runOf(store)).toMatchObject({
      phase: 'stopped',
      progress: { item: 733 },
      stop: { kind: 'refused', leavable: { lines: [734], isRefused: true } },
    })
    expect(server.documents).toHaveLength(733)
    expect(new Set(server.documents).size).toBe(733)
  })

  /** Refuses each transaction with one of these. */
  const refuseAny = (server: CollectionServer, ...refused: readonly number[]) => {
    server.instead = ({ path, body }) =>
      path === '/collection/c/documents' &&
      JSON.parse(body).documents.some(({ n }: { n: number }) => refused.includes(n))
        ? Response.json({ error: 'max length exceeded', code: 2 }, { status: 500 })
        : undefined
  }

  test('goes on without a line that is refused, and comes to its end', async () => {
    const server = new CollectionServer()
    const store = writerWith(server)
    refuseAny(server, 299, 700)
    await start(store, await fileOf(1_200))
    expect(runOf(store)).toMatchObject({ phase: 'stopped', progress: { item: 299 } })
    // Trying again does not help, and does no harm.
    await documentImport.goOn(store)
    expect(runOf(store)).toMatchObject({ phase: 'stopped', progress: { item: 299 } })
    await documentImport.leaveOut(store)
    expect(runOf(store)).toMatchObject({ phase: 'stopped', progress: { item: 700 } })
    await documentImport.leaveOut(store)
    expect(runOf(store)).toMatchObject({ phase: 'done', progress: { refused: [300, 701] } })
    expect(report(store)).toMatch(/^Documents 1–1,200 are committed, without 2 documents left out:/)
    expect(report(store)).toMatch(
      / Lines 300, 701 were left out, because the server refused them\.$/,
    )
    expect(new Set(server.documents).size).toBe(1_198)
    expect(server.documents).toHaveLength(1_198)
  })

  test('leaves out each refused line if that is wanted, but not one after the other for ever', async () => {
    const server = new CollectionServer()
    const store = writerWith(server)
    refuseAny(server, 0, 3, 7, 8)
    await start(store, await fileOf(20))
    await documentImport.leaveOut(store, true)
    expect(runOf(store)).toMatchObject({ phase: 'done', progress: { refused: [1, 4, 8, 9] } })
    expect(server.documents).toHaveLength(16)
    refuseAny(server, ...Array.from({ length: 100 }, (_, n) => n))
    await start(store, await fileOf(100))
    await documentImport.leaveOut(store, true)
    expect(runOf(store)).toMatchObject({ phase: 'stopped', progress: { item: 21 } })
  })

  test('sends smaller transactions to a database that takes fewer entries', async () => {
    const server = new CollectionServer()
    const store = writerWith(server)
    server.instead = ({ path, body }) =>
      path === '/collection/c/documents' && JSON.parse(body).documents.length > 50
        ? Response.json(
            { error: 'max number of entries per tx exceeded', code: 2 },
            { status: 500 },
          )
        : undefined
    await start(store, await fileOf(120))
    expect(runOf(store)).toMatchObject({ phase: 'done', progress: { item: 120 } })
    expect(server.documents).toHaveLength(120)
  })

  test('is not sent again in smaller parts when the permission is missing', async () => {
    const server = new CollectionServer()
    const store = writerWith(server)
    server.instead = ({ path }) =>
      path === '/collection/c/documents'
        ? Response.json({ error: 'permission denied', code: 13 }, { status: 500 })
        : undefined
    await start(store, await fileOf(1_200))
    expect(inserts(server)).toHaveLength(1)
    expect(runOf(store).stop).toMatchObject({
      kind: 'refused',
      notDone: expect.stringMatching(/^Not stored: documents 1–500 \(lines 1–500\)\./),
      leavable: null,
    })
  })

  test('without an answer stops, says which lines are unknown, and never sends them again by itself', async () => {
    const server = new CollectionServer()
    const store = writerWith(server)
    server.instead = ({ path, body }) => {
      if (path !== '/collection/c/documents' || inserts(server).length !== 2) return undefined
      server.insert(body)
      throw new TypeError('fetch failed')
    }
    await start(store, await fileOf(1_200))
    const { stop, progress } = runOf(store)
    expect(stop).toMatchObject({ kind: 'unknown', mustDecide: true, finding: null })
    expect(progress.item).toBe(500)
    expect(progress.pending && pendingText(progress.pending, documentImport.words)).toBe(
      'It is not known whether documents 501–1,000 (lines 501–1,000) are committed, in one transaction after tx 2.',
    )
    // Nothing is decided before a check.
    await documentImport.decide(store, false)
    expect(inserts(server)).toHaveLength(2)
    // The check cannot read the transactions of this server, and says so.
    await documentImport.goOn(store)
    expect(runOf(store).stop).toMatchObject({ kind: 'unknown', finding: expect.any(String) })
    await documentImport.check(store)
    expect(runOf(store).stop).toMatchObject({ kind: 'unknown', finding: expect.any(String) })
    expect(inserts(server)).toHaveLength(2)
    await documentImport.decide(store, true)
    expect(runOf(store)).toMatchObject({ phase: 'done', progress: { item: 1_200 } })
    expect(server.documents).toHaveLength(1_200)
    expect(report(store)).toContain('Documents 501–1,000 count as committed because you said so.')
  })
})
