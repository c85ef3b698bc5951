// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { Store } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { base64ToHex } from '~/lib/bytes'
import { factsAlone } from '~/proof/shown'
import { acknowledgeBreak } from '~/trust/decisions'
import { prove } from '~/trust/prove'
import { provenFactsAtom, provenTimeAtom } from '~/trust/proven-content'
import { keyQuestions } from '~/trust/questions'
import { memoryTrustStore } from '~/trust/store'
import { trustedStatesAtom } from '~/trust/trusted-states'
import type { Question } from '~/trust/verification'
import { verifyState } from '~/trust/verify-state'
import type { Json } from '../support/history'
import { historyOf, lateTab, ProvingServer, tabOf } from '../support/proving-server'

const request = { keyRequest: { key: btoa('k2'), atTx: '2' } }

/** The key of transaction 2, as a page draws it. */
function shownKey(value: string): Question {
  const shown = { database: 'db', key: btoa('k2'), what: 'key k2', tx: '2', value: btoa(value) }
  const [question] = keyQuestions({ ...shown, state: 'live', expiresAt: null, target: null })
  if (!question) throw new Error('nothing is asked')
  return question
}

const kept = (tab: Store) => tab.get(provenFactsAtom)('db', 'get', request)
const timeOf = (tab: Store) => tab.get(provenTimeAtom)('db', '2')

async function following() {
  const server = new ProvingServer(historyOf(5))
  const tab = tabOf(server)
  await verifyState(tab)
  return { server, tab }
}

describe('what is proven is kept to be drawn', () => {
  test.each([
    ['as it was shown', 'a2'],
    ['other than it was shown', 'made up'],
  ])('%s', async (_, value) => {
    const { tab } = await following()
    expect([kept(tab), timeOf(tab)]).toEqual([null, null])
    await prove(tab, shownKey(value))
    expect(kept(tab)).toMatchObject({ tx: '2', value: base64ToHex(btoa('a2')) })
    expect(timeOf(tab)).toBe(kept(tab)?.ts)
  })

  test('until something in its history is found broken, and again after that', async () => {
    const { server, tab } = await following()
    await prove(tab, shownKey('a2'))
    const { history } = server
    server.history = historyOf(3)
    await verifyState(tab)
    expect([kept(tab), timeOf(tab)]).toEqual([null, null])
    server.history = history
    await acknowledgeBreak(tab, 'check', '')
    expect([kept(tab)?.tx, typeof timeOf(tab)]).toEqual(['2', 'string'])
  })

  test('until its history is forgotten, also where it was shown otherwise', async () => {
    const { server, tab } = await following()
    await prove(tab, shownKey('made up'))
    server.history = historyOf(3)
    await verifyState(tab)
    await acknowledgeBreak(tab, 'forget', 'restored')
    await verifyState(tab)
    expect([kept(tab), timeOf(tab)]).toEqual([null, null])
  })
})

describe('what holds by itself alone is not kept, whatever is shown beside it:', () => {
  test.each([
    ['in a page that keeps nothing', (of: ProvingServer) => tabOf(of, memoryTrustStore())],
    ['while storage has not answered', (of: ProvingServer) => lateTab(of).tab],
  ])('%s', async (_, open) => {
    for (const value of ['a2', 'made up']) {
      const tab = open(new ProvingServer(historyOf(5)))
      const { verification } = await prove(tab, shownKey(value))
      expect(verification.outcome.kind).toBe('ok')
      expect([kept(tab), timeOf(tab)]).toEqual([null, null])
    }
  })
})

test('a finding keeps the answer, and nothing of what a page showed beside it', async () => {
  const { server, tab } = await following()
  server.change = (answer, path) =>
    path.endsWith('/get') ? { ...answer, entry: { ...(answer.entry as Json), value: '' } } : answer
  const { verification } = await prove(tab, shownKey('a secret of the page'))
  expect(JSON.stringify(verification.shown)).toContain(base64ToHex(btoa('a secret of the page')))
  const record = await tab.get(trustedStatesAtom).read(tab.get(databaseIdAtom)('db'))
  expect(record?.break).toMatchObject({
    what: 'key k2',
    verification: { shown: factsAlone, response: expect.anything() },
  })
  expect(kept(tab)).toBeNull()
})
