import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportedVersionAtom } from '~/core/session/server-version'
import { sessionAtom } from '~/core/session/session'
import { metricsPeriod } from '~/lib/constants'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn } from '../../support/store'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A tab that shows the version; whether it is asked for again is what counts. */
async function shown(hasLogin: boolean) {
  const server: FakeImmudb = fakeImmudb()
  const runs = { version: '1.10.0' }
  const fetch: FakeImmudb['fetch'] = async (input, init) => {
    const answer = await server.fetch(input, init)
    if (!String(input).endsWith('/health')) return answer
    return Response.json({ status: true, ...runs }, { headers: answer.headers })
  }
  const tab = openTab({ ...server, fetch })
  await signIn(tab)
  const session = tab.store.get(sessionAtom)
  if (!session) throw new Error('not signed in')
  if (!hasLogin) tab.store.set(sessionAtom, { ...session, mode: 'open' })
  tab.store.sub(reportedVersionAtom, () => {})
  await vi.advanceTimersByTimeAsync(50)
  const asked = () => server.log().filter((line) => line === 'GET /health').length
  return { tab, runs, asked }
}

test('without a login the version is asked for again, as the server may be another by now', async () => {
  const { tab, runs } = await shown(false)
  expect(tab.store.get(reportedVersionAtom)).toBe('1.10.0')
  runs.version = '1.11.1'
  await vi.advanceTimersByTimeAsync(metricsPeriod + 50)
  expect(tab.store.get(reportedVersionAtom)).toBe('1.11.1')
})

test('with one it is that of the last login', async () => {
  const { asked } = await shown(true)
  const before = asked()
  await vi.advanceTimersByTimeAsync(2 * metricsPeriod)
  expect(asked()).toBe(before)
})
