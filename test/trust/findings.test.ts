// @vitest-environment node
import { createStore } from 'jotai'
import { expect, test } from 'vitest'
import { withFinding } from '~/trust/findings'
import { keepRefused, refusedBefore } from '~/trust/refused-before'
import type { Break, TrustRecord } from '~/trust/trust-record'
import type { Verification } from '~/trust/verification'

const verification = (what: string, size: number) =>
  ({
    database: 'd',
    server: 's',
    kind: 'get',
    what,
    request: { what },
    response: { entry: 'x'.repeat(size) },
    outcome: { kind: 'refused' },
  }) as unknown as Verification

const finding = (what: string, size: number) =>
  ({ kind: 'object', what, verification: verification(what, size), acknowledgedAt: null }) as Break

const empty = { break: null } as TrustRecord
const sizeOf = (value: unknown) => JSON.stringify(value).length

test('a finding keeps its answer', () => {
  const found = finding('a', 4_000_000)
  expect(withFinding(empty, found)?.break).toEqual(found)
})

test('an answer larger than any of immudb is not kept, and the finding says so', () => {
  const kept = withFinding(empty, finding('a', 40_000_000))?.break
  expect(kept?.verification).toMatchObject({ response: null, isTooLarge: true, what: 'a' })
})

test('the answers of all findings of a record have a limit together', () => {
  let record = empty
  for (let at = 0; at < 9; at += 1) {
    record = withFinding(record, finding(`key ${at}`, 6_000_000)) ?? record
  }
  expect(record.others).toHaveLength(8)
  expect(sizeOf(record)).toBeLessThan(26_000_000)
  expect(record.break?.verification?.isTooLarge).toBeUndefined()
  expect(record.others?.at(-1)?.verification?.isTooLarge).toBe(true)
})

test('a question that was refused once is remembered without its answer', () => {
  const store = createStore()
  const io = { get: store.get, set: store.set }
  const id = { origin: 'o', server: 's', database: 'd' }
  const refused = verification('a', 1_000_000)
  keepRefused(io, id, refused, refused)
  expect(sizeOf(refusedBefore(io, id, refused))).toBeLessThan(500)
  for (let at = 0; at < 2_000; at += 1) {
    const other = verification(`key ${at}`, 10)
    keepRefused(io, id, other, other)
  }
  expect(refusedBefore(io, id, refused)).toBeNull()
  expect(refusedBefore(io, id, verification('key 1999', 10))).not.toBeNull()
})
