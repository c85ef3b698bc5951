import { describe, expect } from 'vitest'
import { writeEvidence } from '../../src/proof/evidence'
import { verify } from '../../src/proof/verify'
import { base64, chainOf, type Tx, txJson } from '../proof/adversary/forger'
import { keyOf, Liar } from '../proof/adversary/liar'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { about } from '../support/evidence'
import type { FaultProxy, Seen } from '../support/fault-proxy'
import type { Fault } from '../support/faults'
import { KeysPage } from '../support/keys-page'
import { randomOf } from '../support/mutations'
import { shot } from '../support/shots'
import { TrustPage } from '../support/trust-page'
import { VerifyPage } from '../support/verify-page'

type Json = { [name: string]: unknown }

const key = base64(keyOf.get.subarray(1))

/** Numbers with which the liar builds every transaction whole, behind the one before, in its tree. */
const honest = () => 0.65

/** The liar behind a port: it answers what is asked about history and keys, all else is real. */
class LyingServer {
  readonly liar: Liar
  /** What it said of each transaction's hash last, by its number. */
  readonly #told = new Map<number, Tx>()
  #newest: Tx | undefined
  #shown: Tx | undefined

  constructor(proxy: FaultProxy, random: () => number) {
    this.liar = new Liar(random)
    proxy.weather((seen) => this.#answer(seen))
  }

  /** Goes on building, around where the client stands. */
  grow(): void {
    if (this.liar.chance(0.4)) this.liar.aim(this.#newest)
    if (this.liar.chance(0.7)) this.liar.grow(this.#newest)
  }

  #answer({ path, body }: Seen): Fault | undefined {
    const { pathname, searchParams } = new URL(path.replace(/^\/api/, ''), 'http://liar')
    const asked: Json = body.startsWith('{') ? JSON.parse(body) : {}
    const tx = /^\/db\/verifiable\/tx\/(\d+)$/.exec(pathname)?.[1]
    if (tx !== undefined) return this.#tx(Number(tx), Number(searchParams.get('proveSinceTx')))
    if (pathname.startsWith('/db/get/')) return answer(this.#show())
    switch (pathname) {
      case '/db/state':
        return this.#state()
      case '/db/scan':
      case '/db/history':
        return answer({ entries: [this.#show()] })
      case '/db/verifiable/get':
        return this.#get(Number(asked.proveSinceTx), (asked.keyRequest as Json).atTx)
      case '/db/tx':
        return this.#page(Number(asked.initialTx), Number(asked.limit))
      default:
        return undefined
    }
  }

  /** Who is caught is asked no more, so it is mostly one that goes on from what was told before. */
  #state(): Fault {
    const told = this.#newest
    const goesOn = this.liar.txs.filter(
      (tx) => !told || (chainOf(tx).includes(told) && isPlausible(tx)),
    )
    const next = this.liar.chance(0.95) ? this.liar.one(goesOn) : this.liar.someState(told)
    const tx = told && this.liar.chance(0.6) ? told : next
    if (!tx) return refusal
    this.#newest = tx
    this.#told.set(tx.id, tx)
    return answer({ db: 'defaultdb', txId: String(tx.id), txHash: base64(tx.alh) })
  }

  /** From where the client says that it stands; the liar guesses which of those it means. */
  #known(since: number): Tx | undefined {
    return this.#told.get(since) ?? this.liar.one(this.liar.withId(since))
  }

  #tx(id: number, since: number): Fault {
    const [tx, known] = [this.#known(id), this.#known(since)]
    return tx && known ? answer(this.liar.proven(tx, known, this.liar.chance(0.8))) : refusal
  }

  /** Some transaction with the key; mostly one that may hold, just above what was told. */
  #withKey(): Tx | undefined {
    const all = this.liar.txs.filter((one) => this.liar.someEntry(one, 'get'))
    const near = all.filter(({ id }) => id === (this.#newest?.id ?? 0) + 1)
    return (this.liar.chance(0.8) && this.#careful(near)) || this.#careful(all)
  }

  #careful(all: readonly Tx[]): Tx | undefined {
    const told = this.#newest
    const before = chainOf(told ?? null)
    const may = all.filter(
      (tx) => (before.includes(tx) || !told || chainOf(tx).includes(told)) && isPlausible(tx),
    )
    return this.liar.one(this.liar.chance(0.97) ? may : all)
  }

  /** The key as it stands in some transaction. */
  #show(): Json | undefined {
    const kept = this.#careful(this.#shown ? [this.#shown] : [])
    const tx = this.liar.chance(0.6) ? this.#withKey() : (kept ?? this.#withKey())
    const found = tx && this.liar.someEntry(tx, 'get')
    if (!found) return undefined
    this.#shown = tx
    return { tx: String(tx.id), key, value: base64(found.entry.value.subarray(1)), revision: '1' }
  }

  /** Of the transaction that was asked for there may be several. */
  #get(since: number, atTx: unknown): Fault {
    const asked = this.liar.withId(Number(atTx ?? this.#shown?.id ?? 0))
    const others = asked.filter((one) => this.liar.someEntry(one, 'get'))
    const tx = this.#careful(others)
    const known = this.#known(since) ?? tx
    if (!tx || !known) return refusal
    return answer(entryAnswer(this.liar, tx, known))
  }

  /** The history as it told it last, and none of its values whatever was asked for. */
  #page(first: number, limit: number): Fault {
    const txs = chainOf(this.#newest ?? null).slice(first - 1, first - 1 + limit)
    return answer({ txs: txs.map((tx) => txJson(tx, true)) })
  }
}

/** No key twice, and no lie in its tree, which may lag. */
function isPlausible(tx: Tx): boolean {
  const chain = chainOf(tx)
  const keys = new Set(tx.entries.map((entry) => entry.key.toString('hex')))
  return (
    keys.size === tx.entries.length &&
    tx.leaves.every((leaf, at) => chain[at]?.alh.equals(leaf) === true)
  )
}

/** As `/db/verifiable/get` answers; undefined where the transaction has no such key. */
function entryAnswer(liar: Liar, tx: Tx, known: Tx): Json | undefined {
  const found = liar.someEntry(tx, 'get')
  if (!found) return undefined
  return {
    entry: { tx: String(tx.id), key, value: base64(found.entry.value.subarray(1)) },
    verifiableTx: liar.proven(tx, known, liar.chance(0.8)),
    inclusionProof: found.inclusionProof,
  }
}

function answer(body: Json | undefined): Fault {
  if (!body) return refusal
  const headers = { 'content-type': 'application/json' }
  return { kind: 'answer', status: 200, headers, body: JSON.stringify(body) }
}

const refusal: Fault = {
  kind: 'answer',
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: 'illegal state', message: 'illegal state', code: 2 }),
}

/** What an operator was shown in green, and what of it contradicts itself. */
class Shown {
  verdicts = 0
  greens = 0
  readonly contradictions: string[] = []
  #values = new Map<string, string>()

  /** Another record has another past. */
  startOver(): void {
    this.#values = new Map()
  }

  add(isGreen: boolean, tx: string, value: string): void {
    this.verdicts += 1
    if (!isGreen) return
    this.greens += 1
    const before = this.#values.get(tx) ?? value
    this.#values.set(tx, before)
    if (before !== value) this.contradictions.push(`tx ${tx}: ${before}, then ${value}`)
  }
}

/** Opens the proof of the key as it is shown now, reads its verdict and closes it. */
async function verifyKey(console: ConsolePage, shown: Shown): Promise<void> {
  const verification = new VerifyPage(console)
  await console.page.getByRole('button', { name: 'Verify', exact: true }).click()
  const drawer = verification.drawer()
  const verdict = drawer.locator('[role=status], [role=alert]').filter({ hasText: /\S/ }).first()
  await verdict.locator('p').first().waitFor()
  const isGreen = (await verdict.locator('.text-verified').count()) > 0
  const text = (await drawer.textContent()) ?? ''
  const [, tx = ''] = /Written intx (\d+)/.exec(text) ?? []
  const [value = ''] = /\d+ EUR/.exec(text) ?? []
  if (isGreen) expect([tx, value]).not.toContain('')
  shown.add(isGreen, tx, value)
  await verification.close()
}

/** All that a file of evidence of a made-up history holds, whose proof is right. */
async function madeUpEvidence(uuid: string | null): Promise<string> {
  const liar = new Liar(honest)
  const [, tx, , trusted] = liar.txs
  if (!tx || !trusted) throw new Error('the liar built nothing')
  const response = entryAnswer(liar, tx, trusted)
  const context = {
    db: 'defaultdb',
    trusted: { txId: String(trusted.id), txHash: base64(trusted.alh) },
    publicKey: null,
  }
  const request = { keyRequest: { key }, proveSinceTx: String(trusted.id) }
  const verified = await verify('get', context, request, response)
  expect(verified).toMatchObject({ verdict: 'ok', open: ['tree'] })
  return writeEvidence(
    {
      kind: 'get',
      what: 'key balance',
      context,
      request,
      response,
      at: 1_767_323_045_000,
      outcome: { kind: 'ok', verified },
    },
    { ...about, server: { ...about.server, uuid } },
  )
}

/** `SERIES=100 npm run e2e -- adversary` for more. */
const seeds = Array.from({ length: Number(process.env.SERIES ?? 4) }, (_, at) => 11 + at)

describe('a server that builds histories as it likes', () => {
  test(
    'never gets contradicting values shown in green',
    async ({ proxy, open }) => {
      const shown = new Shown()
      for (const seed of seeds) {
        shown.startOver()
        const server = new LyingServer(proxy, randomOf(seed))
        const console = await open(proxy.url)
        const trust = new TrustPage(console)
        const keys = new KeysPage(console.page)
        await console.signIn('/keys')
        await keys.get('balance')
        await trust.chipSaying(/^Trust: (First contact|Consistent|BROKEN)/).waitFor()
        for (let round = 0; round < 12 && (await trust.bar.count()) === 0; round += 1) {
          server.grow()
          if (server.liar.chance(0.25)) await trust.checkNow()
          else {
            await keys.button('Refresh the keys').click()
            await verifyKey(console, shown)
          }
        }
        await shot(console.page, `adversary-${seed}`)
        await console.page.close()
      }
      expect(shown.contradictions).toEqual([])
      // Who is never believed attacks nothing, and neither does who is believed in everything.
      expect(shown.greens).toBeGreaterThan(0)
      expect(shown.greens).toBeLessThan(shown.verdicts)
    },
    60_000 + 30_000 * seeds.length,
  )

  test('never gets a green report of an audit whose values it withheld', async ({
    proxy,
    open,
  }) => {
    new LyingServer(proxy, honest)
    const console = await open(proxy.url)
    await console.signIn('/verify?tab=audit')
    await new TrustPage(console).chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
    await console.page.getByRole('button', { name: 'Start the audit', exact: true }).click()
    const report = console.page.getByRole('article', { name: /^Report: / })
    await report.getByText('known by digest only', { exact: false }).first().waitFor()
    expect(await report.locator('.text-verified').count()).toBe(0)
    await shot(console.page, 'adversary-audit')
  })

  test('never gets a green mark for evidence that it made up', async ({ server, open }) => {
    const console = await open(server.url)
    const { page } = console
    await console.signIn('/verify')
    await new TrustPage(console).chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
    const health = await fetch(`${server.url}/api/health`)
    const uuid = health.headers.get('grpc-metadata-immudb-uuid')
    expect(uuid).toMatch(/^\w{20}$/)
    await page.getByRole('tab', { name: 'Evidence' }).click()
    for (const [name, of] of [
      ['no server', null],
      ['this server', uuid],
    ] as const) {
      await page.getByLabel('Evidence file', { exact: true }).setInputFiles({
        name: `${name}.json`,
        mimeType: 'application/json',
        buffer: Buffer.from(await madeUpEvidence(of)),
      })
      await page.getByText(`${name}.json`).first().waitFor()
      await page.getByText(/^(Consistent in itself|The proof fits its own)/).waitFor()
      expect(await page.getByRole('main').locator('.text-verified').count()).toBe(0)
      await shot(page, `adversary-evidence-${name.replace(' ', '-')}`)
    }
  })
})
