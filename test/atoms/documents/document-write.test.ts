import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  checkDocumentSave,
  documentSaveAtom,
  hasChanged,
  resetDocumentSave,
  saveDocument,
  writtenDocumentAtom,
} from '~/atoms/documents/document-write'
import {
  beginDocument,
  changeDocument,
  documentDraftAtom,
  documentDrafts,
} from '~/atoms/documents/drafts'
import { CollectionServer } from '../../support/collection-server'
import { tabWith } from '../../support/revision-server'

let server: CollectionServer

beforeEach(() => {
  sessionStorage.clear()
  server = new CollectionServer()
})

const text = '{"n":9007199254740993}'

/** A new document, begun and typed. */
function typed() {
  const store = tabWith(server)
  beginDocument(store, { collection: 'c', id: null, text: '{}', revision: '' })
  changeDocument(store, { text })
  return store
}

/** Answers inserts only with `answer`. */
function answerInserts(answer: (body: string) => Response) {
  server.instead = ({ path, body }) =>
    path === '/collection/c/documents' ? answer(body) : undefined
}

const loseAnswers = () =>
  answerInserts((body) => {
    server.insert(body)
    throw new TypeError('fetch failed')
  })

const refuse = () =>
  answerInserts(() => Response.json({ error: 'unexpected value', code: 2 }, { status: 500 }))

/** The same tab after a reload. */
async function reloaded() {
  const store = tabWith(server)
  store.sub(documentDrafts.areBackAtom, () => {})
  await vi.waitFor(() => expect(store.get(documentDrafts.areBackAtom)).toBe(true))
  return store
}

describe('a document that was sent without an answer', () => {
  test('is not said to be refused when the next attempt is', async () => {
    const store = typed()
    loseAnswers()
    await saveDocument(store, text, '_id')
    refuse()
    await saveDocument(store, text, '_id')
    expect(store.get(documentSaveAtom)).toMatchObject({
      kind: 'unknown',
      finding: expect.stringMatching(/^The second attempt was refused: .* may have been stored\.$/),
    })
  })

  test('is still one after a reload, with what a check needs', async () => {
    const before = typed()
    loseAnswers()
    await saveDocument(before, text, '_id')
    const store = await reloaded()
    expect(store.get(documentSaveAtom)).toMatchObject({ kind: 'unknown' })
    server.instead = undefined
    await checkDocumentSave(store)
    // Every transaction since it was sent is looked through.
    expect(server.asked.at(-1)).toMatchObject({
      path: '/db/tx',
      body: '{"initialTx":"1","limit":2}',
    })
    resetDocumentSave(store)
    expect(store.get(documentSaveAtom).kind).toBe('idle')
    expect((await reloaded()).get(documentSaveAtom).kind).toBe('idle')
  })

  test('is one from its sending on, for the page may be left before the answer', async () => {
    const before = typed()
    const sent = new Promise((resolve) => {
      server.instead = ({ path }) => {
        if (path !== '/collection/c/documents') return undefined
        resolve(path)
        return new Promise(() => {})
      }
    })
    void saveDocument(before, text, '_id')
    await sent
    expect((await reloaded()).get(documentSaveAtom).kind).toBe('unknown')
  })
})

test('a refused document is not taken for one without an answer after a reload', async () => {
  const before = typed()
  refuse()
  await saveDocument(before, text, '_id')
  expect(before.get(documentSaveAtom).kind).toBe('refused')
  const store = await reloaded()
  expect(store.get(documentDraftAtom)).toMatchObject({ text })
  expect(store.get(documentSaveAtom).kind).toBe('idle')
})

describe('a replacement', () => {
  /** A document whose newest revision is the first, and a server that writes one of this number. */
  function replacing(written: string) {
    const store = tabWith(server)
    server.documents.push('{"n":1}')
    server.instead = ({ path }) =>
      path.endsWith('/documents/replace')
        ? Response.json({ revisions: [{ transactionId: '9', revision: written }] })
        : undefined
    beginDocument(store, { collection: 'c', id: '0', text: '{"n":1}', revision: '1' })
    changeDocument(store, { text })
    return store
  }

  test.each([
    ['2', 'Stored in tx 9.'],
    ['3', 'Stored in tx 9. Revision 2, written by someone else right before, was overwritten.'],
    ['5', 'Stored in tx 9. Revisions 2 to 4, written by someone else right before, were'],
  ])('that became revision %s says what was written right before', async (written, words) => {
    const store = replacing(written)
    await saveDocument(store, text, '_id')
    expect(store.get(writtenDocumentAtom)?.text).toContain(words)
    expect(store.get(writtenDocumentAtom)?.text).toMatch(/^Stored in tx 9\./)
  })

  test('of another revision is made only for the one that was seen', async () => {
    const store = replacing('2')
    changeDocument(store, { revision: '7' })
    await saveDocument(store, text, '_id')
    expect(store.get(documentSaveAtom)).toMatchObject({ kind: 'refused', reason: hasChanged })
    expect(store.get(documentDraftAtom)).toMatchObject({ text })
    await saveDocument(store, text, '_id', '1')
    expect(store.get(writtenDocumentAtom)?.text).toBe('Stored in tx 9.')
    expect(server.paths().filter((path) => path.endsWith('/replace'))).toHaveLength(1)
  })
})
