// @vitest-environment node
import { expect, test } from 'vitest'
import { deleteDocument, documentDeletionAtom } from '~/atoms/documents/document-write'
import { CollectionServer } from '../../support/collection-server'
import { tabWith } from '../../support/revision-server'

const document = { collection: 'c', id: '0', idField: '_id' }
const deletions = (server: CollectionServer) =>
  server.paths().filter((asked) => asked === 'POST /collection/c/documents/delete')

test('a document is not deleted by a name that may be that of another field now', async () => {
  const server = new CollectionServer(['{"n":1}'])
  server.idField = 'code'
  const store = tabWith(server)
  expect(await deleteDocument(store, document)).toBe(false)
  expect(store.get(documentDeletionAtom)).toMatchObject({
    kind: 'refused',
    text: expect.stringMatching(/renamed in the meantime, from _id to code/),
  })
  expect(deletions(server)).toEqual([])
})

test('a document that is still there after an answer is not said to be deleted', async () => {
  const server = new CollectionServer(['{"n":1}'])
  server.instead = ({ path }) => (path.endsWith('/delete') ? Response.json({}) : undefined)
  const store = tabWith(server)
  expect(await deleteDocument(store, document)).toBe(false)
  expect(deletions(server)).toHaveLength(1)
  expect(store.get(documentDeletionAtom)).toMatchObject({
    kind: 'refused',
    text: 'The server answered, and the document is still there.',
  })
})
