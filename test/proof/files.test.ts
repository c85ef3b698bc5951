// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openEvidence } from '~/proof/check-evidence'
import { evidenceVerdict, forkVerdict } from '~/trust/evidence'
import { type OwnKey, ownState } from '~/trust/recorded-state'
import type { TrustRecord } from '~/trust/trust-record'

/** What FORMAT.md 7.3 says of each file of `test/fixtures/files/` for a reader with these states and keys. */
type Case = {
  file: string
  states: { database: string; txId: string; txHash: string; server: string; address: string }[]
  /** Base64 of 65 bytes each. */
  keys: string[]
  word: string
}

const folder = 'test/fixtures/files'
const cases: Case[] = JSON.parse(readFileSync(`${folder}/index.json`, 'utf8'))

/** The records of a browser that keeps exactly these states, all of them proven. */
const recordsOf = (states: Case['states']): TrustRecord[] =>
  states.map(({ database, txId, txHash, server, address }) => ({
    id: { origin: address, server, database },
    point: { txId, txHash },
    firstContact: { txId, txHash, at: 1 },
    moved: 1,
    checked: 1,
    provenAt: 1,
    how: 'first',
    history: [],
    break: null,
    schemas: new Map(),
    collections: new Map(),
  }))

function keyBeside(key: string | null, keys: readonly string[]): OwnKey {
  if (keys.length === 0) return 'none'
  if (key === null) return 'missing'
  return keys.includes(key) ? 'same' : 'different'
}

async function wordOf({ file, states, keys }: Case): Promise<string> {
  const opened = await openEvidence(
    readFileSync(`${folder}/${file}`, 'utf8'),
    new Set(states.map(({ txId }) => txId)),
  )
  if ('error' in opened) return 'unreadable'
  const { evidence, rechecked, claims, fork } = opened
  const records = recordsOf(states)
  if (fork) {
    const sides = fork.map(({ db, server, key, claims: theirs }) => {
      const own = records.filter(({ id }) => id.origin === server.origin)
      // Whose key it is says nothing about the other side.
      const isKnown = key !== null && keys.includes(key)
      return {
        point: ownState({ context: { db }, server }, theirs, own),
        key: isKnown ? ('same' as const) : ('none' as const),
      }
    })
    return forkVerdict(rechecked, sides, { keeping: 'kept', isOneServer: false }).verdict
  }
  const point = ownState(evidence, claims, records)
  const key = keyBeside(evidence.context.publicKey, keys)
  const rest = { keeping: 'kept', isDescribed: false, isBroken: false } as const
  return evidenceVerdict(rechecked, { point, key, ...rest }).verdict
}

test.each(cases.map((one) => [one.file, one.states.length, one.keys.length, one] as const))(
  '%s beside %i states and %i keys',
  async (...[, , , one]) => {
    expect(await wordOf(one)).toBe(one.word)
  },
)

test('every file is among the cases, and every word is said of one', () => {
  const files = readdirSync(folder).filter((name) => name !== 'index.json')
  expect([...new Set(cases.map(({ file }) => file))].sort()).toEqual(files.sort())
  expect(new Set(cases.map(({ word }) => word))).toEqual(
    new Set(['verified', 'verified-in-part', 'unproven', 'contradicted', 'failed']),
  )
})
