import type { BrowserContext, ConsoleMessage, Page, Request, Response } from 'playwright-core'

/** The one address of another origin that a page may ask, while a screen shows metrics. */
const metricsAddress = /^https?:\/\/[^/]+:9497\/metrics$/

/** Addresses that no server is asked for. */
const withoutServer = /^(data|blob|about|chrome-error):/

/** The browser's own line for each answer of 400 and above, which is normal for the API. */
const failedLoad = /^Failed to load resource/
const mayFail = /\/api\/|\/metrics(\?|$)/

/** WebKit's own line for each request that a page leaves unanswered when it is left. */
const leftBehind = /^Fetch API cannot load .* due to access control checks\.$/m

/**
 * What a browser asks for, late, of the origin of a page that names no icon, such as the page that
 * each profile is emptied on; the next test has begun by then. Every page of the console names one.
 */
const guessedIcon = /^https?:\/\/[^/]+\/favicon\.ico$/

/**
 * How often a page may send one request, the same in method, address and body. The state is asked
 * for after each write, and a program may write fast.
 */
const mostAlike = { times: 60, within: 3_000 }

/** A marked write that came on a connection in use: not run, and sent again by the console. */
export function isRefusedUnrun(response: Response): boolean {
  return response.status() === 409 && response.headers()['webconsole-fresh'] === 'required'
}

/**
 * Watches every page of a browser context for events that must never happen: policy violations,
 * uncaught errors, requests to another origin or without end, injected markup, leaked secrets.
 */
export class Watch {
  #origin = ''
  #problems: string[] = []
  #requests: string[] = []
  /** When each request was sent, the last times of each. */
  #sent = new Map<string, number[]>()
  #console: string[] = []
  #expected: RegExp[] = []
  #secrets = new Set<string>()
  #pages: Page[] = []

  /** @param tellsBodies whether the browser tells what it sends; requests are compared by it */
  constructor(private readonly tellsBodies: boolean) {}

  /** Forgets what it saw: from now on the pages may talk to the origin of `base` only. */
  begin(base: string): void {
    this.#origin = new URL(base).origin
    this.#problems = []
    this.#requests = []
    this.#sent = new Map()
    this.#console = []
    this.#expected = []
    this.#secrets = new Set()
    this.#pages = this.#pages.filter((page) => !page.isClosed())
  }

  /** Starts watching; before the first page of the context is opened. */
  async attach(context: BrowserContext): Promise<void> {
    await context.exposeBinding('__violation', (_source, text: string) => {
      this.#problems.push(`policy violation: ${text}`)
    })
    await context.addInitScript(reportViolations)
    for (const page of context.pages()) this.#follow(page)
    context.on('page', (page) => this.#follow(page))
    context.on('console', (message) => this.#hear(message))
    context.on('weberror', (error) => {
      const { message, stack } = error.error()
      const text = stack || message
      if (!leftBehind.test(text)) this.#problem(`uncaught: ${text}`)
    })
    context.on('request', (request) => this.#see(request))
    context.on('response', async (response) => {
      if (isRefusedUnrun(response)) this.#requests.splice(this.#requests.indexOf(response.url()), 1)
      if (!/\/api\/(login|db\/use\/)/.test(response.url()) || !response.ok()) return
      const token = tokenOf(await response.text().catch(() => ''))
      if (token) this.keepSecret(token)
    })
  }

  /** Allows problems whose text matches; a test says so where it causes them. */
  expect(...patterns: readonly RegExp[]) {
    this.#expected.push(...patterns)
  }

  /** Allows parts of the build to be missing, in a test whose server goes away. */
  expectAway() {
    this.expect(
      /ERR_(CONNECTION_(REFUSED|RESET)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INTERNET_DISCONNECTED)/,
      /Failed to fetch dynamically imported module/,
    )
  }

  /** A text that must not appear in addresses, titles, documents or the console. */
  keepSecret(text: string) {
    this.#secrets.add(text)
  }

  /** Addresses of the requests so far that were not refused for their connection, oldest first. */
  get requests(): readonly string[] {
    return this.#requests
  }

  /** What should not have happened, so far. */
  get problems(): readonly string[] {
    return this.#problems
  }

  /** Whether a page has asked another origin, which may have left something there. */
  get hasLeft(): boolean {
    return this.#requests.some((url) => this.#isElsewhere(url))
  }

  get secrets(): readonly string[] {
    return [...this.#secrets]
  }

  /** Throws with everything that should not have happened. */
  async assertClean(): Promise<void> {
    for (const page of this.#pages.filter((one) => !one.isClosed())) await this.#inspect(page)
    this.#searchSecrets('a request address', this.#requests)
    this.#searchSecrets('the console', this.#console)
    if (this.#problems.length > 0) {
      throw new Error(`the page did what it must not:\n- ${this.#problems.join('\n- ')}`)
    }
  }

  #follow(page: Page) {
    this.#pages.push(page)
    page.on('crash', () => this.#problem('the renderer crashed'))
  }

  #hear(message: ConsoleMessage) {
    const text = message.text()
    this.#console.push(text)
    if (message.type() !== 'error') return
    const { url } = message.location()
    const mayBeMissing = mayFail.test(url) || guessedIcon.test(url)
    if (!failedLoad.test(text) || !mayBeMissing) this.#problem(`console error: ${text} (${url})`)
  }

  #isElsewhere(url: string): boolean {
    return !withoutServer.test(url) && !this.#isOfOrigin(url) && !metricsAddress.test(url)
  }

  #isOfOrigin(url: string): boolean {
    return new URL(url).origin === this.#origin
  }

  #see(request: Request) {
    const url = request.url()
    this.#requests.push(url)
    if (withoutServer.test(url)) return
    if (this.#isElsewhere(url)) this.#problem(`request to another origin: ${url}`)
    this.#countAlike(request)
  }

  /** Finds pages that ask again as soon as they are answered. */
  #countAlike(request: Request) {
    if (request.url().endsWith('/db/state')) return
    // Pages of a list have one address, and differ in the body alone.
    if (!this.tellsBodies && request.method() !== 'GET') return
    const name = `${request.method()} ${request.url()}`
    const alike = `${name} ${request.postData() ?? ''}`
    const now = performance.now()
    const sent = [...(this.#sent.get(alike) ?? []), now].slice(-mostAlike.times)
    this.#sent.set(alike, sent)
    const [first = now] = sent
    if (sent.length < mostAlike.times || now - first > mostAlike.within) return
    this.#sent.delete(alike)
    this.#problem(
      `the same request ${mostAlike.times} times in ${Math.round(now - first)} ms: ${name}`,
    )
  }

  async #inspect(page: Page) {
    const found = await page.evaluate(() => ({
      isPwned: '__pwn' in window,
      title: document.title,
      address: location.href,
      markup: document.documentElement.outerHTML,
      pollution: Object.keys(Object.prototype).join(),
    }))
    if (found.isPwned) this.#problem('window.__pwn is set: stored text ran as a script')
    if (found.pollution) this.#problem(`Object.prototype has ${found.pollution}`)
    this.#searchSecrets('the address', [found.address])
    this.#searchSecrets('the title', [found.title])
    this.#searchSecrets('the document', [found.markup])
  }

  #searchSecrets(place: string, texts: readonly string[]) {
    for (const secret of this.#secrets) {
      if (texts.some((text) => text.includes(secret))) {
        this.#problem(`a secret (${secret.slice(0, 12)}…) is in ${place}`)
      }
    }
  }

  #problem(text: string) {
    if (!this.#expected.some((pattern) => pattern.test(text))) this.#problems.push(text)
  }
}

function tokenOf(body: string): string | undefined {
  const found = /"token":\s*"([^"]+)"/.exec(body)
  return found?.[1]
}

/** Runs in the page. */
function reportViolations() {
  document.addEventListener('securitypolicyviolation', (event) => {
    const report = Reflect.get(window, '__violation')
    const where = event.blockedURI || event.sample || event.sourceFile
    if (typeof report === 'function') report(`${event.effectiveDirective} ${where}`)
  })
}
