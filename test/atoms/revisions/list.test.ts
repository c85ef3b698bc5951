// @vitest-environment node
import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import type { History } from '~/atoms/revisions/history'
import { revisionQueriesAtom } from '~/atoms/revisions/list'
import { openQueryCache } from '~/atoms/session/query-client'

function historyOf(count: number) {
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
    prove: async () => [],
  }
  return { history, asked }
}

test('before the oldest revision nothing is asked for', async () => {
  const store = createStore()
  openQueryCache(store)
  const { history, asked } = historyOf(20)
  const { lines } = store.get(revisionQueriesAtom)(history)
  // What stands beside the oldest revision looks at the one before it.
  for (const page of ['2', '1', '0']) store.sub(lines(page), () => {})
  await vi.waitFor(() => expect(asked).toContain('20 11'))
  expect(asked).toEqual(['10 1', '20 11'])
})
