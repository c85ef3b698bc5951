// @vitest-environment node
import { createStore } from 'jotai'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Drawn, History, RevisionContent } from '~/atoms/revisions/history'
import { openRevisionProof, revisionQueriesAtom } from '~/atoms/revisions/revision-list'
import { openQueryCache } from '~/core/session/query-client'
import { labelOf, unequalLeaves, verdictWhenChecked } from '~/trust/object-verdict'
import { proofDrawerAtom } from '~/trust/proof-drawer'
import { keyQuestions } from '~/trust/questions'
import { verifyState } from '~/trust/verify-state'
import { historyOf, ProvingServer, tabOf } from '../../support/proving-server'

function historyWith(count: number, more: Partial<History> = {}) {
  const asked: string[] = []
  const history: History = {
    id: count,
    subject: { kind: 'key', database: 'db', key: 'YQ==' },
    what: 'key a',
    count,
    missing: '',
    isFar: () => false,
    isSlow: () => false,
    lines: async (from, to) => {
      asked.push(`${from} ${to}`)
      return []
    },
    content: async () => ({ parts: [], dropped: [], note: null }),
    changing: () => [],
    older: async () => [],
    questions: async () => [],
    provenContent: () => ({ parts: [], dropped: [], note: null }),
    ...more,
  }
  return { history, asked }
}

test('before the oldest revision nothing is asked for', async () => {
  const store = createStore()
  openQueryCache(store)
  const { history, asked } = historyWith(20)
  const { lines } = store.get(revisionQueriesAtom)(history)
  // What stands beside the oldest revision looks at the one before it.
  for (const page of ['2', '1', '0']) store.sub(lines(page), () => {})
  await vi.waitFor(() => expect(asked).toContain('20 11'))
  expect(asked).toEqual(['10 1', '20 11'])
})

test('pages that are scrolled past are not asked for, however soon each is answered', async () => {
  // The clock of the test: a busy machine stops as long as a hand does.
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const store = createStore()
  openQueryCache(store)
  const { history, asked } = historyWith(10_000)
  const { lines } = store.get(revisionQueriesAtom)(history)
  for (let page = 0; page < 60; page += 1) {
    const leave = store.sub(lines(String(page)), () => {})
    await vi.advanceTimersByTimeAsync(5)
    leave()
  }
  store.sub(lines('60'), () => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toContain('9400 9391')
  // The first is asked for at once.
  expect(asked).toHaveLength(2)
})

test('only pages that are in sight when their turn comes are asked for, one after the other', async () => {
  const store = createStore()
  openQueryCache(store)
  let answer = () => {}
  const asked: number[] = []
  const { history } = historyWith(1_000, {
    lines: (from) => {
      asked.push(from)
      return new Promise((resolve) => {
        answer = () => resolve([])
      })
    },
  })
  const { lines } = store.get(revisionQueriesAtom)(history)
  for (let page = 0; page < 50; page += 1) store.sub(lines(String(page)), () => {})()
  store.sub(lines('50'), () => {})
  store.sub(lines('51'), () => {})
  await vi.waitFor(() => expect(asked).toEqual([500]))
  answer()
  await vi.waitFor(() => expect(asked).toEqual([500, 490]))
})

/** A revision of `k2` that is drawn with a value, on a page that shows what its query says. */
async function drawnWith(value: string, more: Partial<History> = {}) {
  const store = tabOf(new ProvingServer(historyOf(3)))
  openQueryCache(store)
  await verifyState(store)
  const content = (text: string): RevisionContent => {
    return { parts: [{ name: 'Value', type: 'KEY', value: btoa(text) }], dropped: [], note: null }
  }
  const { history } = historyWith(1, {
    content: async () => content(value),
    questions: async () =>
      keyQuestions({
        ...{ database: 'db', key: btoa('k2'), what: 'key k2, revision 1', tx: '2' },
        ...{ state: 'live', value: btoa(value), expiresAt: null, target: null },
      }),
    provenContent: ([facts]) =>
      content(facts && 'kind' in facts && facts.kind === 'value' ? `proven ${facts.value}` : ''),
    ...more,
  })
  const query = store.get(revisionQueriesAtom)(history).content('1')
  store.sub(query, () => {})
  await vi.waitFor(() => expect(store.get(query).data).toEqual(content(value)))
  const drawn: Drawn = { number: 1, against: 0, content: content(value), line: null }
  await openRevisionProof(store, history, drawn)
  const state = store.get(proofDrawerAtom)?.state
  if (state?.kind !== 'here') throw new Error(state?.kind)
  return {
    proofs: state.proofs,
    what: store.get(proofDrawerAtom)?.what,
    data: () => store.get(query).data,
  }
}

test('a revision is drawn as it is proven, and its proof is of what was drawn before', async () => {
  const right = await drawnWith('a2')
  expect(right.what).toBe('key a, revision 1')
  expect(right.proofs.flatMap(unequalLeaves)).toEqual([])
  const proven = [{ name: 'Value', type: 'KEY', value: btoa('proven 6132') }]
  await vi.waitFor(() => expect(right.data()).toMatchObject({ parts: proven }))
  const wrong = await drawnWith('forged')
  expect(wrong.proofs.map(verdictWhenChecked)).toMatchObject([{ cause: 'different' }])
  expect(wrong.proofs.flatMap(unequalLeaves).map(labelOf)).toEqual(['the value'])
  await vi.waitFor(() => expect(wrong.data()).toMatchObject({ parts: proven }))
})

test('a revision for which nothing can be asked is not proven, and stays as it is drawn', async () => {
  const { proofs, data } = await drawnWith('a2', { questions: async () => ({ why: 'no reason' }) })
  expect(proofs.map(verdictWhenChecked)).toMatchObject([{ verdict: 'unproven', cause: 'none' }])
  expect(proofs[0]?.verification.outcome).toEqual({ kind: 'unproven', why: 'no reason' })
  expect(data()).toMatchObject({ parts: [{ value: btoa('a2') }] })
})
