import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '~/api/client'
import { readVerifiableState, readVerifiableTx } from '~/api/proof'
import { openEvidence } from '~/proof/check-evidence'
import { writeEvidence } from '~/proof/evidence'
import { forkQuestion } from '~/proof/fork-question'
import { verify } from '~/proof/kernel/verify'
import {
  compareHistories,
  type Relation,
  readSourceState,
  type Source,
  type SourceState,
} from '~/proof/same-history'
import { type Api, api } from '../support/api'
import { about } from '../support/evidence'
import { type ImmudbServer, startServer } from '../support/immudb'
import { base64, signingKey } from '../support/live-proofs'

/** The comparison alone, without a browser, against a real server and a copy of its data. */
let folder: string
let keys: { file: string; publicKey: string }[]
let original: ImmudbServer
let copy: ImmudbServer

/** Databases by how many transactions they have before the copy, on it and on the original. */
const databases: Readonly<Record<string, readonly [before: number, copy: number, own: number]>> = {
  forkone: [1, 8, 19],
  forkpower: [16, 9, 24],
  forklast: [19, 1, 1],
  forkall: [0, 5, 3],
  lagging: [6, 0, 4],
  same: [7, 0, 0],
  bare: [0, 0, 0],
  ahead: [0, 0, 2],
}

async function write(server: Api, database: string, word: string, count: number): Promise<void> {
  await server.use(database)
  for (let at = 0; at < count; at += 1) {
    await server.call('/db/set', {
      KVs: [{ key: base64(`k${at}`), value: base64(`${word}${at}`) }],
    })
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'histories-'))
  keys = [await signingKey(folder)]
  const flags = ['--signing-key', keys[0]?.file ?? '']
  original = await startServer({ flags })
  const first = await api(original.url)
  for (const [database, [before]] of Object.entries(databases)) {
    await first.createDatabase(database)
    await write(first, database, 'a', before)
  }
  await original.end()
  // The copy does not sign: two servers need not have one key, or any.
  await original.copyTo(join(folder, 'copy'))
  copy = await startServer({ data: join(folder, 'copy') })
  await original.start()
  const [own, other] = [await api(original.url), await api(copy.url)]
  for (const [database, [, onCopy, onOriginal]] of Object.entries(databases)) {
    await write(other, database, 'copy', onCopy)
    await write(own, database, 'own', onOriginal)
  }
})

afterAll(async () => {
  await Promise.all([original.dispose(), copy.dispose()])
  await rm(folder, { recursive: true, force: true })
})

async function sourceOn(server: ImmudbServer, database: string) {
  const { token } = await (await api(server.url)).use(database)
  const client = createClient({ baseURL: `${server.url}/api`, token: () => token })
  let requests = 0
  const count = () => {
    requests += 1
  }
  const source: Source = {
    db: database,
    readState: () => {
      count()
      return readVerifiableState(client, { database })
    },
    readTx: (tx, since) => {
      count()
      return readVerifiableTx(client, { database, tx, since, entries: 'none' })
    },
  }
  return { source, requests: () => requests }
}

type Compared = {
  relation: Relation
  states: readonly [SourceState, SourceState]
  requests: number
}

async function compared(database: string): Promise<Compared> {
  const [own, other] = [await sourceOn(original, database), await sourceOn(copy, database)]
  const [first, second] = [
    await readSourceState(verify, own.source),
    await readSourceState(verify, other.source),
  ]
  if ('why' in first || 'why' in second) throw new Error('a state cannot be read')
  const states = [first, second] as const
  const relation = await compareHistories(verify, [own.source, other.source], states)
  return { relation, states, requests: own.requests() + other.requests() }
}

test.each(['forkone', 'forkpower', 'forklast', 'forkall'])(
  'the fork of %s is named at its transaction, and its certificate holds',
  async (database) => {
    const [before, onCopy, onOriginal] = databases[database] ?? [0, 0, 0]
    const { relation, states, requests } = await compared(database)
    expect(relation).toMatchObject({ kind: 'forked', after: String(before) })
    if (relation.kind !== 'forked') return
    const n = before + Math.min(onCopy, onOriginal)
    expect(requests).toBeLessThanOrEqual(2 * Math.log2(n) + 5)
    const asked = forkQuestion(relation, [database, database], states, [
      { name: 'own', server: { uuid: null, origin: original.url } },
      { name: 'copy', server: { uuid: null, origin: copy.url } },
    ])
    const verified = await verify('fork', asked.context, asked.request, asked.response)
    const checked = { ...asked, what: 'fork', at: Date.now() }
    const outcome = { kind: 'ok', verified } as const
    const opened = await openEvidence(writeEvidence({ ...checked, outcome }, about))
    expect(opened).toMatchObject({
      rechecked: { agrees: true },
      fork: [
        { name: 'own', key: keys[0]?.publicKey },
        { name: 'copy', key: null },
      ],
    })
  },
)

test('a copy that was not written on is behind, or the same', async () => {
  expect((await compared('lagging')).relation).toEqual({
    kind: 'behind',
    side: 1,
    by: '4',
    tx: '6',
    isTreeOnly: true,
  })
  expect((await compared('same')).relation).toEqual({ kind: 'same', tx: '7' })
})

test('of databases without transactions nothing is said', async () => {
  expect((await compared('bare')).relation).toEqual({ kind: 'unproven', why: 'empty', side: null })
  expect((await compared('ahead')).relation).toEqual({ kind: 'unproven', why: 'empty', side: 1 })
})

test('a server that goes on writing meanwhile is compared as it was', async () => {
  const writer = await api(original.url)
  const writing = write(writer, 'lagging', 'more', 15)
  const { relation } = await compared('lagging')
  await writing
  expect(relation).toMatchObject({ kind: 'behind', side: 1, tx: '6' })
})
