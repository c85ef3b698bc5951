import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, webkit } from 'playwright-core'
import { freePorts } from './free-port'
import { type InsidePage, inSeries, insideOf, writeText } from './inside-playwright'
import { installFromDebian, isDebian, isProgram, onPath } from './installed'
import { slowHand } from './slow'
import { until } from './until'

/*
 * WebKitGTK as users have it, by two doors at once. Playwright drives a WebKit that it did not build
 * over the protocol of its inspector, for which it was made to drive Safari of phones: all of its
 * interface is there, with requests, messages and scripts before a page. What this protocol lacks goes
 * over WebDriver: keys and presses as a user's, windows and their sizes. Saved files are found in
 * their folder.
 */

type Size = { readonly width: number; readonly height: number }

type WebKitBrowser = {
  _syncTabs(): Promise<void>
  downloadCreated(page: object, id: string, url: string, name: string, file: string): void
  downloadFinished(id: string): void
}

type WebKitContext = {
  doCreateNewPage(): Promise<WebKitPage>
  possiblyUninitializedPages(): readonly WebKitPage[]
}

type WebKitPage = InsidePage & {
  emulatedSize(): { readonly viewport: Size } | null
  readonly delegate: {
    readonly rawKeyboard: Keyboard
    readonly rawMouse: Mouse
    shouldToggleStyleSheetToSyncAnimations(): boolean
    updateEmulatedViewportSize(): Promise<void>
    readonly _requestIdToRequest: Map<
      string,
      { readonly request: { isNavigationRequest(): boolean } }
    >
    readonly _session: { send(method: string): Promise<unknown> }
    _onFrameNavigated(frame: unknown, initial: boolean): void
    _onExecutionContextCreated(context: unknown): void
    _onLoadingFinished(event: unknown): void
    _onLoadingFailed(session: unknown, event: LoadingFailed): void
    bringToFront(): Promise<void>
    setInputFilePaths(progress: unknown, handle: FileInput, paths: readonly string[]): Promise<void>
  }
}

type LoadingFailed = { readonly requestId: string; readonly errorText: string }

type Key = { readonly key: string; readonly text?: string }

type Keyboard = {
  keydown(progress: unknown, held: unknown, name: string, key: Key): Promise<void>
  keyup(progress: unknown, held: unknown, name: string, key: Key): Promise<void>
  sendText(progress: unknown, text: string): Promise<void>
}

type Mouse = {
  move(progress: unknown, x: number, y: number): Promise<void>
  down(progress: unknown, x: number, y: number, button: string): Promise<void>
  up(progress: unknown, x: number, y: number, button: string): Promise<void>
}

type Payload = { readonly name: string; readonly mimeType: string; readonly buffer: string }

type FileInput = {
  evaluateInUtility<A>(
    run: (
      given: [{ setInputFiles(node: Node, files: readonly Payload[]): void }, Node, A],
    ) => unknown,
    given: A,
  ): Promise<unknown>
}

type Programs = { readonly driver: string; readonly browser: string; readonly display: string }

export function findWebKit(): Programs | undefined {
  const driver = onPath(['WebKitWebDriver']).find(isProgram)
  const display = onPath(['Xvfb']).find(isProgram)
  const browser = miniBrowsers().find(isProgram)
  return driver && browser && display ? { driver, browser, display } : undefined
}

/** Debian keeps it apart from users' programs, below the machine's kind and the interface's version. */
function miniBrowsers(): string[] {
  const libraries = '/usr/lib'
  if (!existsSync(libraries)) return []
  return readdirSync(libraries)
    .filter((name) => name.endsWith('-linux-gnu'))
    .flatMap((kind) =>
      readdirSync(join(libraries, kind)).map((name) => join(libraries, kind, name)),
    )
    .filter((path) => basename(path).startsWith('webkit2gtk-4.'))
    .map((path) => join(path, 'MiniBrowser'))
}

/** Finds WebKitGTK or installs it; false when it cannot. */
export function ensureWebKit(): boolean {
  if (!findWebKit() && isDebian) installFromDebian('webkit2gtk-driver', 'xvfb')
  return findWebKit() !== undefined
}

/** What of Playwright's browser the tests use; each profile is a browser of its own. */
export type WebKitEngine = {
  newContext(options: BrowserContextOptions): Promise<BrowserContext>
  close(): Promise<void>
}

/** Starts a display that no one sees, for browsers with a window each. */
export async function openWebKit(): Promise<WebKitEngine> {
  const found = findWebKit()
  if (!found) throw new Error('no WebKitGTK found: Debian has it as webkit2gtk-driver, with xvfb')
  const screen = ['-displayfd', '1', '-screen', '0', '1920x1400x24', '-nolisten', 'tcp']
  // On a busy machine a key that is let go of late would count as held, and repeat itself.
  screen.push('-r')
  const display = spawn(found.display, screen, { stdio: ['ignore', 'pipe', 'ignore'] })
  endWithThisProcess(display)
  const number = await firstLine(display)
  const opened = new Set<BrowserContext>()
  return {
    async newContext(options) {
      const context = await openProfile(found, number, options)
      opened.add(context)
      context.once('close', () => opened.delete(context))
      return context
    },
    async close() {
      await Promise.all([...opened].map((context) => context.close()))
      display.kill()
    },
  }
}

/** Leaves no program behind when a run is given up. */
function endWithThisProcess(program: ChildProcess) {
  const kill = () => program.kill('SIGKILL')
  process.once('exit', kill)
  program.once('exit', () => process.off('exit', kill))
}

function firstLine(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    program.once('exit', (code) => reject(new Error(`${program.spawnfile} ended with ${code}`)))
    program.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
  })
}

async function openProfile(
  programs: Programs,
  display: string,
  { viewport, reducedMotion }: BrowserContextOptions,
): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), 'webkit-'))
  const downloads = join(folder, 'downloads')
  mkdirSync(downloads)
  writeFileSync(join(folder, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)
  // Two presses are a double click on a busy machine, too.
  mkdirSync(join(folder, 'gtk-3.0'))
  const settings = '[Settings]\ngtk-double-click-time=1000\n'
  writeFileSync(join(folder, 'gtk-3.0', 'settings.ini'), settings)
  const { window, port, inspector, target } = await openWindow(programs, display, folder)
  const tabs = await tabList(inspector)
  const driver = spawn(programs.driver, [`--port=${port}`, `--target=127.0.0.1:${target}`], {
    stdio: 'ignore',
  })
  endWithThisProcess(driver)
  const session = await Session.open(`http://127.0.0.1:${port}`)
  const browser = await webkit.connectOverCDP(tabs.address, {
    slowMo: slowHand,
    artifactsDir: downloads,
  })
  const [context] = browser.contexts()
  if (!context) throw new Error('WebKit has no window')
  await fillIn(context, { session, tabs, downloads, browser: insideOf(browser) })
  const [first] = context.pages()
  if (!first) throw new Error('WebKit has no page')
  await first.setViewportSize(viewport ?? { width: 1280, height: 720 })
  await first.emulateMedia({ reducedMotion: reducedMotion ?? null })
  const goTo = first.goto.bind(first)
  first.goto = async (url, options) => {
    if (!url.startsWith('file:')) return goTo(url, options)
    // The inspector opens no file, but who drives the window may.
    await session.to(await session.window(), '/url', { url })
    return null
  }
  let isFirst = true
  const newPage = context.newPage.bind(context)
  context.newPage = async () => {
    if (isFirst) {
      isFirst = false
      return first
    }
    const page = await newPage()
    await page.emulateMedia({ reducedMotion: reducedMotion ?? null })
    return page
  }
  context.close = async () => {
    await browser.close()
    await session.end()
    driver.kill()
    window.kill()
    tabs.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return context
}

type Window = {
  readonly window: ChildProcess
  /** Ports that are free for its driver, on which its inspector listens, and on which it does. */
  readonly port: number
  readonly inspector: number
  readonly target: number
}

/** Starts a window. One that ends before it listens, as where a port was taken, starts anew, twice. */
async function openWindow(
  programs: Programs,
  display: string,
  folder: string,
  left = 2,
): Promise<Window> {
  const [port = 0, inspector = 0] = await freePorts(2)
  const window = spawn(programs.browser, ['--automation'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${display}`,
      GDK_BACKEND: 'x11',
      // The processor draws at once; for layers and for Skia it would first play a graphics card.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
      LANG: 'en_GB.UTF-8',
      LANGUAGE: 'en_GB',
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CACHE_HOME: folder,
      WEBKIT_INSPECTOR_HTTP_SERVER: `127.0.0.1:${inspector}`,
    },
  })
  endWithThisProcess(window)
  const target = await until(
    () => (hasEnded(window) ? null : portsOf(window).find((one) => one !== inspector)),
    (found) => found !== undefined,
  )
  if (typeof target === 'number') return { window, port, inspector, target }
  if (left === 0) throw new Error('WebKit ends as soon as it is started')
  return openWindow(programs, display, folder, left - 1)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

/**
 * The ports on which a program listens. WebKit takes the one for its driver by itself, once it has
 * been given one for its inspector.
 */
function portsOf({ pid }: ChildProcess): number[] {
  // It may end at any time.
  if (!existsSync(`/proc/${pid}/net/tcp`)) return []
  const files = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const isIts = state === '0A' && files.includes(`socket:[${inode}]`)
    return isIts ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
  })
}

/** Where a link leads, unless its file is closed by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

type TabList = { readonly address: string; add(): void; close(): void }

/** Tells Playwright which pages there are, in the words of the proxy that it knows. */
async function tabList(inspector: number): Promise<TabList> {
  const places = async () => {
    const ask = fetch(`http://127.0.0.1:${inspector}/`).then((answer) => answer.text())
    // It may not listen yet.
    const page = await ask.catch(() => '')
    return page.match(/\/socket\/\d+\/\d+\/WebPage/g) ?? []
  }
  const known: string[] = []
  const server = createServer((_request, response) => {
    const tabs = known.map((place) => ({
      webSocketDebuggerUrl: `ws://127.0.0.1:${inspector}${place}`,
    }))
    response.end(JSON.stringify(tabs))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The browser tells of its first page a moment after it has it, and of no other once it has a driver.
  known.push(...(await until(places, (found) => found.length > 0)))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    // What the browser tells of has numbers one after the other; the second was the driver's session.
    add: () => known.push(`/socket/1/${known.length + 2}/WebPage`),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A window of a browser over WebDriver; commands to different windows take turns. */
class Session {
  readonly #base: string
  #shown = ''
  #last: Promise<unknown> = Promise.resolve()

  private constructor(base: string) {
    this.#base = base
  }

  static async open(base: string): Promise<Session> {
    const isReady = () =>
      fetch(`${base}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until(isReady, (ready) => ready)
    const { sessionId } = await send<{ sessionId: string }>(base, 'POST', '/session', {
      capabilities: {},
    })
    return new Session(`${base}/session/${sessionId}`)
  }

  /** The window that new commands would go to. */
  window(): Promise<string> {
    return this.#inTurn(() => send(this.#base, 'GET', '/window'))
  }

  newWindow(): Promise<string> {
    return this.#inTurn(async () => {
      // A tab of the same window would stand still while it is not seen.
      const what = { type: 'window' }
      return (await send<{ handle: string }>(this.#base, 'POST', '/window/new', what)).handle
    })
  }

  to<T>(window: string, path: string, body: unknown): Promise<T> {
    return this.#inTurn(async () => {
      if (this.#shown !== window) await send(this.#base, 'POST', '/window', { handle: window })
      this.#shown = window
      return send<T>(this.#base, 'POST', path, body)
    })
  }

  async end(): Promise<void> {
    await this.#inTurn(() => send(this.#base, 'DELETE', '')).catch(() => undefined)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work)
    this.#last = done.catch(() => undefined)
    return done
  }
}

async function send<T>(base: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(base + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } }
  if (!answer.ok) throw new Error(`WebKitWebDriver: ${value.error}: ${value.message}`)
  return value
}

type Profile = {
  readonly session: Session
  readonly tabs: TabList
  readonly downloads: string
  readonly browser: WebKitBrowser
}

/** Gives Playwright what the protocol of the inspector lacks. */
async function fillIn(context: BrowserContext, profile: Profile): Promise<void> {
  const { session, tabs, browser } = profile
  const inside = insideOf<WebKitContext>(context)
  const pageAt = (index: number) => {
    const page = inside.possiblyUninitializedPages()[index]
    if (!page) throw new Error('WebKit has no such page')
    return page
  }
  driveWindow(pageAt(0), session, await session.window())
  inside.doCreateNewPage = async () => {
    const count = inside.possiblyUninitializedPages().length
    const window = await session.newWindow()
    tabs.add()
    await browser._syncTabs()
    driveWindow(pageAt(count), session, window)
    return pageAt(count)
  }
  followDownloads(context, profile, pageAt(0))
}

/**
 * A page that is back as it was left has its world already, of which the inspector tells only those
 * who ask anew.
 */
function findKeptPages({ delegate }: WebKitPage) {
  let isWithoutWorld = false
  const navigated = delegate._onFrameNavigated.bind(delegate)
  delegate._onFrameNavigated = (frame, initial) => {
    isWithoutWorld = !initial
    navigated(frame, initial)
  }
  const created = delegate._onExecutionContextCreated.bind(delegate)
  delegate._onExecutionContextCreated = (context) => {
    isWithoutWorld = false
    created(context)
  }
  const finished = delegate._onLoadingFinished.bind(delegate)
  delegate._onLoadingFinished = (event) => {
    finished(event)
    if (!isWithoutWorld) return
    isWithoutWorld = false
    const { _session: session } = delegate
    void session.send('Runtime.disable').then(() => session.send('Runtime.enable'))
  }
}

function driveWindow(page: WebKitPage, session: Session, window: string) {
  const { delegate } = page
  const perform = (type: 'key' | 'pointer') =>
    inSeries((actions: readonly unknown[]) => {
      const source = { type, id: type, actions }
      return session.to(window, '/actions', { actions: [source] })
    })
  const [key, pointer] = [perform('key'), perform('pointer')]
  delegate.rawKeyboard.keydown = (_progress, _held, _name, one) =>
    key({ type: 'keyDown', value: keyValue(one) })
  delegate.rawKeyboard.keyup = (_progress, _held, _name, one) =>
    key({ type: 'keyUp', value: keyValue(one) })
  delegate.rawKeyboard.sendText = (_progress, text) => writeText(page, text)
  delegate.rawMouse.move = (_progress, x, y) =>
    pointer({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 })
  delegate.rawMouse.down = (_progress, _x, _y, button) =>
    pointer({ type: 'pointerDown', button: buttonNumber(button) })
  delegate.rawMouse.up = (_progress, _x, _y, button) =>
    pointer({ type: 'pointerUp', button: buttonNumber(button) })
  findKeptPages(page)
  const failed = delegate._onLoadingFailed.bind(delegate)
  delegate._onLoadingFailed = (from, event) => {
    const requests = delegate._requestIdToRequest
    const isPage = requests.get(event.requestId)?.request.isNavigationRequest()
    // The page goes on loading in a process of its own, as its server's headers demand.
    if (isPage && event.errorText.includes('cancelled')) requests.delete(event.requestId)
    else failed(from, event)
  }
  // The policy of the page forbids the style of a picture.
  delegate.shouldToggleStyleSheetToSyncAnimations = () => false
  delegate.bringToFront = () => session.to(window, '/window', { handle: window })
  delegate.updateEmulatedViewportSize = async () => {
    const size = page.emulatedSize()?.viewport
    if (size) await resize(session, window, size)
  }
  delegate.setInputFilePaths = async (_progress, handle, paths) => {
    const files = paths.map((path) => ({
      name: basename(path),
      mimeType: 'application/octet-stream',
      buffer: readFileSync(path).toString('base64'),
    }))
    await handle.evaluateInUtility(([injected, node, all]) => {
      injected.setInputFiles(node, all)
    }, files)
  }
}

/** Makes a window so large that its page has this size. */
async function resize(session: Session, window: string, size: Size): Promise<void> {
  const inner = () =>
    session.to<[number, number]>(window, '/execute/sync', {
      script: 'return [innerWidth, innerHeight]',
      args: [],
    })
  const frame = { width: 0, height: 0 }
  await until(
    async () => {
      const outer = { width: size.width + frame.width, height: size.height + frame.height }
      const rect = await session.to<Size>(window, '/window/rect', { x: 0, y: 0, ...outer })
      const [width, height] = await inner()
      frame.width = rect.width - width
      frame.height = rect.height - height
      return [width, height]
    },
    ([width, height]) => width === size.width && height === size.height,
  )
}

/** Tells Playwright of each file that the browser has saved. */
function followDownloads(
  context: BrowserContext,
  { downloads, browser }: Profile,
  page: WebKitPage,
) {
  const told = new Set<string>()
  const timer = setInterval(() => {
    for (const name of readdirSync(downloads)) {
      if (told.has(name) || name.endsWith('.wkdownload')) continue
      told.add(name)
      browser.downloadCreated(page, name, `file://${join(downloads, name)}`, name, name)
      browser.downloadFinished(name)
    }
  }, 50)
  context.once('close', () => clearInterval(timer))
}

function buttonNumber(button: string): number {
  return { left: 0, middle: 1, right: 2 }[button] ?? 0
}

/** Keys that have no character, as WebDriver writes them. */
const keyValues = new Map([
  ['Backspace', '\uE003'],
  ['Tab', '\uE004'],
  ['Enter', '\uE007'],
  ['Shift', '\uE008'],
  ['Control', '\uE009'],
  ['Alt', '\uE00A'],
  ['Escape', '\uE00C'],
  ['PageUp', '\uE00E'],
  ['PageDown', '\uE00F'],
  ['End', '\uE010'],
  ['Home', '\uE011'],
  ['ArrowLeft', '\uE012'],
  ['ArrowUp', '\uE013'],
  ['ArrowRight', '\uE014'],
  ['ArrowDown', '\uE015'],
  ['Insert', '\uE016'],
  ['Delete', '\uE017'],
  ...Array.from(
    { length: 12 },
    (_, at) => [`F${at + 1}`, String.fromCharCode(0xe031 + at)] as const,
  ),
  ['Meta', '\uE03D'],
])

function keyValue({ key }: Key): string {
  const value = keyValues.get(key) ?? key
  if ([...value].length !== 1) throw new Error(`WebDriver has no key ${key}`)
  return value
}
