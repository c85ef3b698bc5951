// @vitest-environment node
import { expect, test } from 'vitest'
import { TransactionMemory, txHash } from '~/core/history/transaction-memory'
import { readPast } from '../../support/past-server'

const headers = async () => (await readPast()).map(({ header }) => header)

test('the hash of a transaction is the one that the next names', async () => {
  const found = await headers()
  expect(found.slice(0, -1).map(txHash)).toEqual(found.slice(1).map(({ prevAlh }) => prevAlh))
})

test('a header without its hashes has none', async () => {
  const [first] = await headers()
  expect(first && txHash({ ...first, blRoot: '', eH: '' })).toBeNull()
})

test('what contradicts it makes it forget all', async () => {
  const [one, two, three] = (await headers()).map((header) => ({ header, entries: [] }))
  if (!one || !two || !three) throw new Error('too few')
  const memory = new TransactionMemory()
  memory.add([one, two])
  expect(memory.get('1')).toBe(one)
  memory.add([three])
  expect(memory.get('1')).toBe(one)
  memory.add([{ ...two, header: { ...two.header, ts: '7' } }])
  expect(memory.get('1')).toBeUndefined()
  expect(memory.get('2')?.header.ts).toBe('7')
})

test('it keeps no more than so many entries', async () => {
  const [header] = await headers()
  if (!header) throw new Error('too few')
  const entries = Array.from({ length: 150_000 }, () => ({}) as never)
  const memory = new TransactionMemory()
  for (const id of ['10', '20', '30']) memory.add([{ header: { ...header, id }, entries }])
  expect(['10', '20', '30'].map((id) => memory.get(id) !== undefined)).toEqual([false, true, true])
})
