// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, expect, test } from 'vitest'
import { writtenDocuments } from '~/atoms/compare/compared-documents'
import { writtenKeys } from '~/atoms/compare/compared-keys'
import { readingAtom, readSpan, stopReading } from '~/atoms/compare/range'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { endGeneration } from '~/core/session/renewed-databases'
import { base64ToBytes, bytesToBase64, encodeUtf8 } from '~/lib/bytes'

const b = (text: string) => bytesToBase64(encodeUtf8(text))

let store: Store
let sent: string[]
let isDown: boolean
/** Called before each answer. */
let onAnswer: () => void

/** A thousand transactions, each of which wrote one of five keys. */
async function answer(_input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { initialTx, limit } = JSON.parse(String(init?.body))
  sent.push(initialTx)
  onAnswer()
  if (isDown) return Response.json({ error: 'no', code: 2, message: 'no' }, { status: 500 })
  const txs = Array.from({ length: Math.min(limit, 1_001 - Number(initialTx)) }, (_, at) => {
    const id = Number(initialTx) + at
    const key = b(`\0key:${id % 5}`)
    const header = { id: String(id), ts: '1', prevAlh: '', eH: '' }
    return { header, entries: [{ key, hValue: 'AA==', vLen: 1 }] }
  })
  return Response.json({ txs })
}

beforeEach(() => {
  sent = []
  isDown = false
  onAnswer = () => {}
  store = createStore()
  connect(store, '/api', answer)
  openQueryCache(store)
})

const span = { database: 'd', from: 1n, to: 1_000n }
const reading = (auto = '') => store.get(store.get(readingAtom)('d', '1', '1000', auto))

test('a span is read on demand, and not again', async () => {
  expect(reading()).toBeNull()
  await readSpan(store, span)
  expect(reading()).toMatchObject({ state: 'done', progress: { read: 1_000, of: 1_000 } })
  const calls = sent.length
  await readSpan(store, span)
  expect(sent).toHaveLength(calls)
})

test('what was read of a deleted database is not of the next one of its name', async () => {
  await readSpan(store, span)
  const calls = sent.length
  endGeneration(store, 'other')
  expect(reading()?.state).toBe('done')
  endGeneration(store, 'd')
  expect(reading()).toBeNull()
  await readSpan(store, span)
  expect(reading()?.state).toBe('done')
  expect(sent).toHaveLength(2 * calls)
})

test('reading begins by itself as soon as someone looks, when that was asked for', async () => {
  const leave = store.sub(store.get(readingAtom)('d', '1', '1000', 'auto'), () => {})
  await expect.poll(() => reading()?.state).toBe('done')
  leave()
})

test('a reading that was stopped says how far it came, and continues there', async () => {
  onAnswer = () => {
    if (sent.length === 2) stopReading(store, span)
  }
  await readSpan(store, span)
  expect(reading()).toMatchObject({ state: 'stopped', range: null, progress: { read: 750 } })
  await readSpan(store, span)
  expect(reading()?.state).toBe('done')
  expect(sent).toEqual(['1', '251', '751'])
})

test('a failure is told, and the next attempt may succeed', async () => {
  isDown = true
  await readSpan(store, span)
  expect(reading()).toMatchObject({ state: 'failed', problem: 'No.', range: null })
  isDown = false
  await readSpan(store, span)
  expect(reading()?.state).toBe('done')
})

test('written keys are those of a prefix, in the order of their bytes, with all writes', async () => {
  await readSpan(store, span)
  const range = reading()?.range
  if (!range) throw new Error('nothing was read')
  const text = (base64: string) => new TextDecoder().decode(base64ToBytes(base64))
  const all = writtenKeys(range, '')
  expect(all.map(({ id }) => text(id))).toEqual(['key:0', 'key:1', 'key:2', 'key:3', 'key:4'])
  expect(all[0]?.writes).toHaveLength(200)
  expect(all[0]?.writes.at(-1)?.tx).toBe('1000')
  expect(writtenKeys(range, b('key:3')).map(({ id }) => text(id))).toEqual(['key:3'])
  expect(writtenKeys(range, b('other'))).toEqual([])
  expect(writtenDocuments(range)).toEqual([])
})
