// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { openDocumentHistory } from '~/atoms/revisions/document-history'
import type { Drawn } from '~/atoms/revisions/history'
import type { FactsOf } from '~/proof/kernel/verify'
import { questionOf, unequalIn } from '../../support/questions'
import { RevisionServer, tabWith } from '../../support/revision-server'

type Audit = { page: number; pageSize: number; omitPayload: boolean; desc: boolean }

/** A tab whose server has one document with these values, null for a deletion. */
function tabOf(values: readonly (string | null)[], isBehind = false, goneUpTo = 0) {
  const kept = [...values]
  const server = new RevisionServer([], 100)
  const answer = ({ page, pageSize, omitPayload, desc }: Audit) => {
    const all = kept.map((v, at) => ({
      transactionId: String(10 + at),
      documentId: 'd',
      revision: String(at + 1),
      ...(v === null ? { metadata: { deleted: true } } : {}),
      ...(v === null || omitPayload ? {} : { document: { _id: 'd', v, n: 1.5 } }),
      username: 'ada',
      ts: String(1_700_000_000 + at),
    }))
    const inOrder = desc ? all.reverse() : all
    const revisions = inOrder.slice((page - 1) * pageSize, page * pageSize)
    const isGone = revisions.some(({ revision }) => Number(revision) <= goneUpTo)
    if (isGone && !omitPayload) {
      return Response.json(
        { error: 'EOF: error fetching document history', code: 2 },
        { status: 500 },
      )
    }
    return revisions.length > 0
      ? Response.json({ revisions })
      : Response.json({ error: 'tbtree: no more entries', code: 2 }, { status: 500 })
  }
  const refuse = (error: string) => Response.json({ error, code: 2 }, { status: 500 })
  const store = tabWith(
    Object.assign(server, {
      fetch: async (path: unknown, init: RequestInit) => {
        if (!String(path).includes('/db/get/')) return answer(JSON.parse(String(init.body)))
        if (isBehind)
          await new Promise((_, reject) => init.signal?.addEventListener('abort', reject))
        return refuse('tbtree: key not found')
      },
    }),
  )
  return { store, kept }
}

const document = { kind: 'document', database: 'db', collection: 'c', id: 'd' } as const

test('the history of a document has its transactions, times and authors', async () => {
  const { store } = tabOf(['one', null, 'three'])
  const history = await openDocumentHistory(store, document)
  const lines = await history.lines(3, 1, {})
  expect(lines.map(({ number, tx, kind, author }) => [number, tx, kind, author])).toEqual([
    [3, '12', 'written', 'ada'],
    [2, '11', 'deleted', 'ada'],
    [1, '10', 'written', 'ada'],
  ])
  expect((await history.content(1, {})).parts).toEqual([
    { name: '_id', type: 'STRING', value: 'd' },
    { name: 'v', type: 'STRING', value: 'one' },
    { name: 'n', type: 'NUMBER', value: '1.5' },
  ])
  expect((await history.content(2, {})).note).toBe('This revision deleted the document.')
})

test('a revision that is written meanwhile moves no other', async () => {
  const { store, kept } = tabOf(Array.from({ length: 125 }, (_, at) => `v${at + 1}`))
  const history = await openDocumentHistory(store, document)
  kept.push('since')
  expect((await history.content(7, {})).parts[1]?.value).toBe('v7')
  const lines = await history.lines(15, 6, {})
  expect(lines.map(({ tx }) => tx)).toEqual(
    Array.from({ length: 10 }, (_, at) => String(10 + 14 - at)),
  )
})

test('a revision whose content was truncated keeps its transaction, and says so', async () => {
  const { store } = tabOf(['one', 'two', 'three'], false, 2)
  const history = await openDocumentHistory(store, document)
  const lines = await history.lines(3, 1, {})
  expect(lines.map(({ tx, kind }) => [tx, kind])).toEqual([
    ['12', 'written'],
    ['11', 'written'],
    ['10', 'written'],
  ])
  expect((await history.content(3, {})).parts[1]?.value).toBe('three')
  const { parts, note } = await history.content(2, {})
  expect(parts).toEqual([])
  expect(note).toMatch(
    /^The server no longer has this document\. A truncation may have removed it\./,
  )
})

test('a document that never was has no revision, and the reason', async () => {
  const { store } = tabOf([])
  const history = await openDocumentHistory(store, document)
  expect([history.count, history.missing]).toEqual([
    0,
    'No such document: c never had one with this id.',
  ])
})

test('what is not yet in the index after a second is said to be missing', async () => {
  const { store } = tabOf(['one'], true)
  const history = await openDocumentHistory(store, document)
  expect([history.count, history.notice]).toEqual([
    1,
    'Newer revisions may be missing: they are not yet in the index.',
  ])
  const none = openDocumentHistory(tabOf([], true).store, document)
  await expect(none).rejects.toMatchObject({ kind: 'index-behind' })
})

test('a history from an index that has everything says nothing about it', async () => {
  const history = await openDocumentHistory(tabOf(['one']).store, document)
  expect(history.notice).toBeUndefined()
})

describe('the question for a revision of a document', () => {
  const facts = (document: object, deleted = false) => ({
    ...{ collectionId: 1, documentId: 'd', tx: '10', ts: '1700000000', deleted, document },
    indexed: {},
  })
  const said = [
    ['the author', 'uncovered'],
    ['the revision number', 'uncovered'],
  ]
  async function drawnOf(values: readonly (string | null)[], number = 1) {
    const { store } = tabOf(values)
    const history = await openDocumentHistory(store, document)
    const [line = null] = await history.lines(number, number, {})
    const drawn: Drawn = { number, against: 0, content: await history.content(number, {}), line }
    const ask = (of: Drawn) => questionOf(history, store, of)
    return { history, drawn, ask }
  }

  test('compares everything that is drawn, and nothing that is asked for then', async () => {
    const { drawn, ask } = await drawnOf(['one'])
    const question = await ask(drawn)
    expect(question.what).toBe('document d of c, revision 1')
    expect(question.request).toMatchObject({ documentId: 'd', transactionId: '10' })
    expect(unequalIn(question, facts({ _id: 'd', v: 'one', n: 1.5 }))).toEqual(said)
    expect(unequalIn(question, facts({ _id: 'd', v: 'two', n: 1.5 }))).toContainEqual([
      'v',
      'differs',
    ])
    expect(unequalIn(question, facts({ _id: 'd', v: 'one', n: 1.5, x: null }))).toContainEqual([
      'x',
      'differs',
    ])
    const later = { ...facts({ _id: 'd', v: 'one', n: 1.5 }), ts: '1700000001' }
    expect(unequalIn(question, later)).toContainEqual(['the time of the transaction', 'differs'])
    const beside = await ask({ ...drawn, against: 7 })
    expect(unequalIn(beside, facts({ _id: 'd', v: 'one', n: 1.5 }))).toEqual([
      ...said,
      ['revision 7 beside it', 'uncovered'],
    ])
  })

  test('compares a deletion', async () => {
    const { drawn, ask } = await drawnOf([null])
    const question = await ask(drawn)
    expect(unequalIn(question, facts({ _id: 'd' }, true))).toEqual(said)
    expect(unequalIn(question, facts({ _id: 'd' }))).toContainEqual([
      'the deletion of the document',
      'differs',
    ])
  })

  test('compares the list and the content, which are two answers', async () => {
    const { drawn, ask } = await drawnOf([null])
    const line = drawn.line && { ...drawn.line, kind: 'written' as const }
    for (const isDeleted of [true, false]) {
      const question = await ask({ ...drawn, line })
      expect(unequalIn(question, facts({ _id: 'd' }, isDeleted))).toContainEqual([
        'the deletion of the document',
        'differs',
      ])
    }
  })

  test('says nothing of a deletion of which nothing is drawn', async () => {
    const { drawn, ask } = await drawnOf([null])
    const question = await ask({ ...drawn, line: null, content: null })
    for (const isDeleted of [true, false]) {
      expect(unequalIn(question, facts({ _id: 'd' }, isDeleted))).toEqual([
        ['the revision number', 'uncovered'],
      ])
    }
  })

  test('gives the proven content, which is drawn from then on', async () => {
    const { history, drawn } = await drawnOf(['forged'])
    const proven = facts({ _id: 'd', v: 'one', n: -0 }) as FactsOf['document']
    expect(history.provenContent([proven], drawn)).toEqual({
      document: proven.document,
      state: 'live',
      dropped: [],
      note: null,
      parts: [
        { name: '_id', type: 'STRING', value: 'd' },
        { name: 'v', type: 'STRING', value: 'one' },
        { name: 'n', type: 'NUMBER', value: '-0' },
      ],
    })
    const deleted = facts({ _id: 'd' }, true) as FactsOf['document']
    expect(history.provenContent([deleted], drawn)).toMatchObject({ parts: [], state: 'deleted' })
  })
})
