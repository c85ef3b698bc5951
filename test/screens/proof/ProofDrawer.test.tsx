import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Context } from '~/proof/kernel/context'
import type { DocumentFacts, TxFacts } from '~/proof/kernel/proven-facts'
import { factsAlone, type Leaf, numberValue, objectLeaf, textValue } from '~/proof/shown'
import { ProofDrawer } from '~/screens/proof/ProofDrawer'
import { RefusalNote } from '~/screens/proof/RefusalNote'
import { openProofDrawer, proofDrawerAtom } from '~/trust/proof-drawer'
import { refusedOf } from '~/trust/proof-worker'
import { saidLeaf } from '~/trust/questions'
import { setTrust } from '~/trust/trust'
import type { Break } from '~/trust/trust-record'
import type { Proof, Verification } from '~/trust/verification'
import { lagWords } from '~/words/trusted-state'
import { type Vector, vectorsOf, verdictOf } from '../../support/proofs'
import { sentence } from '../../support/sentence'

vi.setConfig({ testTimeout: 30_000 })

const files = ['02-long-linear', '03-kv', '05-fork', '06-sql', '07-document', '01-state'] as const

function named(name: string): Vector {
  const found = files.flatMap(vectorsOf).find((vector) => vector.name === name)
  if (!found) throw new Error(`no vector ${name}`)
  return found
}

/** The check of a recorded answer, as the console keeps it; `leaves` stand beside it. */
async function verificationOf(vector: Vector, leaves: readonly Leaf[] = []): Promise<Verification> {
  const verdict = await verdictOf(vector, vector.response)
  const { verify: kind, context = null, request, response } = vector
  const outcome: Verification['outcome'] = verdict.refused
    ? { kind: 'refused', refusal: refusedOf(verdict.error) }
    : { kind: 'ok', verified: verdict }
  const what = `the recorded ${vector.name}`
  return {
    database: 'defaultdb',
    server: '',
    kind,
    what,
    context,
    basis: 'example',
    request,
    response,
    shown: { ...factsAlone, leaves },
    at: 0,
    outcome,
  }
}

/** Base64 of the same length with other bytes. */
const changed = (base64: string) =>
  base64.slice(0, 40) + (base64[40] === 'A' ? 'B' : 'A') + base64.slice(41)

let store: ReturnType<typeof createStore>

beforeEach(() => {
  store = createStore()
  const { hook } = memoryLocation({ path: '/', static: true })
  render(
    <Provider store={store}>
      <Router hook={hook}>
        <ProofDrawer />
      </Router>
    </Provider>,
  )
})
afterEach(cleanup)

const open = (proofs: readonly Proof[], what = 'it') =>
  openProofDrawer(store, { what, of: proofs, prove: async (_io, found) => found })

async function openVector(name: string): Promise<HTMLElement> {
  await openProofDrawer(store, { verification: await verificationOf(named(name)) })
  return screen.findByRole('dialog')
}

/** Each step with what it says of itself. */
function steps(): string[][] {
  const ladder = screen.getByRole('list', { name: 'Proof' })
  return [...ladder.children].map((step) =>
    [...step.querySelectorAll('p:first-of-type > span')].map((part) => part.textContent ?? ''),
  )
}

/** The lines of what is not as shown: its name, as shown and as proven. */
function unequal(): string[][] {
  const table = screen.getByRole('table', { name: 'What is shown and what is proven' })
  return [...table.querySelectorAll('tbody tr')].map((line) =>
    [...line.children].map((part) => part.textContent ?? ''),
  )
}

test('a collection with another number than is pinned is not told as a changed table', async () => {
  const vector = named('document')
  const context = { ...vector.context, collectionId: 4_000_000_000 } as Context
  await openProofDrawer(store, { verification: await verificationOf({ ...vector, context }) })
  const note = await screen.findByRole('alert')
  expect(note.textContent).toContain('The collection has another number')
  expect(note.textContent).not.toContain('table')
  expect(note.className).toContain('warning')
})

test.each([
  ['a tree that lags behind', 'll-10-20', true],
  ['a tree that caught up', 'll-10-21', false],
])('a proof over %s says so only while it does', async (_, name, isSaid) => {
  await openVector(name)
  const { textContent } = screen.getByRole('status')
  expect(textContent).toContain('Verified in')
  expect(textContent?.includes(lagWords)).toBe(isSaid)
})

describe('the ladder', () => {
  test('of a row that shows more than is stored has no green verdict', async () => {
    const leaves = [saidLeaf('the name of the column', '', 'amount * 2')]
    await open([{ verification: await verificationOf(named('all-types'), leaves) }])
    const verdict = await screen.findByRole('status')
    expect(verdict.textContent).toContain('Verified in part')
    expect(verdict.textContent).toContain('Not covered by the proof: amount * 2; the name and')
    expect(verdict.className).not.toContain('verified')
    // No proof has another value to set beside it.
    expect(screen.queryByRole('table', { name: 'What is shown and what is proven' })).toBeNull()
  })

  test('of a row has all five steps, in the order in which they are climbed', async () => {
    await openVector('all-types')
    const verdict = screen.getByRole('status')
    // The recorded context knows nothing of the table.
    expect(verdict.textContent).toMatch(
      /^Verified in partThe name and columns of the table are the/,
    )
    expect(verdict.className).not.toContain('verified')
    expect(steps()).toEqual([
      ['Content to digest', 'Holds'],
      ['Digest in its transaction', 'Holds'],
      ['Transaction to hash', 'Holds'],
      ['Hash in the trusted history', 'Holds'],
      ['Signature', 'Holds'],
    ])
    const [inputs] = screen.getAllByText('Inputs')
    expect(inputs).toBeTruthy()
    expect(screen.getAllByText('SHA-256 of the value')).toHaveLength(1)
    const computed = screen.getByRole('button', {
      name: 'Copy computed hash, Transaction to hash',
    })
    const expected = screen.getByRole('button', {
      name: 'Copy expected hash, Transaction to hash',
    })
    const shown = (button: HTMLElement) => button.closest('dd')?.querySelector('code')?.title
    expect(shown(computed)).toMatch(/^[0-9a-f]{64}$/)
    expect(shown(expected)).toBe(shown(computed))
  })

  test('of a first contact has nothing to compare with, and nothing is green', async () => {
    const dialog = await openVector('row-first-use')
    expect(screen.getByRole('status').textContent).toContain('First contact')
    expect(steps()[3]).toEqual(['Hash in the trusted history', 'Not compared'])
    expect(dialog.textContent).not.toContain('Verified in this browser')
    expect(screen.queryByRole('heading', { name: 'What is proven' })).toBeNull()
    screen.getByRole('heading', { name: 'Content of the answer' })
    expect(dialog.innerHTML).not.toMatch(/(text|border|bg)-verified/)
  })

  test.each(
    files
      .flatMap(vectorsOf)
      .filter(({ expect: { verdict } }) => verdict === 'fail')
      .filter((_vector, index) => index % 7 === 0)
      .map((vector) => [vector.name, vector] as const),
  )('of what is refused stops where it failed: %s', async (_name, vector) => {
    const verification = await verificationOf(vector)
    await openProofDrawer(store, { verification })
    await screen.findByRole('alert')
    const failed = steps().filter(([, word]) => word === 'Does not hold')
    expect(failed).toHaveLength(1)
    expect(screen.queryByText('Verified in this browser')).toBeNull()
    expect(screen.queryByText('What is proven')).toBeNull()
    expect(screen.queryByText('How it is proven')).toBeNull()
    screen.getByRole('heading', { name: 'How it was checked' })
    expect(screen.getByRole('dialog').innerHTML).not.toMatch(/(text|border|bg)-verified/)
    expect(screen.getByRole('alert').textContent).toMatch(/Reason [a-z-]+, step [a-z]+, part \w+/)
  })

  test('of a finding that a console kept before it kept what is shown', async () => {
    const vector = named('all-types')
    const response = structuredClone(vector.response) as { sqlEntry: { value: string } }
    response.sqlEntry.value = changed(response.sqlEntry.value)
    const { shown: _, ...kept } = await verificationOf({ ...vector, response })
    await openProofDrawer(store, { verification: kept as Verification })
    await screen.findByRole('alert')
    expect(steps()[1]).toEqual(['Digest in its transaction', 'Does not hold'])
  })

  test('says which hash was expected and which came out', async () => {
    const vector = named('all-types')
    const response = structuredClone(vector.response) as { sqlEntry: { value: string } }
    response.sqlEntry.value = changed(response.sqlEntry.value)
    await openProofDrawer(store, { verification: await verificationOf({ ...vector, response }) })
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /This content is not in the transaction.*Expected[0-9a-f]{8}….*Received[0-9a-f]{8}…/,
    )
    expect(steps()[1]).toEqual(['Digest in its transaction', 'Does not hold'])
  })
})

describe('what is proven', () => {
  test('of a row are its cells, and those that were shown otherwise are named', async () => {
    const cell = (name: string, value: Leaf['value']): Leaf => ({ group: 'column', name, value })
    const leaves = [
      cell('s', { ...textValue('for\u202Eged'), type: 'VARCHAR' }),
      cell('d\u202Eon', textValue('made up')),
      cell('id', numberValue(1)),
    ]
    const verification = await verificationOf(named('all-types'), leaves)
    await open([{ verification, notes: ['Of no\u202Ete.'] }])
    const note = await screen.findByRole('status')
    expect(note.textContent).toContain('Not what was shown')
    expect(note.textContent).toMatch(/shown\s*s and d⟨U\+202E⟩on:.*Of no⟨U\+202E⟩te\./)
    expect(note.className).toContain('error')
    expect(screen.queryByText('Verified in this browser')).toBeNull()
    expect(unequal()).toEqual([
      ['s', 'for⟨U+202E⟩ged', 'short d1'],
      ['d⟨U+202E⟩on', 'made up', 'nothing'],
    ])
  })

  test('of a dropped column is told', async () => {
    await openVector('renamed-dropped-old-row')
    expect(screen.getByText(/dropped column.*no query shows/)).toBeTruthy()
  })

  test('of a key is its value, and of a transaction what it holds', async () => {
    await openVector('get-latest')
    expect(await screen.findByRole('region', { name: 'the value in the proof' })).toBeTruthy()
    await openVector('row-deletion-tx')
    const entries = await screen.findByRole('region', { name: 'Entries in the proof' })
    expect(within(entries).getAllByRole('listitem')[0]?.textContent).toMatch(/row.*table number/)
    expect(within(entries).getAllByText('Deleted').length).toBeGreaterThan(0)
  })

  test('of a truncation is that it was noted, not that values are gone', async () => {
    const verification = await verificationOf(named('row-deletion-tx'))
    const { outcome } = verification
    if (outcome.kind !== 'ok' || outcome.verified.verdict !== 'ok') throw new Error('refused')
    const facts = { ...(outcome.verified.facts as TxFacts), truncatedTxID: '5' }
    await open([
      {
        verification: {
          ...verification,
          outcome: { kind: 'ok', verified: { ...outcome.verified, facts } },
        },
      },
    ])
    expect(
      await screen.findByText(sentence('values from before tx 5 may have been deleted')),
    ).toBeTruthy()
  })

  test('of a document is its tree', async () => {
    await openVector('document')
    expect(await screen.findByRole('tree', { name: 'The document in the proof' })).toBeTruthy()
    expect(screen.queryByText(/^JSON has no NaN/)).toBeNull()
  })

  test('of a document names the numbers that JSON cannot write', async () => {
    const verification = await verificationOf(named('document'))
    const { outcome } = verification
    if (outcome.kind !== 'ok' || outcome.verified.verdict !== 'ok') throw new Error('refused')
    const document = { a: Number.NaN, b: -0, c: [Number.NEGATIVE_INFINITY], d: null, e: 0 }
    const facts = { ...(outcome.verified.facts as DocumentFacts), document }
    const verified = { ...outcome.verified, facts }
    await open([{ verification: { ...verification, outcome: { kind: 'ok', verified } } }])
    const tree = await screen.findByRole('tree', { name: 'The document in the proof' })
    expect(tree.textContent).toMatch(/"a": "NaN""b": "-0".*"e": 0/)
    screen.getByText(/^JSON has no NaN, Infinity or −0/)
  })

  test('goes with what is not, in words, and a way into the guide', async () => {
    await openVector('get-latest')
    expect(screen.getByRole('heading', { name: 'Not proven' })).toBeTruthy()
    expect(screen.getByText(/it is the newest or still there/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'More in the guide' })).toBeTruthy()
  })
})

/** Every state in which a proof holds by itself and this browser verified nothing by it. */
const doubted: readonly (readonly [string, (verification: Verification) => Proof])[] = [
  ['first', (of) => ({ verification: { ...of, basis: { contact: null, keeping: 'kept' } } })],
  ['memory', (of) => ({ verification: { ...of, basis: { contact: null, keeping: 'memory' } } })],
  ['late', (of) => ({ verification: { ...of, basis: { contact: null, keeping: 'late' } } })],
  ['forgotten', (of) => ({ verification: { ...of, basis: { contact, keeping: 'kept' } } })],
  [
    'broken',
    (of) => {
      const broken = { kind: 'unsigned', reason: 'signature', at: 1 } as Break
      setTrust(store, of.database, { kind: 'broken', record: null, broken })
      return { verification: { ...of, basis: { contact, keeping: 'kept' } } }
    },
  ],
  [
    'not as shown, at a first contact',
    (of) => ({
      verification: {
        ...of,
        basis: { contact: null, keeping: 'kept' },
        shown: { ...factsAlone, leaves: [objectLeaf('the deletion', textValue('x'))] },
      },
    }),
  ],
]
const contact = { at: 1, txId: '1', txHash: 'x' }

describe.each(doubted)('what holds by itself and is not verified: %s', (_state, make) => {
  test.each(['get-reference', 'get-latest', 'multi-tx-raw', 'all-types', 'document'])(
    'is called neither verified nor proven: %s',
    async (name) => {
      await openProofDrawer(store, make(await verificationOf(named(name))))
      const dialog = await screen.findByRole('dialog')
      await screen.findByRole('status')
      const names = [...dialog.querySelectorAll('[aria-label]')].map((one) => one.ariaLabel)
      const said = [dialog.textContent, ...names]
        .join(' ')
        .replace('Nothing counts as verified', '')
      expect(said).not.toMatch(
        /\b(is|are|was|were|what is) (verified|proven)|proven (value|entr|doc)/i,
      )
      expect(said).not.toMatch(/verified|what this proves|how it is proven/i)
      expect(dialog.innerHTML).not.toMatch(/(text|border|bg)-verified/)
    },
  )
})

describe('the drawer', () => {
  test('shows two proofs where one step is not enough', async () => {
    const [first, second] = await Promise.all(
      ['get-reference', 'get-latest'].map((name) => verificationOf(named(name))),
    )
    if (!first || !second) throw new Error('unreachable')
    await open([{ verification: first }, { verification: second }], 'the reference')
    expect(await screen.findByRole('heading', { name: /^1\. the recorded get-ref/ })).toBeTruthy()
    expect(screen.getByText(/The reference alone/)).toBeTruthy()
    expect(screen.getByRole('heading', { name: /^2\. / })).toBeTruthy()
  })

  test('says that nothing was verified when the server could not be asked, and asks again', async () => {
    const verification = await verificationOf(named('get-latest'))
    let isAway = true
    await openProofDrawer(store, {
      what: 'a key',
      of: verification,
      prove: async () => {
        if (isAway) throw new Error('away')
        return [{ verification }]
      },
    })
    const note = await screen.findByRole('alert')
    expect(note.textContent).toContain(
      'Nothing was verified. This says nothing about what is stored.',
    )
    isAway = false
    fireEvent.click(within(note).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Verified in this browser')).toBeTruthy()
  })

  test('says what cannot be proven without calling it wrong', async () => {
    const verification = await verificationOf(named('get-latest'))
    const outcome = { kind: 'unproven', why: 'The server finds nothing there.' } as const
    await open([{ verification: { ...verification, outcome } }])
    expect(await screen.findByText('This cannot be proven')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('closes', async () => {
    await openVector('get-latest')
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(store.get(proofDrawerAtom)).toBeNull()
  })
})

test('a refusal in a file blames neither the server nor the way, and asks for no evidence', () => {
  render(<RefusalNote isOfFile reason="tx-mismatch" />)
  const { textContent } = screen.getByRole('alert')
  expect(textContent).toContain('The file alone does not tell which.')
  expect(textContent).not.toMatch(/proxy|Save the evidence/)
})
