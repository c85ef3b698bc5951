import { type Browser, firefox, type Page } from 'playwright-core'
import { type InsidePage, inSeries, insideOf, writeText } from './inside-playwright'
import { installFromDebian, isDebian, isProgram, onPath } from './installed'
import { slowHand } from './slow'

/** As `contextOf` of `browser.ts` asks of Chromium, where Firefox has no other way. */
const preferences = {
  'ui.prefersReducedMotion': 1,
  // Another host name for this machine, so that plain http on it is not a secure context.
  'network.dns.localDomains': 'console.test',
}

/** What Playwright asks of a browser over WebDriver BiDi and Firefox does not know yet. */
const unknown = /^emulation\.setMediaFeaturesOverride$/

type Session = {
  send(method: string, params: unknown): Promise<unknown>
  emit(name: string, params: object): boolean
}

type Input = { _performActions(progress: unknown, actions: readonly unknown[]): Promise<void> }

type FirefoxPage = InsidePage & {
  readonly delegate: {
    readonly _session: Session & { readonly sessionId: string }
    readonly rawKeyboard: Input & { sendText(progress: unknown, text: string): Promise<void> }
    readonly rawMouse: Input
    bringToFront(): Promise<void>
    shouldToggleStyleSheetToSyncAnimations(): boolean
  }
}

/** The browser named by FIREFOX_PATH or one on the PATH. */
export function findFirefox(): string | undefined {
  return process.env.FIREFOX_PATH || onPath(['firefox-esr', 'firefox']).find(isProgram)
}

/** Finds Firefox or installs it; false when it cannot. */
export function ensureFirefox(): boolean {
  if (!findFirefox() && isDebian) installFromDebian('firefox-esr')
  return findFirefox() !== undefined
}

/** Starts a headless Firefox that Playwright drives over WebDriver BiDi. */
export async function openFirefox(): Promise<Browser> {
  const executablePath = findFirefox()
  if (!executablePath) throw new Error('no Firefox found: Debian has it as firefox-esr')
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    headless: true,
    slowMo: slowHand,
    firefoxUserPrefs: preferences,
  })
  translate(insideOf<{ readonly _browserSession: Session }>(browser)._browserSession)
  const front = new Front()
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    const newPage = context.newPage.bind(context)
    context.newPage = async () => {
      const page = await newPage()
      takeOverInput(page, front)
      return page
    }
    return context
  }
  return browser
}

/** What Firefox does not know is passed over, and a file has a name, in all sessions of the class. */
function translate(session: Session) {
  const all: Session = Object.getPrototypeOf(session)
  const { send, emit } = all
  all.send = function (method, params) {
    return unknown.test(method) ? Promise.resolve({}) : send.call(this, method, params)
  }
  const isKept = keptPages()
  all.emit = function (name, params) {
    void isKept(this, name, params).then((back) => {
      if (!back) return
      for (const event of ['navigationCommitted', 'domContentLoaded', 'load']) {
        this.emit(`browsingContext.${event}`, back)
      }
    })
    const isFile = /^browsingContext\.download(WillBegin|End)$/.test(name)
    const download = Reflect.get(params, 'download') ?? Reflect.get(params, 'url')
    return emit.call(this, name, isFile ? { ...params, download } : params)
  }
}

/**
 * Firefox tells only the beginning of the way back to a page that it kept as it was left. Resolves
 * with that when the page is back.
 */
function keptPages() {
  const begun = new Map<unknown, object>()
  return async (session: Session, name: string, params: object): Promise<object | undefined> => {
    const of = (key: string) => Reflect.get(params, key)
    if (name === 'browsingContext.navigationStarted') begun.set(of('context'), params)
    else if (name.startsWith('browsingContext.')) begun.delete(of('context'))
    const isPage = name === 'script.realmCreated' && of('type') === 'window' && !of('sandbox')
    if (!isPage || !begun.has(of('context'))) return undefined
    const answer = await session
      .send('script.evaluate', {
        // Of a page that is loaded the commit is told before this is answered.
        expression: 'document.readyState',
        target: { realm: of('realm') },
        awaitPromise: false,
      })
      .catch(() => null)
    const state = Reflect.get(Reflect.get(Object(answer), 'result') ?? {}, 'value')
    return state === 'complete' ? begun.get(of('context')) : undefined
  }
}

/**
 * The window that has the focus, of which Firefox knows one, though tests that run side by side use
 * several. In the others it types nothing into an editor.
 */
class Front {
  #window = ''
  #last: Promise<unknown> = Promise.resolve()

  /** Does something in a window once it is in front, after what was begun before. */
  use(window: FirefoxPage['delegate'], work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => {
      const { _session: session } = window
      if (this.#window !== session.sessionId) {
        await session.send('browsingContext.activate', { context: session.sessionId })
      }
      this.#window = session.sessionId
      await work()
    })
    this.#last = done.catch(() => undefined)
    return done
  }

  /** A new window is in front of all others. */
  forget() {
    this.#window = ''
  }
}

function takeOverInput(page: Page, front: Front) {
  front.forget()
  const inside = insideOf<FirefoxPage>(page)
  const { delegate } = inside
  for (const input of [delegate.rawKeyboard, delegate.rawMouse]) {
    const progress = { race: <T>(one: Promise<T>) => one }
    const perform = input._performActions.bind(input)
    const act = inSeries((actions: readonly unknown[]) =>
      front.use(delegate, () => perform(progress, actions)),
    )
    input._performActions = (_progress, actions) => act(...actions)
  }
  delegate.rawKeyboard.sendText = (_progress, text) =>
    front.use(delegate, () => writeText(inside, text))
  delegate.bringToFront = () => front.use(delegate, () => Promise.resolve())
  // The policy of the page forbids the style of a picture.
  delegate.shouldToggleStyleSheetToSyncAnimations = () => false
}
