// @vitest-environment node
import { beforeEach, expect, test } from 'vitest'
import {
  changeSchema,
  checkSchemaChange,
  schemaFormAtom,
  schemaStateAtom,
} from '~/atoms/tables/schema-change'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { chooseReadOnly } from '~/core/settings'
import { newColumn, type SchemaChange } from '~/sql/schema-changes'
import { trustsAtom } from '~/trust/trust'
import { releaseWrites } from '~/trust/write-block'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, type Tab } from '../../support/store'

let server: ReturnType<typeof fakeImmudb>
let tab: Tab

beforeEach(async () => {
  server = fakeImmudb()
  tab = openTab(server)
  await signIn(tab)
  tab.store.sub(writeRefusalAtom, () => {})
  await soon(() => expect(tab.store.get(writeRefusalAtom)).toBeUndefined())
})

const table = (name: string): SchemaChange => ({
  kind: 'create-table',
  table: name,
  columns: [{ ...newColumn, name: 'id', type: 'INTEGER', isPrimaryKey: true }],
})
const send = (change: SchemaChange) => changeSchema(tab.store, 'defaultdb', change)
const state = () => tab.store.get(schemaStateAtom)
const sent = () => server.calls.filter(({ path }) => path === '/db/sqlexec')

test('a change is one statement, and what was done is said with its transaction', async () => {
  expect(await send(table('Orders'))).toBe(true)
  expect(sent().map(({ body }) => body.sql)).toEqual([
    'CREATE TABLE orders (\n  id INTEGER,\n  PRIMARY KEY (id)\n);',
  ])
  expect(state()).toMatchObject({
    kind: 'committed',
    value: { tx: '1', text: 'Table orders created with 1 column.' },
  })
})

test('a change without an answer is unknown, and a check looks at the schema', async () => {
  await send(table('fault_lost_1'))
  expect(state().kind).toBe('unknown')
  await checkSchemaChange(tab.store)
  expect(state()).toMatchObject({
    finding: expect.stringMatching(/^The schema is as you asked for/),
  })
  expect(sent()).toHaveLength(1)
})

test('a change that never arrived is found not to be done', async () => {
  await send(table('fault_reset_1'))
  await checkSchemaChange(tab.store)
  expect(state()).toMatchObject({
    kind: 'unknown',
    finding: expect.stringMatching(/^Not done so far: tx 0/),
  })
})

test('a trusted state that the server went back behind says nothing of what is newest', async () => {
  const [record, broken] = [{ point: { txId: '1000' } }, { kind: 'rolled-back', at: 1 }]
  tab.store.set(trustsAtom, new Map([['defaultdb', { kind: 'broken', record, broken } as never]]))
  releaseWrites(tab.store, 'defaultdb')
  await send(table('fault_lost_1'))
  await checkSchemaChange(tab.store)
  expect(state()).toMatchObject({
    finding: expect.stringMatching(/^The schema is as you asked for/),
  })
})

test('nothing is sent to a database that is read-only in this browser', async () => {
  await chooseReadOnly(tab.store, 'defaultdb', true)
  expect(await send(table('orders'))).toBe(false)
  expect(state()).toMatchObject({ kind: 'refused', text: expect.stringMatching(/read-only/) })
  expect(sent()).toEqual([])
})

test('another form begins without what became of the last change', async () => {
  await send(table('orders'))
  const form = { database: 'defaultdb', start: table(''), of: { columns: [], indexes: [] } }
  tab.store.set(schemaFormAtom, form)
  expect(tab.store.get(schemaFormAtom)).toBe(form)
  expect(state().kind).toBe('idle')
})
