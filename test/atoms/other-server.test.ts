import { describe, expect, test } from 'vitest'
import { readState } from '~/api/server'
import { isBrokenAtom } from '~/atoms/broken'
import { clientAtom } from '~/atoms/client'
import { databaseAtom, sessionAtom } from '~/atoms/session'
import {
  checkTrustAtom,
  releaseWritesAtom,
  trustAtom,
  trustsAtom,
  writesHeldAtom,
} from '~/atoms/trust'
import { acceptServerAtom } from '~/atoms/trust-decisions'
import { historyOf, ProvingServer, tabOf } from '../support/proving-server'

/** A tab with two databases, both of which were looked at while another server answered. */
async function replaced() {
  const server = new ProvingServer(historyOf(5))
  const tab = tabOf(server)
  const databaseTokens = new Map(['db', 'db2'].map((name) => [name, 'token']))
  tab.set(sessionAtom, { user: 'u', token: 'token', databaseTokens, isStored: false, since: 0 })
  await tab.set(checkTrustAtom)
  await answerFrom('server-two')
  await tab.set(checkTrustAtom, 'db2')
  /** Another server is in place, and it is known by an answer. */
  async function answerFrom(uuid: string) {
    server.uuid = uuid
    tab.set(sessionAtom, { user: 'u', token: 'new', databaseTokens, isStored: false, since: 0 })
    await readState(tab.get(clientAtom), 'db')
    await tab.set(checkTrustAtom)
  }
  return { server, tab, answerFrom }
}

const kindsIn = (tab: ReturnType<typeof tabOf>) =>
  [...tab.get(trustsAtom)].map(([name, { kind }]) => `${name} ${kind}`)

describe('F49 another server', () => {
  test('is said of every database while it answers', async () => {
    const { tab } = await replaced()
    expect(kindsIn(tab)).toEqual(['db broken', 'db2 broken'])
    for (const name of ['db', 'db2', 'never-opened']) {
      expect(tab.get(isBrokenAtom)(name)).toBe(true)
      expect(tab.get(writesHeldAtom)(name)).toMatch(/Write anyway/)
    }
  })

  test('that does not answer any more is said of no database', async () => {
    const { tab, answerFrom } = await replaced()
    await answerFrom('server-one')
    expect(tab.get(trustAtom).kind).toBe('consistent')
    for (const name of ['db', 'db2', 'never-opened']) {
      expect(tab.get(isBrokenAtom)(name)).toBe(false)
      expect(tab.get(writesHeldAtom)(name)).toBeUndefined()
    }
    await answerFrom('server-two')
    expect(tab.get(writesHeldAtom)('db')).toMatch(/Write anyway/)
  })

  test('that was accepted is said of no database', async () => {
    const { tab } = await replaced()
    expect(await tab.set(acceptServerAtom, 'moved')).toMatchObject({ kind: 'first' })
    expect(kindsIn(tab)).toEqual(['db first', 'db2 unchecked'])
    for (const name of ['db', 'db2', 'never-opened']) {
      expect(tab.get(isBrokenAtom)(name)).toBe(false)
      expect(tab.get(writesHeldAtom)(name)).toBeUndefined()
    }
  })

  test('in spite of which one may write holds the other database', async () => {
    const { tab } = await replaced()
    tab.set(releaseWritesAtom, 'db')
    expect(tab.get(writesHeldAtom)('db')).toBeUndefined()
    expect(tab.get(databaseAtom)).toBe('db')
    expect(tab.get(writesHeldAtom)('db2')).toMatch(/Write anyway/)
  })
})
