import { createStore } from 'jotai'
import { expect, test } from 'vitest'
import { createClient } from '~/api/client'
import {
  type ComparedPair,
  type ComparedServer,
  compareAllHistories,
  forkFile,
  historiesAtom,
  stopHistories,
} from '~/atoms/servers/histories'
import { connect, type Store } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { bytesToHex } from '~/lib/bytes'
import { evidenceAtom, openEvidence } from '~/trust/evidence'
import { verifyState } from '~/trust/verify-state'
import { historyWords } from '~/words/histories'
import { forkFile as signedFork, signer } from '../../support/fork-certificate'
import { historyOf, keptDoor, ProvingServer, refusal, tabOf } from '../../support/proving-server'

/** A server as the list of servers has it. */
function on(name: string, server: ProvingServer, database = 'db'): ComparedServer {
  const client = createClient({ baseURL: '/api', token: () => 'token', fetch: server.fetch })
  return { name, database, client, origin: `https://console/s/${name}` }
}

/** The same under another name of the database. */
function copyOf(server: ProvingServer): ProvingServer {
  server.change = (answer, path) => (path === '/db/state' ? { ...answer, db: 'copy' } : answer)
  return server
}

const serverOf = (size: number, word?: string, shared?: number) =>
  new ProvingServer(historyOf(size, word, shared))

async function compared(servers: readonly ComparedServer[], store: Store = createStore()) {
  await compareAllHistories(store, servers)
  const histories = store.get(historiesAtom)
  if (!histories) throw new Error('nothing was compared')
  return histories
}

/** The badge of each pair. */
async function words(...servers: readonly ComparedServer[]) {
  const { pairs, state } = await compared(servers)
  expect(state).toBe('done')
  return pairs.map((pair) => `${pair.server}/${pair.other}: ${historyWords(pair).word}`)
}

test('each server is compared with the longest, and with no other', async () => {
  const [eu, us, asia, old] = [serverOf(9), serverOf(7), serverOf(9, 'b', 5), serverOf(9)]
  expect(await words(on('us', us), on('eu', eu), on('asia', asia), on('old', old))).toEqual([
    'asia/eu: Forked after tx 5',
    'old/eu: Same history',
    'us/eu: Behind by 2',
  ])
})

test('a state that was found only in the tree of the other is not said to be in its chain', async () => {
  const { pairs } = await compared([
    on('eu', serverOf(9)),
    on('us', serverOf(7)),
    on('asia', serverOf(8)),
  ])
  const texts = new Map(pairs.map((pair) => [pair.server, historyWords(pair).text]))
  expect(texts.get('us')).toContain('a deep audit of eu reads the chain as well.')
  expect(texts.get('asia')).not.toContain('tree')
})

test('each server is asked for its state once, and never for what it is not asked about', async () => {
  const [eu, us, asia] = [serverOf(9), serverOf(7), serverOf(5)]
  await words(on('eu', eu), on('us', us), on('asia', asia))
  expect([eu, us, asia].map((server) => server.count('/db/state'))).toEqual([1, 1, 1])
  expect([us, asia].map(({ asked }) => asked.length)).toEqual([1, 1])
})

test('a server that does not answer, and one of another database, stop no other', async () => {
  const [eu, us, dead, other] = [serverOf(9), serverOf(9), serverOf(3), serverOf(3)]
  dead.instead = () => refusal('database does not exist')
  other.change = (answer) => ({ ...answer, db: 'other' })
  const list = [on('eu', eu), on('us', us), on('dead', dead), on('other', other)]
  const { pairs } = await compared(list)
  expect(pairs.map((pair) => [pair.server, historyWords(pair).word])).toEqual([
    ['dead', 'Not provable now'],
    ['other', 'Not provable now'],
    ['us', 'Same history'],
  ])
  const texts = pairs.map((pair) => historyWords(pair).text)
  expect(texts[0]).toBe('dead could not be compared. The database does not exist.')
  expect(texts[1]).toMatch(/^The proof of other does not hold\. .*another database/)
})

test('a longest one that proves nothing gives its place to the next', async () => {
  const [eu, us, liar] = [serverOf(9), serverOf(7), serverOf(20)]
  liar.change = (answer, path) =>
    path === '/db/state' ? { ...answer, txHash: `${'A'.repeat(43)}=` } : answer
  expect(await words(on('eu', eu), on('us', us), on('liar', liar))).toEqual([
    'liar/eu: Not provable now',
    'us/eu: Behind by 2',
  ])
})

test('a history that becomes shorter meanwhile, and empty ones, are said', async () => {
  const [eu, us, empty, bare] = [serverOf(9), serverOf(7), serverOf(0), serverOf(0)]
  eu.instead = (path) => (path === '/db/state' ? undefined : refusal('illegal state'))
  const [pair] = (await compared([on('eu', eu), on('us', us)])).pairs
  expect(pair && historyWords(pair).text).toMatch(/^eu no longer has a transaction/)
  const [other] = (await compared([on('us', us), on('empty', empty)])).pairs
  expect(other && historyWords(other).text).toMatch(/^empty has no committed transaction/)
  const [none] = (await compared([on('bare', bare), on('empty', empty)])).pairs
  expect(none && historyWords(none).text).toMatch(/^Neither .* has a committed transaction/)
})

test('a replica under another name is compared, and a fork of it gets no certificate', async () => {
  const eu = on('eu', serverOf(9))
  const us = on('us (copy)', copyOf(serverOf(7)), 'copy')
  const forked = on('asia (copy)', copyOf(serverOf(9, 'b', 5)), 'copy')
  const { pairs, databases } = await compared([eu, us, forked])
  expect(databases).toEqual(['db', 'copy'])
  const badges = pairs.map((pair) => `${pair.server}/${pair.other}: ${historyWords(pair).word}`)
  expect(badges).toEqual(['asia (copy)/eu: Forked after tx 5', 'us (copy)/eu: Behind by 2'])
  const [{ found } = { found: null }] = pairs
  expect(found).toMatchObject({
    kind: 'forked',
    certificate: null,
    facts: { after: '5', sides: [{ db: 'copy' }, { db: 'db' }] },
  })
  const [own, other] = [historyOf(9, 'b', 5), historyOf(9)].map((of) => bytesToHex(of.alh(6)))
  expect(found).toMatchObject({ facts: { sides: [{ alh: own }, { alh: other }] } })
})

test('two names with one server ID are told, for they may be one server', async () => {
  const [eu, us] = [serverOf(9), serverOf(9)]
  const { pairs } = await compared([on('eu', eu), on('us', us)])
  const [pair] = pairs
  expect(pair && historyWords(pair).text).toMatch(/Both give the same server ID\. They may be/)
  us.uuid = 'another'
  const [apart] = (await compared([on('eu', eu), on('us', us)])).pairs
  expect(apart && historyWords(apart).text).not.toMatch(/server ID/)
})

test('two servers with a database of one name each have a history of their own, and no fork', async () => {
  const [eu, us] = [serverOf(5, 'b', 0), serverOf(7)]
  eu.uuid = 'server-two'
  const { pairs } = await compared([on('eu', eu), on('us', us)])
  const [pair] = pairs
  expect(pair?.found).toMatchObject({ kind: 'apart', facts: { after: '0' } })
  expect(pair?.found).not.toHaveProperty('certificate')
  const { tone, word, text } = historyWords(pair ?? none)
  expect([tone, word]).toEqual(['neutral', 'No common history'])
  expect(text).toMatch(/no transaction in common\. .* is normal/)
  // Under two names not even one ID makes it a fork.
  const copy = on('copy', copyOf(serverOf(4, 'c', 0)), 'copy')
  const [named] = (await compared([on('us', us), copy])).pairs
  expect(named?.found.kind).toBe('apart')
})

test('one server ID with two first transactions is a fork, of which there is a certificate', async () => {
  const [eu, us] = [serverOf(5, 'b', 0), serverOf(7)]
  const [pair] = (await compared([on('eu', eu), on('us', us)])).pairs
  expect(pair?.found).toMatchObject({ kind: 'forked', certificate: { kind: 'fork' } })
  const { tone, word, text } = historyWords(pair ?? none)
  expect([tone, word]).toEqual(['error', 'Forked: no common history'])
  expect(text).toMatch(/give the same server ID.* on a copy of its files/)
})

test('the same history is not said to be stored twice: one server may pass questions on', async () => {
  const [primary, relay] = [serverOf(7), serverOf(7)]
  relay.uuid = 'server-two'
  relay.instead = (path) => primary.fetch(`/api${path}`)
  const [pair] = (await compared([on('primary', primary), on('relay', relay)])).pairs
  const { word, text } = historyWords(pair ?? none)
  expect(word).toBe('Same history')
  expect(text).toContain('This does not show that relay or primary stores anything itself.')
})

const none: ComparedPair = { server: '', other: null, found: { kind: 'same', tx: '0' } }

test('servers that hang hold four connections at most', async () => {
  const store = createStore()
  const hung = Array.from({ length: 9 }, () => serverOf(3))
  for (const server of hung) server.instead = () => new Promise(() => {})
  const done = compareAllHistories(
    store,
    hung.map((server, at) => on(`s${at}`, server)),
  )
  await new Promise((resolve) => setTimeout(resolve))
  expect(hung.filter(({ asked }) => asked.length > 0)).toHaveLength(4)
  stopHistories(store)
  await done
  expect(store.get(historiesAtom)?.state).toBe('stopped')
})

test('a stopped comparison keeps what was found and claims nothing more', async () => {
  const store = createStore()
  const [eu, us, slow] = [serverOf(9), serverOf(8), serverOf(7)]
  eu.instead = (path) => {
    if (path.startsWith('/db/verifiable/tx/7')) stopHistories(store)
    return undefined
  }
  const { state, pairs } = await compared([on('eu', eu), on('us', us), on('slow', slow)], store)
  expect(state).toBe('stopped')
  expect(pairs.map(({ server }) => server)).toEqual(['us'])
})

/** The verdict on a file in a tab. */
async function judged(tab: Store, text: string) {
  await openEvidence(tab, new File([text], 'a'))
  const open = tab.get(evidenceAtom)
  if (open.kind !== 'checked') throw new Error(JSON.stringify(open))
  return open
}

test('a certificate convicts where this browser recorded both states, and else shows the fork', async () => {
  const [eu, us] = [serverOf(30, 'b', 17), serverOf(45)]
  const { pairs } = await compared([on('eu', eu), on('us', us)])
  const [pair] = pairs
  if (pair?.found.kind !== 'forked') throw new Error('no fork')
  const { certificate, server } = pair.found
  if (!certificate) throw new Error('no certificate')
  const { name, text } = forkFile(certificate, server)
  expect(name).toMatch(/^evidence .* fork of db after tx 17: eu and us$/)
  const stranger = await judged(tabOf(serverOf(1)), text)
  expect(stranger.judged).toEqual({ verdict: 'unproven', cause: 'file' })
  expect(stranger.fork?.map(({ party, own }) => [party.name, own.kind])).toEqual([
    ['eu', 'none'],
    ['us', 'none'],
  ])
  // One browser that follows one of the servers, then both; a copy of the data has the same id.
  const door = keptDoor()
  const file = JSON.parse(text)
  const follow = async (side: string, address: string, server: ProvingServer) => {
    const tab = tabOf(server, door)
    connect(tab, address, server.fetch)
    await verifyState(tab)
    file.response[side].server.origin = tab.get(databaseIdAtom)('db').origin
    return judged(tab, JSON.stringify(file))
  }
  const half = await follow('first', '/s/eu/api', eu)
  expect(half.fork?.map(({ own }) => own.kind)).toEqual(['same', 'none'])
  expect(half.judged).toEqual({ verdict: 'unproven', cause: 'file' })
  const whole = await follow('second', '/s/us/api', us)
  expect(whole.fork?.map(({ own }) => own.kind)).toEqual(['same', 'same'])
  expect(whole.judged).toEqual({ verdict: 'contradicted', cause: 'broken' })
})

test('a certificate of histories without a common transaction is neutral, even where both are known', async () => {
  const [eu, us] = [serverOf(9, 'b', 0), serverOf(7)]
  const door = keptDoor()
  const known = async (address: string, server: ProvingServer) => {
    const tab = tabOf(server, door)
    connect(tab, address, server.fetch)
    await verifyState(tab)
    return { tab, origin: tab.get(databaseIdAtom)('db').origin }
  }
  const fileOf = (uuids: readonly [string, string], origins: readonly string[]) =>
    signedFork(
      {
        name: 'eu',
        history: eu.history,
        server: { uuid: uuids[0], origin: origins[0] ?? '' },
      },
      {
        name: 'us',
        history: us.history,
        server: { uuid: uuids[1], origin: origins[1] ?? '' },
      },
    )
  eu.uuid = 'server-two'
  const [one, other] = [await known('/s/eu/api', eu), await known('/s/us/api', us)]
  const found = await judged(
    other.tab,
    await fileOf([eu.uuid, us.uuid], [one.origin, other.origin]),
  )
  expect(found.fork?.map(({ own }) => own.kind)).toEqual(['same', 'same'])
  expect(found.judged).toEqual({ verdict: 'unproven', cause: 'file' })
  // What the file says of the servers does not make it worse.
  const told = await judged(other.tab, await fileOf([us.uuid, us.uuid], [one.origin, other.origin]))
  expect(told.judged).toEqual({ verdict: 'unproven', cause: 'file' })
  // One server that this browser itself saw with two first transactions.
  eu.uuid = us.uuid
  const again = await known('/s/twin/api', eu)
  const convicting = await judged(
    again.tab,
    await fileOf([us.uuid, us.uuid], [again.origin, other.origin]),
  )
  expect(convicting.judged).toEqual({ verdict: 'contradicted', cause: 'broken' })
})

test('a state before the fork vouches for neither side, which anyone can make up behind it', async () => {
  const common = historyOf(17)
  const server = new ProvingServer(common)
  const tab = tabOf(server, keptDoor())
  await verifyState(tab)
  const of = { server: { uuid: server.uuid, origin: tab.get(databaseIdAtom)('db').origin } }
  const text = await signedFork(
    { ...of, name: 'eu', history: historyOf(30, 'b', 17) },
    { ...of, name: 'us', history: historyOf(45) },
  )
  const found = await judged(tab, text)
  expect(found.fork?.map(({ own }) => own.kind)).toEqual(['apart', 'apart'])
  expect(found.judged).toEqual({ verdict: 'unproven', cause: 'file' })
})

test('a certificate that contradicts a record, or names another key than a pinned one, says so', async () => {
  const mine = serverOf(30, 'c', 2)
  const tab = tabOf(mine, keptDoor())
  await verifyState(tab)
  const { origin } = tab.get(databaseIdAtom)('db')
  const text = await signedFork(
    {
      name: 'eu',
      history: historyOf(30, 'b', 17),
      key: signer(),
      server: { uuid: mine.uuid, origin },
    },
    { name: 'us', history: historyOf(45) },
  )
  const found = await judged(tab, text)
  expect(found.judged).toEqual({ verdict: 'contradicted', cause: 'other' })
})
