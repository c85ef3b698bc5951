import { readFileSync } from 'node:fs'
import { createStore } from 'jotai'
import { describe, expect, test } from 'vitest'
import type { WrittenState } from '~/immudb/state-text'
import { bytesToBase64 } from '~/lib/bytes'
import { writeState } from '~/proof/immuclient-state'
import { publicKeyPem } from '~/proof/public-key'
import { evidenceAtom, giveTrust, openEvidence } from '~/trust/evidence'
import {
  type GivenTrust,
  givenTrustAtom,
  nothingGiven,
  readGivenFile,
  readGivenTrust,
} from '~/trust/given-trust'
import { checkpointFile, newSigner } from '../support/checkpoints'
import { signer } from '../support/fork-certificate'

const folder = 'test/fixtures/files'

/** What FORMAT.md 7.3 says of each file for a reader with these states and keys. */
type Case = {
  file: string
  states: { database: string; txId: string; txHash: string; server: string; address: string }[]
  keys: string[]
  word: string
}
const cases: Case[] = JSON.parse(readFileSync(`${folder}/index.json`, 'utf8'))

const fileNamed = (name: string) => new File([readFileSync(`${folder}/${name}`)], name)

/** A page without records, on which this was given. */
function pageWith(given: GivenTrust) {
  const store = createStore()
  store.set(givenTrustAtom, given)
  return store
}

async function wordOf(store: ReturnType<typeof createStore>, name: string): Promise<string> {
  await openEvidence(store, fileNamed(name))
  return word(store)
}

function word(store: ReturnType<typeof createStore>): string {
  const open = store.get(evidenceAtom)
  return open.kind === 'checked' ? open.judged.verdict : open.kind
}

const givenIn = ({ states, keys }: Case): GivenTrust => ({
  ...nothingGiven,
  keys,
  states: states.map(({ address, ...state }) => ({ ...state, origin: address, at: '' })),
})

test.each(cases.map((one) => [one.file, one.states.length, one.keys.length, one] as const))(
  '%s beside %i given states and %i given keys has the word of FORMAT.md',
  async (...[, , , one]) => {
    expect(await wordOf(pageWith(givenIn(one)), one.file)).toBe(one.word)
  },
)

test('without anything given no file of all is verified, not even in part', async () => {
  for (const name of new Set(cases.map(({ file }) => file))) {
    expect(await wordOf(pageWith(nothingGiven), name), name).not.toMatch(/^verified/)
  }
})

const verified = cases.filter((one) => one.word === 'verified' && one.states.length === 1)

describe('what is given while a file is open', () => {
  test('counts at once, and no more when it is taken back', async () => {
    const [one] = verified
    if (!one) throw new Error('no such case')
    const store = pageWith(nothingGiven)
    expect(await wordOf(store, one.file)).toBe('unproven')
    await giveTrust(store, givenIn(one))
    expect(word(store)).toBe('verified')
    expect(store.get(evidenceAtom)).toMatchObject({ isGiven: true })
    await giveTrust(store, null)
    expect(word(store)).toBe('unproven')
  })

  test('is of any database where it names none, but of no other server than it names', async () => {
    const [one] = verified
    const [state] = one ? givenIn(one).states : []
    if (!one || !state) throw new Error('no such case')
    const bare = { ...state, database: '', server: '', origin: '' }
    const with1 = (of: WrittenState) => pageWith({ ...nothingGiven, states: [of] })
    expect(await wordOf(with1(bare), one.file)).toBe('verified')
    expect(await wordOf(with1({ ...bare, server: 'another' }), one.file)).toBe('unproven')
    expect(await wordOf(with1({ ...bare, database: 'another' }), one.file)).toBe('unproven')
    const other = bytesToBase64(new Uint8Array(32).fill(7))
    expect(await wordOf(with1({ ...bare, txHash: other }), one.file)).toBe('contradicted')
  })

  test('adds up, and the same counts once', async () => {
    const store = pageWith(nothingGiven)
    for (const keys of [['a'], ['b'], ['a']]) await giveTrust(store, { keys })
    expect(store.get(givenTrustAtom)).toEqual({ ...nothingGiven, keys: ['a', 'b'] })
  })
})

const hex = 'ab'.repeat(32)
const txHash = bytesToBase64(new Uint8Array(32).fill(0xab))
const bare = { database: '', txId: '42', txHash, server: '', origin: '', at: '' }

describe('reads', () => {
  test.each([
    ['two lines', `transaction: 42\nhash: ${hex}`],
    ['two quoted lines', `> Transaction: 42\n>  hash: ${hex}`],
    ['one line', `42 ${hex}`],
    ['one line with base64', `  42: ${txHash}\n`],
  ])('%s as a state of any database', async (_, text) => {
    expect(await readGivenTrust(text)).toEqual({ given: { states: [bare] } })
  })

  test('the states that the console saves, with what they name', async () => {
    const block = (db: string) =>
      `immudb trusted state\ndatabase: ${db}\ntransaction: 42\nhash: ${hex}\n`
    const found = await readGivenTrust(`${block('a')}\n${block('b')}`)
    const states = ['a', 'b'].map((database) => ({ ...bare, database }))
    expect(found).toEqual({ given: { states } })
  })

  test('what immuclient keeps, with the server in the name of its file', async () => {
    const text = writeState({ ...bare, database: 'db' })
    expect(await readGivenTrust(text, '.state-cq12')).toEqual({
      given: { states: [{ ...bare, database: 'db', server: 'cq12' }] },
    })
  })

  test('a public key as PEM and as base64', async () => {
    const { publicKey } = signer()
    for (const text of [publicKeyPem(publicKey), publicKey, `\n ${publicKey} \n`]) {
      expect(await readGivenTrust(text)).toEqual({ given: { keys: [publicKey] } })
    }
  })

  test.each([
    ['nothing', '  \n', 'Type a transaction and its hash'],
    ['a hash that is cut', `transaction: 42\nhash: ${hex.slice(2)}`, 'The hash is not 64 hex'],
    ['no number', `transaction: last\nhash: ${hex}`, 'not a number'],
    [
      'a private key',
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
      'private key',
    ],
    ['an evidence file', '{"format": "immudb webconsole evidence"}', 'no trusted state'],
    ['words', 'It was fine when I looked.', 'It is no public key either.'],
  ])('%s as neither, and says why', async (_, text, words) => {
    expect(await readGivenTrust(text)).toEqual({ error: expect.stringContaining(words) })
  })
})

describe('checkpoints', () => {
  const witness = newSigner('night-watch')
  const stranger = newSigner('somebody-else')
  const [one] = verified
  const [state] = one ? givenIn(one).states : []
  if (!one || !state) throw new Error('no such case')
  const { file } = one

  /** What came of the file beside a file of checkpoints and the key of a witness. */
  async function beside(text: string, key: string | null = witness.verifierKey) {
    const store = pageWith(nothingGiven)
    const found = await readGivenFile(new TextEncoder().encode(text), 'ledger')
    if ('error' in found) return found.error
    await giveTrust(store, found.given)
    expect(await wordOf(store, file)).toBe('unproven')
    if (key) {
      const pinned = await readGivenTrust(key)
      if ('error' in pinned) return pinned.error
      await giveTrust(store, pinned.given)
    }
    const open = store.get(evidenceAtom)
    return open.kind === 'checked' ? [open.judged.verdict, ...open.witnesses] : open.kind
  }
  const txHash7 = bytesToBase64(new Uint8Array(32).fill(7))
  const other = { ...state, txId: '1', txHash: txHash7 }
  const fileOf = (...notes: string[]) => checkpointFile(notes)

  test('vouch once the key of their witness is given, which is named', async () => {
    expect(await beside(fileOf(witness.note(state)))).toEqual(['verified', 'night-watch'])
  })

  test('say nothing without that key, and of another database or server', async () => {
    const signed = fileOf(witness.note(state))
    expect(await beside(signed, null)).toEqual(['unproven'])
    expect(await beside(signed, stranger.verifierKey)).toEqual(['unproven'])
    for (const of of [{ database: 'another' }, { server: 'another' }]) {
      expect(await beside(fileOf(witness.note({ ...state, ...of })))).toEqual(['unproven'])
    }
  })

  test('contradict a file with another hash, unless their own signature is wrong', async () => {
    const forged = witness.note({ ...state, txHash: txHash7 })
    expect(await beside(fileOf(forged))).toEqual(['contradicted'])
    const text = witness.note(state).split('\n')
    const altered = forged.split('\n')
    altered[2] = text[2] ?? ''
    expect(await beside(fileOf(altered.join('\n')))).toEqual(['unproven'])
  })

  test('that fall back, or are cut, are refused as a file', async () => {
    const [late, early] = [witness.note(state), witness.note(other)]
    expect(await beside(fileOf(late, early))).toMatch(/^Line 7: The checkpoint does not follow/)
    expect(await beside(fileOf(late).slice(0, -3))).toMatch(/ends within a checkpoint/)
  })

  test('can be pasted, and a wrong key of a witness is refused', async () => {
    expect(await readGivenTrust(` ${fileOf(witness.note(state)).trim()}`)).toMatchObject({
      given: { notes: [{ name: 'typed', checkpoints: [{ txId: state.txId }] }] },
    })
    const wrong = witness.verifierKey.replace('night', 'knight')
    expect(await readGivenTrust(wrong)).toEqual({
      error: expect.stringContaining('do not belong to this name and key'),
    })
  })
})
