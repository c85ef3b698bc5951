// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { Store } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { openEvidence } from '~/proof/check-evidence'
import { isDescribedIn } from '~/trust/evidence'
import { ownState } from '~/trust/recorded-state'
import type { Span } from '~/trust/trust-record'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { History } from '../support/history'
import { madeUpRow } from '../support/made-up'
import { tabOf } from '../support/proving-server'
import { RowServer } from '../support/row-server'

/** Row 1 in as many transactions; what comes behind the shared ones is of a history of its own. */
function serverOf(size: number, word = 'a', shared = 0): RowServer {
  const server = new RowServer(new History())
  for (let at = 1; at <= size; at += 1)
    server.add({ id: 1, name: `${at <= shared ? 'a' : word}${at}` })
  return server
}

const here = (tab: Store) => ({ ...tab.get(databaseIdAtom)('db'), server: 'server-one' })

/** A browser that recorded the states that the server has after these transactions. */
async function browserAt(server: RowServer, ...txs: number[]): Promise<Store> {
  const tab = tabOf(server)
  const points = tab.get(trustedStatesAtom)
  let known = null
  for (const tx of txs) {
    const point = server.history.point(tx)
    await points.move(here(tab), known, point, known ? 'state' : 'first')
    known = point
  }
  return tab
}

/** An audit derives what the table is called, and for which transactions that holds. */
async function derive(tab: Store, server: RowServer, span: Span, id = here(tab)): Promise<void> {
  const points = tab.get(trustedStatesAtom)
  const record = await points.read(id)
  if (!record) throw new Error('nothing is recorded')
  const found = { schemas: [server.schema], collections: [], named: [], span }
  await points.pinAudited(record, found)
}

/** How a file stands to what is recorded, and whether it is called there what the file says. */
async function judged(tab: Store, text: string) {
  const opened = await openEvidence(text)
  if ('error' in opened) throw new Error(opened.error)
  const records = await tab.get(trustedStatesAtom).all()
  const own = ownState(opened.evidence, opened.claims, records)
  return [own.kind, await isDescribedIn(tab, opened, own, records)]
}

const known = ['same', true]
const unknown = ['same', false]

describe('the history describes the table of a file', () => {
  test('in the recorded state that vouches for it, however old the content is', async () => {
    const server = serverOf(3)
    const tab = await browserAt(server, 3)
    await derive(tab, server, { from: '2', to: '3' })
    expect(await judged(tab, await madeUpRow(server, 1, server.history.point(3)))).toEqual(known)
  })

  test('also where the file began with nothing', async () => {
    const server = serverOf(3)
    const tab = await browserAt(server, 3)
    await derive(tab, server, { from: '2', to: '3' })
    expect(await judged(tab, await madeUpRow(server, 3, null))).toEqual(known)
  })

  test('but not where only the state is described with which the file began', async () => {
    const server = serverOf(3)
    const tab = await browserAt(server, 1, 3)
    await derive(tab, server, { from: '1', to: '1' })
    expect(await judged(tab, await madeUpRow(server, 1, server.history.point(1)))).toEqual(known)
    expect(await judged(tab, await madeUpRow(server, 3, server.history.point(1)))).toEqual(unknown)
  })

  test('but not by the number of a state that is of another history', async () => {
    const [server, fork] = [serverOf(3), serverOf(2, 'b')]
    const tab = await browserAt(server, 3)
    await derive(tab, server, { from: '1', to: '3' })
    const file = await madeUpRow(fork, 1, fork.history.point(2))
    expect(await judged(tab, file)).toEqual(['apart', false])
  })

  test('but not where the recorded states contradict the file', async () => {
    const [server, fork] = [serverOf(3), serverOf(3, 'b')]
    const tab = await browserAt(server, 3)
    await derive(tab, server, { from: '1', to: '3' })
    const file = await madeUpRow(fork, 1, fork.history.point(3))
    expect(await judged(tab, file)).toEqual(['different', false])
  })

  test.each([
    ['begins behind', { from: '2', to: '4' }, false],
    ['ends before', { from: '1', to: '2' }, false],
    ['includes both', { from: '1', to: '4' }, true],
  ])(
    'by a span that %s what is recorded and what the file says follows',
    async (_, span, isDescribed) => {
      // Its content is recorded, and the state that it was compared with is someone's word.
      const [server, fork] = [serverOf(1), serverOf(3, 'b', 1)]
      const tab = await browserAt(server, 1)
      await derive(tab, server, span)
      const file = await madeUpRow(fork, 1, fork.history.point(3))
      expect(await judged(tab, file)).toEqual(['same', isDescribed])
    },
  )

  test('but not by what was recorded of another history of that server', async () => {
    const [server, fork] = [serverOf(3), serverOf(4, 'b')]
    const tab = await browserAt(server, 3)
    const there = { ...here(tab), origin: 'https://other.example' }
    await tab.get(trustedStatesAtom).move(there, null, fork.history.point(4), 'first')
    await derive(tab, fork, { from: '1', to: '4' }, there)
    expect(await judged(tab, await madeUpRow(server, 1, server.history.point(3)))).toEqual(unknown)
  })

  test('but not once another description is pinned', async () => {
    const server = serverOf(1)
    const tab = await browserAt(server, 1)
    await derive(tab, server, { from: '1', to: '1' })
    const file = await madeUpRow(server, 1, server.history.point(1))
    expect(await judged(tab, file)).toEqual(known)
    server.column = 'paid'
    await derive(tab, server, { from: '1', to: '1' })
    expect(await judged(tab, file)).toEqual(unknown)
  })
})
