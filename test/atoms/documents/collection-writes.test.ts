// @vitest-environment node
import { expect, test } from 'vitest'
import type { CollectionChange } from '~/api/collections'
import { changeCollection, checkCollection } from '~/atoms/documents/collection-writes'
import { CollectionServer } from '../../support/collection-server'
import { tabWith } from '../../support/revision-server'

const create = (name: string): CollectionChange => ({
  kind: 'create',
  of: { name, idField: '_id', fields: [], indexes: [] },
})

test('a change without an answer stays unknown when the next attempt is refused, and another is', async () => {
  const server = new CollectionServer()
  const store = tabWith(server)
  server.instead = () => {
    throw new TypeError('fetch failed')
  }
  expect(await changeCollection(store, create('new'))).toMatchObject({ kind: 'unknown' })
  server.instead = () => Response.json({ error: 'permission denied', code: 13 }, { status: 500 })
  expect(await changeCollection(store, create('new'))).toMatchObject({
    kind: 'unknown',
    finding: expect.stringMatching(/^The second attempt was refused: .* may have been done\.$/),
  })
  expect(await changeCollection(store, create('other'))).toMatchObject({ kind: 'refused' })
})

test('renaming the field for ids is one request, can be checked, and is no error a second time', async () => {
  const server = new CollectionServer()
  const store = tabWith(server)
  const rename = { kind: 'rename ids', collection: 'c', from: '_id', idField: 'code' } as const
  expect(await checkCollection(store, rename)).toMatch(/^Not done so far\./)
  server.instead = (asked) => {
    if (asked.method !== 'PUT') return undefined
    server.answer(asked)
    throw new TypeError('fetch failed')
  }
  expect(await changeCollection(store, rename)).toMatchObject({ kind: 'unknown' })
  expect(server.asked.filter(({ method }) => method === 'PUT')).toMatchObject([
    { path: '/collection/c', body: '{"documentIdFieldName":"code"}' },
  ])
  expect(await checkCollection(store, rename)).toMatch(/^The field code holds the ids now:/)
  server.instead = undefined
  expect(await changeCollection(store, rename)).toMatchObject({
    kind: 'committed',
    value: 'The field code holds the ids now.',
  })
})

test('the field for ids is not renamed by a page that knows another one', async () => {
  const server = new CollectionServer()
  server.idField = 'newer'
  const rename = { kind: 'rename ids', collection: 'c', from: '_id', idField: 'code' } as const
  expect(await changeCollection(tabWith(server), rename)).toMatchObject({
    kind: 'refused',
    text: expect.stringMatching(/renamed in the meantime, from _id to newer/),
  })
  expect(server.paths().some((asked) => asked.startsWith('PUT'))).toBe(false)
})
