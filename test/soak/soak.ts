import type { Request } from 'playwright-core'
import { formatTx } from '../../src/lib/text'
import { openBrowser, type Visit, visit } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy'
import { type ImmudbServer, startServer } from '../support/immudb'
import { keepShot } from '../support/shots'
import { isRefusedUnrun } from '../support/watch'
import { databases, type Intent, keyOf, newIntent, timesSent } from './intent'
import { Operator } from './operator'
import { Random } from './random'
import { type Findings, judged, progressLine, report } from './report'
import { Truth } from './truth'
import { weatherOf } from './weather'

export type SoakOptions = {
  readonly minutes: number
  readonly seed: number
  /** Share of requests that are struck, from 0 to 1. */
  readonly share: number
  readonly say: (line: string) => void
}

const screens = ['Overview', 'Databases', 'Users', 'Query', 'Keys', 'Settings', 'Guide']

/** Runs until the time is over and reports; true when nothing happened that must never happen. */
export async function soak(options: SoakOptions): Promise<boolean> {
  const server = await startServer()
  const proxy = await startFaultProxy(server.url)
  const browser = await openBrowser()
  try {
    const profile = await visit(browser, proxy.url)
    const run = new Soak(options, server, proxy, profile)
    await run.run()
    return await run.finish()
  } finally {
    await browser.close()
    await proxy.close()
    await server.dispose()
  }
}

type Sent = { readonly path: string; readonly body: string }

class Soak {
  readonly #options: SoakOptions
  readonly #server: ImmudbServer
  readonly #proxy: FaultProxy
  readonly #profile: Visit
  readonly #random: Random
  readonly #truth: Truth
  readonly #operator: Operator
  readonly #console: ConsolePage
  readonly #intents: Intent[] = []
  /** Writes that our code sent, without what the browser sent again by itself. */
  readonly #sent: Sent[] = []
  readonly #started = performance.now()
  readonly #told = new Set<string>()
  #restarts = 0
  #reads = { good: 0, failed: 0 }
  #heapAtStart = 0
  #restart: Promise<void> = Promise.resolve()
  #finalState = ''

  constructor(options: SoakOptions, server: ImmudbServer, proxy: FaultProxy, profile: Visit) {
    this.#options = options
    this.#server = server
    this.#proxy = proxy
    this.#profile = profile
    this.#random = new Random(options.seed)
    this.#truth = new Truth(server)
    this.#console = new ConsolePage(profile, proxy.url)
    this.#operator = new Operator(this.#console)
    const sent = new Map<Request, Sent>()
    profile.page.on('request', (request) => {
      if (request.method() !== 'POST') return
      const one = { path: new URL(request.url()).pathname, body: request.postData() ?? '' }
      sent.set(request, one)
      this.#sent.push(one)
    })
    // The guard refuses a write on a used connection unread, and the console sends it again.
    profile.page.on('response', (response) => {
      const one = isRefusedUnrun(response) ? sent.get(response.request()) : undefined
      if (one) this.#sent.splice(this.#sent.indexOf(one), 1)
    })
    // What the proxy does to files of the build is told by the browser in these words.
    profile.watch.expect(
      /Failed to load (resource|module script)/,
      /dynamically imported module/,
      /MIME type/,
    )
  }

  async run(): Promise<void> {
    const { seed, minutes, share, say } = this.#options
    say(`soak: seed ${seed}, ${minutes} min, ${share * 100} % of requests struck`)
    await this.#truth.prepare()
    await this.#operator.begin()
    for (const screen of screens) await this.#operator.visit(screen)
    await this.#operator.clearOutput()
    this.#heapAtStart = await this.#heap()
    // Another stream of numbers, so that the operator's way does not hang on the requests' order.
    this.#proxy.weather(weatherOf(new Random(seed + 1), share))
    const end = this.#started + minutes * 60_000
    let nextLine = this.#started + 60_000
    let nextRestart = performance.now() + this.#random.between(60, 180) * 1_000
    while (performance.now() < end) {
      if (performance.now() > nextRestart) {
        this.#beginRestart()
        nextRestart = performance.now() + this.#random.between(120, 300) * 1_000
      }
      await this.#step()
      if (performance.now() < nextLine) continue
      this.#sayProgress()
      nextLine += 60_000
    }
  }

  /** What went wrong is said while its traces are fresh; the report has it once more. */
  #sayProgress() {
    const findings = this.#findings()
    const wrong = judged(findings)
    this.#options.say(progressLine(findings, wrong.length))
    for (const line of wrong) {
      if (this.#told.has(line)) continue
      this.#told.add(line)
      this.#options.say(`  ! ${line}`)
    }
  }

  /** Mends everything, compares the console with the server once more, and reports. */
  async finish(): Promise<boolean> {
    await this.#restart
    this.#proxy.clearFaults()
    await this.#guarded(() => this.#compareAtTheEnd())
    for (const intent of this.#intents) await this.#learn(intent)
    await this.#guarded(() => this.#operator.clearOutput())
    const heapAtEnd = await this.#heap()
    const watched = await this.#profile.end().then(
      () => [],
      () => this.#profile.watch.problems,
    )
    const findings = { ...this.#findings(), heapAtEnd, problems: [...watched] }
    this.#options.say(report(findings))
    return judged(findings).length === 0
  }

  async #compareAtTheEnd(): Promise<void> {
    await this.#operator.openQuery()
    const differences: string[] = []
    for (const database of databases) {
      await this.#operator.pickDatabase(database)
      const shown = await this.#operator.readNumber('SELECT COUNT(*) FROM soak;')
      const real = await this.#truth.rows(database)
      if (shown !== real) differences.push(`${database}: ${shown} rows shown, ${real} there`)
      const newest = formatTx(String(await this.#truth.txId(database)))
      const chip = this.#console.page.getByText(`tx ${newest}`, { exact: true })
      await chip
        .filter({ visible: true })
        .first()
        .waitFor({ timeout: 30_000 })
        .catch(() => differences.push(`${database}: tx ${newest}, the newest, is not shown`))
    }
    this.#finalState =
      differences.length === 0 ? 'signed in, as the server' : differences.join('; ')
  }

  async #step(): Promise<void> {
    const random = this.#random
    const operator = this.#operator
    const action = random.pick<() => Promise<void>>([
      [5, () => this.#write('insert')],
      [4, () => this.#write('counted')],
      [4, () => this.#write('update')],
      [5, () => this.#write('key')],
      [1.5, () => this.#write('user')],
      [6, () => this.#read()],
      [4, () => operator.type(`SELECT ${random.between(1, 1e6)}; -- draft`)],
      [4, () => this.#getKey()],
      [3, () => this.#walk()],
      [3, () => operator.pickDatabase(random.pick(databases.map((name) => [1, name] as const)))],
      [1.5, () => operator.reload()],
      [0.5, () => operator.logOut()],
    ])
    await this.#guarded(async () => {
      await operator.settle()
      await action()
    })
  }

  /** A step may fail by a fault; that is no finding, unless the console cannot be used after it. */
  async #guarded(step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      // The login form may come up at any moment, and then nothing under it can be pressed.
      if (await this.#console.logIn.isVisible().catch(() => false)) return
      const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      // The console loaded itself again, because a part of it did not arrive, while it was looked at.
      if (/Execution context was destroyed/.test(text)) return this.#operator.settle()
      // A part did not arrive and says so: anyone who presses its button must be able to go on.
      if (await this.#operator.isOfferedAgain()) return this.#operator.settle()
      this.#operator.complaints.stuck.push(text)
      this.#options.say(`  … ${text}`)
      await keepShot(this.#profile.page, `soak-stuck-${this.#operator.complaints.stuck.length}`)
    }
    await this.#operator.tidy().catch(() => {})
  }

  async #write(kind: Intent['kind']): Promise<void> {
    const intent = newIntent(this.#intents.length + 1, kind, await this.#operator.presentDatabase())
    this.#intents.push(intent)
    if (kind === 'key') await this.#operator.setKey(intent)
    else if (kind === 'user') await this.#operator.addUser(intent)
    else await this.#operator.execute(intent, () => this.#arrived(intent) > 1)
    await this.#learn(intent)
  }

  async #learn(intent: Intent): Promise<void> {
    Object.assign(intent, { stored: await this.#truth.timesStored(intent) })
  }

  #arrived(intent: Intent): number {
    return timesSent(intent, this.#proxy.seen({ method: 'POST' }))
  }

  async #read(): Promise<void> {
    const isGood = await this.#operator.read(this.#random.between(1, 1e6))
    if (isGood) this.#reads.good += 1
    else this.#reads.failed += 1
  }

  async #getKey(): Promise<void> {
    const keys = this.#intents.filter(({ kind }) => kind === 'key')
    const intent = keys[this.#random.between(0, keys.length - 1)]
    if (intent) await this.#operator.getKey(keyOf(intent))
  }

  async #walk(): Promise<void> {
    for (const screen of screens) await this.#operator.visit(screen)
  }

  #beginRestart() {
    this.#restarts += 1
    const signal = this.#random.chance(0.5) ? 'SIGKILL' : 'SIGTERM'
    this.#restart = this.#server.restart(signal)
  }

  async #heap(): Promise<number> {
    const session = await this.#profile.context.newCDPSession(this.#profile.page)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    await session.detach()
    return usedSize
  }

  #findings(): Findings {
    return {
      seconds: (performance.now() - this.#started) / 1_000,
      seen: this.#proxy.seen(),
      sent: this.#sent,
      intents: this.#intents,
      reads: this.#reads,
      restarts: this.#restarts,
      complaints: this.#operator.complaints,
      problems: this.#profile.watch.problems,
      heapAtStart: this.#heapAtStart,
      heapAtEnd: 0,
      finalState: this.#finalState,
    }
  }
}
