import { describe, expect } from 'vitest'
import { newOperation, readOperations } from '~/atoms/keys/operation-drafts'
import { refusalOfCollection, refusalOfField, refusalOfIdField } from '~/immudb/collection'
import { isEditableAs } from '~/lib/byte-formats'
import { type Api, api } from '../support/api'
import { corpusBytes } from '../support/corpus-bytes'
import { DocumentsPage } from '../support/documents-page'
import { test } from '../support/e2e'
import { base64, getValue, KeysPage, setKeys } from '../support/keys-page'

/** Texts of the corpus, each once, and names that only rules for names tell apart. */
const names = [
  ...new Set([
    ...corpusBytes()
      .filter(({ bytes }) => bytes.length < 2_000 && Buffer.from(bytes.toString()).equals(bytes))
      .map(({ bytes }) => bytes.toString()),
    ...['collection', 'Field', 'INDEX', 'document', '_doc', '_rev', '_tx_metadata', 'order'],
    ...['a.b', 'a..b', '.a', 'a.', 'a-b', '-a', 'a1', '1a', 'A', '_', 'é', 'a'.repeat(200)],
  ]),
]

describe('A01: the corpus in collections', () => {
  test('names are refused before they are sent where immudb refuses them, and nowhere else', async ({
    server,
  }) => {
    const db = await api(server.url)
    const isTaken = async (path: string, body: object) =>
      db.call(`/v2/collection/${path}`, body).then(
        () => true,
        () => false,
      )
    for (const [at, name] of names.entries()) {
      const shown = JSON.stringify(name.slice(0, 60))
      const isNamed = await isTaken(encodeURIComponent(name), {})
      expect(isNamed, `collection ${shown}`).toBe(refusalOfCollection(name) === undefined)
      const isField = await isTaken(`f${at}`, { fields: [{ name, type: 'STRING' }] })
      // The name of the field for ids is in use in any collection.
      if (name !== '_id') {
        expect(isField, `field ${shown}`).toBe(refusalOfField(name) === undefined)
      }
      // Without a name the server takes its usual one.
      if (name === '') continue
      const isId = await isTaken(`i${at}`, { documentIdFieldName: name })
      expect(isId, `field for ids ${shown}`).toBe(refusalOfIdField(name) === undefined)
    }
  })

  test('is inert in every field of the form, which says what is wrong and creates nothing', async ({
    server,
    open,
  }) => {
    const console = await open(server.url)
    await console.enter('/documents')
    const documents = new DocumentsPage(console.page)
    await documents.button('New collection').first().click()
    await documents.button('Add a field').click()
    const create = documents.dialog.getByRole('button', { name: 'Create', exact: true })
    for (const { bytes } of worst()) {
      const text = bytes.toString()
      for (const label of ['Name', 'Field for the ids', 'Name of field 1']) {
        await documents.dialog.getByLabel(label, { exact: true }).fill(text)
      }
      await documents.dialog
        .getByText(/^Use letters A–Z|^Enter a name/)
        .first()
        .waitFor()
      expect(await create.getAttribute('aria-disabled')).toBe('true')
    }
    const { collections = [] } = await (await api(server.url)).call<{ collections?: object[] }>(
      '/v2/collections',
    )
    expect(collections.filter((one) => JSON.stringify(one).includes('script'))).toEqual([])
  })
})

/** A text of each category that is markup, code or out of order. */
function worst() {
  const seen = new Set<string>()
  return corpusBytes().filter(({ category, bytes }) => {
    const text = bytes.toString()
    const isWanted = bytes.length > 0 && bytes.length < 200 && !/^[\w.-]+$|[\r\n]/.test(text)
    if (!isWanted || seen.has(category)) return false
    seen.add(category)
    return true
  })
}

/** Keys as they are typed: as text where a field can hold it, else in hex. */
function typed(bytes: Buffer) {
  const format = isEditableAs(bytes, 'text') ? 'text' : 'hex'
  return { format, text: format === 'text' ? bytes.toString() : bytes.toString('hex') } as const
}

type SetEntry = { key: string; score?: number; entry?: { value?: string } }

/** The entries of a set from a score on. */
async function entriesOf(db: Api, set: Buffer, least: number): Promise<readonly SetEntry[]> {
  const { entries = [] } = await db.call<{ entries?: SetEntry[] }>('/db/zscan', {
    set: base64(set),
    limit: 10,
  })
  return entries.filter(({ score = 0 }) => score >= least)
}

describe('A01: the corpus in operations', () => {
  test('every key is set, referred to and put into a set of its name, byte by byte', async ({
    server,
  }) => {
    const db = await api(server.url)
    const unique = new Map(
      corpusBytes('key')
        .filter(({ bytes }) => bytes.length > 0 && bytes.length <= 512)
        .map(({ bytes }) => [bytes.toString('hex'), bytes]),
    )
    const keys = [...unique.values()]
    const reference = (at: number) => Buffer.from(`corpus-reference:${at}`)
    const operations = keys.flatMap((bytes, at) => [
      newOperation({ key: typed(bytes), value: typed(bytes) }),
      newOperation({ kind: 'reference', key: typed(reference(at)), target: typed(bytes) }),
      newOperation({ kind: 'zadd', set: typed(bytes), key: typed(bytes), score: String(at + 1) }),
    ])
    expect(operations.length).toBeGreaterThan(150)
    const { body, problem } = readOperations(operations)
    expect(problem).toBeNull()
    await db.call('/db/execall', body)
    for (const [at, bytes] of keys.entries()) {
      expect(await getValue(db, bytes)).toEqual(bytes)
      expect(await getValue(db, reference(at))).toEqual(bytes)
      const [found, ...more] = await entriesOf(db, bytes, 1)
      expect(more).toEqual([])
      expect(found).toMatchObject({ key: base64(bytes), entry: { value: base64(bytes) } })
      expect(found?.score).toBe(at + 1)
    }
  })

  test('goes in by the forms for a reference and for a set, and is seen as it is', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const cases = worst().filter(({ bytes }) => typed(bytes).format === 'text')
    expect(cases.length).toBeGreaterThan(5)
    await setKeys(
      db,
      cases.map(({ bytes }) => [bytes, bytes]),
    )
    const console = await open(server.url)
    await console.enter('/keys')
    const keys = new KeysPage(console.page)
    await keys.button('Several operations…').click()
    for (const [at, { bytes }] of cases.entries()) {
      const part = console.page.getByRole('group', { name: `Operation ${at + 1}`, exact: true })
      await keys.button('Add an operation').click()
      const isSet = at % 2 === 1
      await part.getByRole('combobox', { name: /^Kind of operation/ }).click()
      await console.page
        .getByRole('option', { name: isSet ? 'Add to a sorted set' : 'Set a reference' })
        .click()
      await part.getByLabel(isSet ? 'Set' : 'Refers to', { exact: true }).fill(bytes.toString())
      await part.getByLabel('Key', { exact: true }).fill(isSet ? bytes.toString() : `form:${at}`)
    }
    await keys.button('Send as one transaction').click()
    await console.dialog.getByText(/^Stored in tx \d+\.$/).waitFor()
    for (const [at, { bytes }] of cases.entries()) {
      if (at % 2 === 0) expect(await getValue(db, `form:${at}`)).toEqual(bytes)
      else expect((await entriesOf(db, bytes, 0))[0]?.key).toBe(base64(bytes))
    }
  })
})
