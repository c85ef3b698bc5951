import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import type { FaultProxy } from '../support/fault-proxy'
import type { Fault } from '../support/faults'
import { type ImmudbServer, startServer } from '../support/immudb'
import { base64, signingKey } from '../support/live-proofs'
import { shot } from '../support/shots'
import { TrustPage } from '../support/trust-page'

/**
 * One original that signs, and copies of its data that went other ways. A proxy puts one of them in
 * the place of the original, as whoever restores a backup does.
 */
let folder: string
let key: { file: string; publicKey: string }
let original: ImmudbServer
let rolledBack: ImmudbServer
let rewritten: ImmudbServer
let forked: ImmudbServer
let stranger: ImmudbServer

const write = (rest: Api, value: string) =>
  rest.call('/db/set', { KVs: [{ key: base64('k'), value: base64(value) }] })

async function started(dir: string, count: number, word: string, isSigned = false) {
  const sign = isSigned ? ['--signing-key', key.file] : []
  const server = await startServer({ flags: ['--dir', dir, ...sign] })
  const rest = await api(server.url)
  for (let at = 0; at < count; at += 1) await write(rest, `${word}${at}`)
  return server
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-'))
  key = await signingKey(folder)
  const dir = join(folder, 'original')
  const first = await started(dir, 3, 'common')
  await first.dispose()
  const copies = await Promise.all(
    ['rolled-back', 'rewritten', 'forked'].map(async (name) => {
      const copy = join(folder, name)
      await cp(dir, copy, { recursive: true })
      return copy
    }),
  )
  const [back = '', same = '', longer = ''] = copies
  const own = join(folder, 'stranger')
  ;[original, rolledBack, rewritten, forked, stranger] = await Promise.all([
    started(dir, 2, 'original', true),
    started(back, 0, ''),
    started(same, 2, 'rewritten'),
    started(longer, 4, 'forked'),
    started(own, 1, 'stranger'),
  ])
}, 60_000)

afterAll(async () => {
  for (const one of [original, rolledBack, rewritten, forked, stranger]) await one?.dispose()
  await rm(folder, { recursive: true, force: true })
})

type Stage = { console: ConsolePage; trust: TrustPage }

/** Somebody who has met the original, with whatever is put in its place afterwards. */
async function met(
  proxy: FaultProxy,
  open: (url: string) => Promise<ConsolePage>,
  path = '/keys',
): Promise<Stage> {
  proxy.turnTo(original.url)
  const console = await open(proxy.url)
  const trust = new TrustPage(console)
  await console.signIn(path)
  await trust.chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
  return { console, trust }
}

/** The page comes back with another server behind its address, whose tokens are its own. */
async function comeBack({ console }: Stage, proxy: FaultProxy, server: ImmudbServer) {
  proxy.turnTo(server.url)
  await console.logOut()
  await console.signedOut()
  await console.submitLogin()
  await console.signedIn()
}

describe('F50 a restored copy', () => {
  test('that is older is said to be rolled back, with both hashes, on every screen', async ({
    proxy,
    open,
  }) => {
    const stage = await met(proxy, open)
    const { console, trust } = stage
    await comeBack(stage, proxy, rolledBack)
    await trust.chipSaying('BROKEN').waitFor()
    await trust.bar.getByText('BROKEN: the history of defaultdb was rolled back.').waitFor()
    await trust.bar.getByText(/^tx 5/).waitFor()
    await shot(console.page, 'trust-broken')
    for (const name of ['Query', 'Databases', 'Settings']) {
      await console.link(name).click()
      await trust.bar.waitFor()
    }
    expect(await console.alerts.count()).toBe(1)
  })
})
