import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { writeEvidence } from '../../src/proof/evidence'
import { verify } from '../../src/proof/kernel/verify'
import { base64, chainOf, type Tx } from '../proof/adversary/forger'
import { documentId, Liar } from '../proof/adversary/liar'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { about } from '../support/evidence'
import { KeysPage } from '../support/keys-page'
import {
  entryAnswer,
  honest,
  LyingServer,
  lyingKey,
  realRow,
  realTable,
} from '../support/lying-server'
import { randomOf } from '../support/mutations'
import { shot } from '../support/shots'
import { TrustPage } from '../support/trust-page'
import { until } from '../support/until'
import { VerifyPage } from '../support/verify-page'

/** What an operator was shown in green, and what of it contradicts itself. */
class Shown {
  readonly contradictions: string[] = []
  readonly greens = new Map<string, number>()
  verdicts = 0
  #values = new Map<string, string>()

  /** Another record has another past. */
  startOver(): void {
    this.#values = new Map()
  }

  get green(): number {
    return [...this.greens.values()].reduce((sum, count) => sum + count, 0)
  }

  add(isGreen: boolean, kind: string, tx: string, value: string): void {
    this.verdicts += 1
    if (!isGreen) return
    this.greens.set(kind, (this.greens.get(kind) ?? 0) + 1)
    const name = `${kind} of tx ${tx}`
    const before = this.#values.get(name) ?? value
    this.#values.set(name, before)
    if (before !== value) this.contradictions.push(`${name}: ${before}, then ${value}`)
  }
}

/** What a page calls proven, in green or not. */
type Told = { isGreen: boolean; text: string; tx: string; value: string; columns: string[] }

/** Reads the verdict and the content in a part of the page; null where nothing could be asked. */
async function told(part: Locator, content: RegExp): Promise<Told | null> {
  const verdict = part.locator('[role=status], [role=alert]').filter({ hasText: /\S/ }).first()
  await verdict.locator('p').first().waitFor()
  const isGreen = (await verdict.locator('.text-verified').count()) > 0
  if (!isGreen) return { isGreen, text: '', tx: '', value: '', columns: [] }
  const proven = part.locator('section', { hasText: content }).first()
  // It is drawn in parts, which are fetched when they are needed.
  const whole = /tx \d+.*(\d+ EUR|Entries\d)/s
  const text = await until(
    async () => (await proven.textContent()) ?? '',
    (found) => whole.test(found),
  )
  const [, tx = ''] = /(?:Written in|Transaction)tx (\d+)/.exec(text) ?? []
  const [value = ''] = /\d+ EUR/.exec(text) ?? []
  const columns = await proven.locator('th[scope=row]').allTextContents()
  expect(tx, text).not.toBe('')
  return { isGreen, text, tx, value, columns }
}

type Kind = 'key' | 'tx' | 'document' | 'row'

/** An operator who looks at one thing after the other, and what was shown in green. */
class Operator {
  readonly #console: ConsolePage
  readonly #server: LyingServer
  readonly #shown: Shown
  readonly trust: TrustPage
  #results = 0

  constructor(console: ConsolePage, server: LyingServer, shown: Shown) {
    this.#console = console
    this.#server = server
    this.#shown = shown
    this.trust = new TrustPage(console)
  }

  get #page() {
    return this.#console.page
  }

  async isAlarmed(): Promise<boolean> {
    return (await this.trust.bar.count()) > 0
  }

  /** Some rounds of looking at one kind of thing, while the server goes on lying. */
  async look(kind: Kind, rounds: number): Promise<void> {
    if (await this.isAlarmed()) return
    await this.#goTo(kind)
    for (let round = 0; round < rounds && !(await this.isAlarmed()); round += 1) {
      this.#server.grow()
      if (this.#server.liar.chance(0.2)) await this.trust.checkNow()
      else await this.#verify(kind)
    }
  }

  async #goTo(kind: Kind): Promise<void> {
    const places = { key: 'Keys', tx: 'Verify', document: 'Verify', row: 'Query' } as const
    await this.#console.link(places[kind]).click()
    if (kind === 'key') await new KeysPage(this.#page).get('balance')
    if (kind === 'tx' || kind === 'document') await this.#tab('Check')
  }

  #tab(name: string): Promise<void> {
    return this.#page.getByRole('tab', { name, exact: true }).click()
  }

  async #verify(kind: Kind): Promise<void> {
    const verification = new VerifyPage(this.#console)
    if (kind === 'key') await this.#askKey()
    else if (kind === 'row') await this.#askRow(verification)
    else await this.#askObject(kind)
    const drawer = verification.drawer()
    await drawer.waitFor()
    const found = await told(drawer, /^What is proven/)
    if (found) this.#note(kind, found)
    await verification.close()
  }

  async #askKey(): Promise<void> {
    await new KeysPage(this.#page).button('Refresh the keys').click()
    await this.#page.getByRole('button', { name: 'Verify', exact: true }).click()
  }

  async #askRow(verification: VerifyPage): Promise<void> {
    await this.#console.runSql('SELECT id, amount FROM payments')
    this.#results += 1
    await this.#console.grid(this.#results).waitFor()
    await verification.pressV(this.#results, '1')
  }

  async #askObject(kind: 'tx' | 'document'): Promise<void> {
    const name = kind === 'tx' ? 'A transaction' : 'A document'
    const form = this.#page.getByRole('form', { name })
    if (kind === 'tx') {
      const newest = this.#server.newest?.id ?? 1
      const below = this.#server.liar.below(newest) + 1
      await form.getByLabel('Number').fill(String(this.#server.liar.chance(0.5) ? newest : below))
    } else {
      await form.getByLabel('Collection').fill('notes')
      await form.getByLabel('Document id').fill(documentId.toString('hex'))
    }
    await form.getByRole('button', { name: 'Verify' }).click()
  }

  #note(kind: Kind | 'file', { isGreen, tx, value, text, columns }: Told): void {
    if (isGreen && kind !== 'tx') expect(value, text).not.toBe('')
    this.#shown.add(isGreen, kind === 'file' ? 'key' : kind, tx, kind === 'tx' ? text : value)
    if (kind !== 'row' || !isGreen) return
    const column = columns.at(-1)?.replace(/VARCHAR$/, '') ?? ''
    if (!this.#server.hasCalled(column)) {
      this.#shown.contradictions.push(`tx ${tx} shows a column ${column}, which nothing calls so`)
    }
  }

  /** Has the history read, and whatever comes after it. */
  async audit(): Promise<void> {
    await this.#console.link('Verify').click()
    await this.#tab('Deep audit')
    const part = this.#page.getByRole('region', { name: /^Check every transaction as it arrives/ })
    await part.getByRole('button', { name: 'Turn on…' }).click()
    await this.#console.dialog.getByRole('button', { name: 'Turn on', exact: true }).click()
    await this.#page.getByRole('button', { name: 'Start the audit', exact: true }).click()
    const report = this.#page.getByRole('article', { name: /^Report: / })
    await report.or(this.trust.bar).first().waitFor()
  }

  /** Opens a file that is made up about a state that this browser has recorded. */
  async openFile(name: string, uuid: string): Promise<void> {
    if (await this.isAlarmed()) return
    const { liar, newest = null } = this.#server
    const txs = liar.chance(0.6) ? chainOf(newest) : liar.txs
    const tx = liar.one(txs.filter((one) => liar.someEntry(one, 'get')))
    if (!tx || !newest) return
    const buffer = Buffer.from(await madeUpEvidence(liar, tx, newest, uuid))
    await this.#console.link('Verify').click()
    await this.#tab('Evidence')
    const file = { name, mimeType: 'application/json', buffer }
    await this.#page.getByLabel('Evidence file', { exact: true }).setInputFiles(file)
    const report = this.#page.getByRole('article', { name: /^Evidence: / })
    await report.getByText(name).waitFor()
    const found = await told(report, /^Proven content/)
    if (found) this.#note('file', found)
  }
}

/** The content of an invented file about a transaction and a fitting state. */
async function madeUpEvidence(
  liar: Liar,
  tx: Tx,
  trusted: Tx,
  uuid: string | null,
): Promise<string> {
  const response = entryAnswer(liar, tx, trusted)
  const context = {
    db: 'defaultdb',
    trusted: { txId: String(trusted.id), txHash: base64(trusted.alh) },
    publicKey: null,
  }
  const request = { keyRequest: { key: lyingKey }, proveSinceTx: String(trusted.id) }
  const asked = { kind: 'get', what: 'key balance', context, request, response } as const
  const outcome = await verify('get', context, request, response).then(
    (verified) => ({ kind: 'ok', verified }) as const,
    (refusal) => ({ kind: 'refused', refusal }) as const,
  )
  const server = { ...about.server, uuid }
  return writeEvidence({ ...asked, at: 1_767_323_045_000, outcome }, { ...about, server })
}

/** What a server calls itself. */
async function uuidOf(url: string): Promise<string> {
  const health = await fetch(`${url}/api/health`)
  const uuid = health.headers.get('grpc-metadata-immudb-uuid') ?? ''
  expect(uuid).toMatch(/^\w{20}$/)
  return uuid
}

/** `SERIES=100 npm run e2e -- adversary` for more. */
const seeds = Array.from({ length: Number(process.env.SERIES ?? 2) }, (_, at) => 11 + at)

describe('a server that builds histories as it likes', () => {
  test(
    'never gets contradicting values shown in green',
    async ({ server: real, proxy, open }) => {
      const db = await api(real.url)
      await db.exec(realTable)
      await db.exec(realRow)
      const shown = new Shown()
      const uuid = await uuidOf(real.url)
      for (const [at, seed] of seeds.entries()) {
        shown.startOver()
        const isAudited = at % 2 === 1
        const server = new LyingServer(proxy, randomOf(seed), isAudited)
        const console = await open(proxy.url)
        const operator = new Operator(console, server, shown)
        await console.enter('/verify')
        await operator.trust.chipSaying(/^Trust: (First contact|Consistent|BROKEN)/).waitFor()
        if (isAudited) await operator.audit()
        server.liar.turn()
        await operator.look('key', 4)
        await operator.look('row', 3)
        await operator.look('tx', 2)
        if (server.liar.hasCollections) await operator.look('document', 2)
        await operator.openFile(`made-up-${seed}.json`, uuid)
        await shot(console.page, `adversary-${seed}`)
        await console.page.close()
      }
      expect(shown.contradictions).toEqual([])
      // A liar that is never believed, or always believed, tests nothing.
      expect(shown.green).toBeGreaterThan(0)
      expect(shown.green).toBeLessThan(shown.verdicts)
    },
    60_000 + 30_000 * seeds.length,
  )

  test('never gets a green report of an audit whose values it withheld', async ({
    proxy,
    open,
  }) => {
    new LyingServer(proxy, honest, false)
    const console = await open(proxy.url)
    await console.enter('/verify?tab=audit')
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
    await console.enter('/verify')
    await new TrustPage(console).chipSaying(/^Trust: (First contact|Consistent)/).waitFor()
    const uuid = await uuidOf(server.url)
    await page.getByRole('tab', { name: 'Evidence' }).click()
    const liar = new Liar(honest)
    // Of numbers that the real history does not have.
    while (liar.txs.length < 20) liar.grow(undefined)
    const [tx, , trusted] = liar.txs.slice(16)
    if (!tx || !trusted) throw new Error('the liar built nothing')
    for (const [name, of] of [
      ['no server', null],
      ['this server', uuid],
    ] as const) {
      await page.getByLabel('Evidence file', { exact: true }).setInputFiles({
        name: `${name}.json`,
        mimeType: 'application/json',
        buffer: Buffer.from(await madeUpEvidence(liar, tx, trusted, of)),
      })
      await page.getByText(`${name}.json`).first().waitFor()
      await page.getByText(/^(Consistent in itself|The proof fits its own)/).waitFor()
      expect(await page.getByRole('main').locator('.text-verified').count()).toBe(0)
      await shot(page, `adversary-evidence-${name.replace(' ', '-')}`)
    }
  })
})
