// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { readStateText, writeStateText } from '~/immudb/state-text'
import { hexOf } from '~/lib/bytes'
import { writtenOf } from '~/trust/recorded-state'
import { memoryTrustStore } from '~/trust/store'
import { RecordStore } from '~/trust/stored-records'
import { type Sighting, startedRecord, type WitnessFinding } from '~/trust/trust-record'
import { mostSeen, sightingKey, sightingsOf, withSeen } from '~/trust/witness-record'
import { unreadableWords } from '~/words/unreadable-record'
import { newSigner } from '../support/checkpoints'

const witness = newSigner('night-watch').verifierKey
const id = { origin: 'http://localhost:3000', server: 'server-one', database: 'db' }
const hash = (letter: string) => `${letter.repeat(42)}A=`
const point = (tx: number, letter = 'A') => ({ txId: String(tx), txHash: hash(letter) })
const record = startedRecord(id, point(90, 'R'), 'first', 1)
const { firstContact } = record
const sighting = (...seen: number[]): Sighting => ({
  ...{ witness, id, firstContact, at: 5, found: null },
  seen: seen.map((tx) => point(tx)),
})
const txs = ({ seen }: Sighting) => seen.map(({ txId }) => txId)

describe('what was proven of checkpoints', () => {
  test('is put together, rising by number, each once', () => {
    expect(txs(withSeen(sighting(2, 10), sighting(9, 10, 100)))).toEqual(['2', '9', '10', '100'])
  })

  test('replaces what was proven of a record that was forgotten', () => {
    const met = { ...sighting(7), firstContact: { ...firstContact, at: 2 } }
    expect(txs(withSeen(sighting(2), met))).toEqual(['7'])
  })

  test('is the newest of very many', () => {
    const many = Array.from({ length: mostSeen }, (_, at) => at + 1)
    const seen = txs(withSeen(sighting(...many), sighting(mostSeen + 1)))
    expect(seen).toHaveLength(mostSeen)
    expect([seen[0], seen.at(-1)]).toEqual(['2', String(mostSeen + 1)])
  })

  test('keeps what contradicts until there is something newer', () => {
    const found: WitnessFinding = {
      kind: 'differs',
      txId: '5',
      signed: 'aa',
      other: 'bb',
      before: null,
      at: 1,
      notes: ['x'],
      verification: null,
    }
    expect(withSeen({ ...sighting(2), found }, sighting(3)).found).toBe(found)
  })

  test('is never pushed aside by a lesser finding, or a later one of its kind', () => {
    const of = (kind: WitnessFinding['kind'], txId: string): WitnessFinding => ({
      ...{ kind, txId, signed: 'aa', other: 'bb', before: null, at: 1 },
      ...{ notes: ['x'], verification: null },
    })
    const kept = (known: WitnessFinding, next: WitnessFinding) =>
      withSeen({ ...sighting(2), found: known }, { ...sighting(3), found: next }).found
    const differs = of('differs', '50')
    expect(kept(differs, of('itself', '9'))).toBe(differs)
    expect(kept(differs, of('differs', '60'))).toBe(differs)
    expect(kept(differs, of('differs', '9'))?.txId).toBe('9')
    expect(kept(of('falls', '9'), differs)).toBe(differs)
  })

  test('is of one record only', () => {
    const met = { firstContact: { ...firstContact, at: 2 }, id }
    expect(sightingsOf(record, [sighting(2)])).toHaveLength(1)
    expect(sightingsOf(met, [sighting(2)])).toEqual([])
    const elsewhere = { ...record, id: { ...id, server: 'server-two' } }
    expect(sightingsOf(elsewhere, [sighting(2)])).toEqual([])
  })
})

describe('stored records of witnesses', () => {
  const key = sightingKey(sighting())

  test('are read as they were written, with their version', async () => {
    const store = memoryTrustStore()
    const records = new RecordStore(store)
    await records.change('witnesses', witness, () => ({ key: witness, at: 3 }))
    await records.change('sightings', key, () => sighting(2))
    expect(await store.read('witnesses', witness)).toEqual({ version: 1, key: witness, at: 3 })
    expect(await store.read('sightings', key)).toMatchObject({ version: 1 })
    expect(await records.read('witnesses', witness)).toEqual({ key: witness, at: 3 })
    expect(await records.read('sightings', key)).toEqual(sighting(2))
  })

  test.each([
    ['witnesses', witness, { version: 1, key: 'no key', at: 3 }, 'damaged', 'A pinned witness'],
    [
      'witnesses',
      'another key',
      { version: 1, key: witness, at: 3 },
      'damaged',
      'A pinned witness',
    ],
    ['witnesses', witness, { version: 2, what: 'ever' }, 'newer', 'A pinned witness'],
    [
      ...['sightings', key, { version: 1, ...sighting(2), seen: [{ txId: 'x' }] }, 'damaged'],
      'What night-watch has seen of db on server server-one',
    ],
  ] as const)('of %s at %s that cannot be read are named', async (name, at, value, kind, what) => {
    const store = memoryTrustStore()
    await store.change(name, at, () => value)
    const [unread] = await new RecordStore(store).unreadable()
    expect(unread).toMatchObject({ store: name, kind })
    expect(unread && unreadableWords(unread).what).toBe(what)
  })
})

test('an exported trusted state names its witnesses, and older consoles read it as before', () => {
  const text = writeStateText([writtenOf(record, [sighting(2, 80)])])
  expect(text).toContain(`witness: ${witness} transaction 80 hash ${hexOf(hash('A'))}\n`)
  const { witnesses, ...known } = writtenOf(record, [sighting(2, 80)])
  expect(readStateText(text)).toEqual({ points: [known] })
  expect(writeStateText([writtenOf(record, [])])).not.toContain('witness')
})
