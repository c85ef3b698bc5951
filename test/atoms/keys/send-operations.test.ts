import { beforeEach, expect, test } from 'vitest'
import { keepOperations, operationDrafts } from '~/atoms/keys/keep-operations'
import { newOperation, type OperationDraft } from '~/atoms/keys/operation-drafts'
import {
  checkOperations,
  forgetOperations,
  operationsStateAtom,
  sendOperations,
} from '~/atoms/keys/send-operations'
import { bytesToBase64 } from '~/lib/bytes'
import { fakeImmudb } from '../../support/fake-immudb'
import { storeKey } from '../../support/fake-kv'
import { fakeDriver, openTab, signIn, soon, type Tab } from '../../support/store'

const server = fakeImmudb()
const database = { isLoaded: true, txId: 0, tables: new Map() }
const driver = fakeDriver()

beforeEach(() => {
  server.databases.set('defaultdb', database)
  storeKey(database, bytesToBase64(new TextEncoder().encode('there')), 'MQ==')
})

/** A tab of its own, which keeps nothing of another one. */
async function newTab(): Promise<Tab> {
  sessionStorage.clear()
  const tab = openTab(server, driver)
  await signIn(tab)
  tab.store.sub(operationDrafts.areBackAtom, () => {})
  await soon(() => expect(tab.store.get(operationDrafts.areBackAtom)).toBe(true))
  return tab
}

/** Sends an operation that sets a key, and stores for all tabs what is kept of it. */
async function send({ store }: Tab, text: string, condition: OperationDraft['condition'] = 'none') {
  const key = { text, format: 'text' } as const
  const value = { text: '1', format: 'text' } as const
  keepOperations(store, [newOperation({ key, value, condition })])
  await sendOperations(store)
  await operationDrafts.keep(store)
  return store.get(operationsStateAtom)
}

test('closing a refusal does not take away what another tab has sent without an answer', async () => {
  const [refused, sending] = [await newTab(), await newTab()]
  expect(await send(refused, 'there', 'must-not-exist')).toMatchObject({ kind: 'refused' })
  expect(await send(sending, 'fault_lost_1')).toMatchObject({ kind: 'unknown' })
  forgetOperations(refused.store)
  await operationDrafts.keep(refused.store)
  const { store } = await newTab()
  expect(store.get(operationsStateAtom).kind).toBe('unknown')
  await checkOperations(store)
  expect(store.get(operationsStateAtom)).toMatchObject({ kind: 'committed' })
})
