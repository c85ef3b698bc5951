import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { type Api, api } from '../support/api'
import { type Browser, type Visit, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { TrustPage } from '../support/trust-page'
import { VerifyPage } from '../support/verify-page'
import { drawerSettled, drawn, type Seen, seen, verdictBoxes } from './judge'
import { keepCopy, putBack } from './profile'
import type { Readied } from './server'
import { type Exchange, type Lie, startTampering, type TamperingProxy } from './tampering-proxy'
import type { Facts, Walk } from './walk'

/** One turn of a walk. */
export type Turn = {
  /** What was drawn of the object before it was verified; null where it never was. */
  readonly before: string | null
  /** The same once it is said what came of it. */
  readonly after: string | null
  /** What is said; null where nothing is. */
  readonly seen: Seen | null
  readonly exchanges: readonly Exchange[]
  /** How many of the exchanges were over before it was verified. */
  readonly read: number
  /** Where it ended early, and why. */
  readonly stopped: string | null
}

/** Longest wait for a screen of an honest server, and for one that may refuse what it was told. */
const patience = { honest: 30_000, lied: 4_000 }

/** The chip of the header once it is told what is known of the history. */
const known = ['First', 'Consistent', 'Imported', 'BROKEN']
  .map((word) => `[data-trust][aria-label^="Trust: ${word}"]`)
  .join()

/** Wide and high enough that a row with a column of each type is drawn whole. */
const viewport = { width: 2200, height: 1400 }

/** Side by side; a walk mostly waits for one of the programs that it goes through. */
export const lanesAtOnce = 3

/** A browser profile behind an opponent of its own, so that walks can be gone side by side. */
export class Lane {
  readonly page: Page
  readonly #context: BrowserContext
  readonly #proxy: TamperingProxy
  readonly #readied: Readied
  #file = ''
  readonly #apis = new Map<string, Api>()

  private constructor(one: Visit, proxy: TamperingProxy, readied: Readied) {
    this.page = one.page
    this.#context = one.context
    this.#proxy = proxy
    this.#readied = readied
  }

  /** Opens a profile that has followed and audited the history of these databases. */
  static async open(browser: Browser, readied: Readied): Promise<Lane> {
    const proxy = await startTampering(readied.url)
    const one = await visit(browser, proxy.url, { viewport, isNew: true })
    // Outside of Vitest functions are compiled so that they tell their names, which pages cannot.
    await one.context.addInitScript('globalThis.__name = (given) => given')
    const lane = new Lane(one, proxy, readied)
    const console = new ConsolePage(one, proxy.url)
    const trust = new TrustPage(console)
    const verify = new VerifyPage(console)
    for (const [at, database] of readied.databases.entries()) {
      if (at === 0) await console.enter(`/verify?tab=audit&db=${database}`)
      else await console.open(`/verify?tab=audit&db=${database}`)
      await trust.known()
      await verify.audit(database)
    }
    lane.#file = await evidenceOf(console)
    await keepCopy(lane.page, proxy.url)
    return lane
  }

  async close(): Promise<void> {
    await this.#context.close()
    await this.#proxy.close()
  }

  /** Goes the walk once, with one lie or none, as if nothing had been before. */
  async go(walk: Walk, lie?: Lie): Promise<Turn> {
    const { page } = this
    const timeout = lie ? patience.lied : patience.honest
    const { facts } = this.#readied
    const file = lie?.on === 'file' ? lie.alter(this.#file) : this.#file
    const here = { page, base: this.#proxy.url, facts, file }
    this.#proxy.begin()
    await putBack(page, this.#proxy.url)
    await walk.before?.(await this.#api(walk), this.#readied.facts)
    page.setDefaultTimeout(timeout)
    this.#proxy.begin(lie)
    let before: string | null = null
    let after: string | null = null
    let read = 0
    const turn = (said: Seen | null, stopped: string | null): Turn => ({
      before,
      after,
      seen: said,
      exchanges: this.#proxy.exchanges,
      read,
      stopped,
    })
    try {
      await page.goto(this.#proxy.url + walk.path(this.#readied.facts))
      // By its attribute: a drawer that is open from the address hides the rest from those who listen.
      await page.locator(known).first().waitFor()
      await walk.arrive?.(here)
      const region = walk.region(page)
      await region.first().waitFor()
      await this.#calm()
      before = await drawn(region)
      read = this.#proxy.exchanges.length
      // What was sent and has no mark yet is told of by the same place as what was read.
      await walk.press?.(here)
      if (!walk.mark) await drawerSettled(page, timeout)
      const mark = walk.mark?.(page) ?? verdictBoxes(page)
      const refusal = page.getByRole('alert')
      await mark.or(refusal).first().waitFor()
      await this.#calm()
      await page.getByText('Verifying…', { exact: true }).first().waitFor({ state: 'hidden' })
      after = await drawn(region)
      // A warning beside a green mark does not take the mark back.
      return turn(await seen((await mark.count()) > 0 ? mark : refusal), null)
    } catch (error) {
      const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      return turn(null, why)
    }
  }

  async #api({ database = 'defaultdb' }: Walk): Promise<Api> {
    const known = this.#apis.get(database) ?? (await api(this.#readied.url, { database }))
    this.#apis.set(database, known)
    return known
  }

  /** Waits until nothing is asked and the page has drawn what it has. */
  async #calm(): Promise<void> {
    let asked = -1
    for (;;) {
      await this.page.evaluate(drawnAll)
      const { length } = this.#proxy.exchanges
      if (!this.#proxy.isBusy && length === asked) return
      asked = length
    }
  }

  /** What went wrong in an honest turn, in a picture. */
  async picture(path: string): Promise<void> {
    await this.page.screenshot({ path })
  }

  /** A file of evidence that this browser saved. */
  get file(): string {
    return this.#file
  }

  get facts(): Facts {
    return this.#readied.facts
  }
}

/** The evidence of a key, of a history that this browser follows. */
async function evidenceOf(console: ConsolePage): Promise<string> {
  await console.open('/keys?db=shown&key=pay')
  const { page } = console
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  const verify = new VerifyPage(console)
  await verify.verified()
  const saved = await verify.saveEvidence()
  return readFile(await saved.path(), 'utf8')
}

/** Runs in the page: until two pictures were drawn and there is nothing to do. */
function drawnAll(): Promise<unknown> {
  return new Promise((resolve) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 1_000 })),
    ),
  )
}
