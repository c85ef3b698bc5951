import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'
import { findChromium, findHeadlessShell, packedShell } from './chromium'
import { engine } from './engine'
import { openFirefox } from './firefox'
import { patience, slowDown, slowHand } from './slow'
import { Watch } from './watch'
import { openWebKit } from './webkit'

const assets = fileURLToPath(new URL('../../embed/dist/assets/', import.meta.url))

/** By default Chromium calls home at every start; the tests must be quiet and offline. */
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  // Another host name for this machine, so that plain http on it is not a secure context.
  '--host-resolver-rules=MAP console.test 127.0.0.1',
  // A page in few large tiles: joining many small ones is most of what its picture costs.
  '--default-tile-width=1440',
  '--default-tile-height=900',
  '--max-untiled-layer-width=1600',
  '--max-untiled-layer-height=1000',
  // Pages live for seconds: garbage need not be collected soon, only what runs very often is worth
  // compiling again, and the next page wants the same code.
  '--js-flags=--min-semi-space-size=16 --initial-heap-size=192 --invocation-count-for-maglev=3000 --no-turbofan --no-flush-bytecode',
]

/**
 * The path, below a base, of a page of its origin on which the console does not run: a picture, which
 * costs little to draw and has no icon. Answers of the API do not qualify, because our handler gives
 * them a separate origin.
 */
export function plainPage(): string {
  const picture = readdirSync(assets).find((name) => name.endsWith('.svg'))
  if (!picture) throw new Error('the build has no picture: see embed/dist/assets')
  return `/assets/${picture}`
}

export type Theme = 'dark' | 'light'

export type VisitOptions = {
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Runs in every page before anything else, such as a broken storage. */
  readonly before?: () => void
  readonly reducedMotion?: 'reduce' | 'no-preference'
  /** In a process of its own, whose memory and cache no other test has filled. */
  readonly isNew?: boolean
  /** Shown to a server that asks for a certificate, as paths of PEM files. */
  readonly certificate?: {
    readonly origin: string
    readonly certPath: string
    readonly keyPath: string
  }
}

/** One operator at one browser profile: pages share storage, everything is watched. */
export type Visit = {
  readonly context: BrowserContext
  readonly page: Page
  readonly watch: Watch
  /** A second tab of the same profile. */
  tab(): Promise<Page>
  /** Lets no other test have the profile: after a failure nobody knows what it still does. */
  spoil(): void
  /** Checks what was watched and empties or closes the profile. */
  end(): Promise<void>
}

lookUpPlacesOnce()

/**
 * Playwright asks where each of its calls comes from, to say so if it fails, and Vite looks every
 * place on the way up in its source maps: a fifth of the work of a test process. What was looked up
 * once is kept.
 */
function lookUpPlacesOnce(): void {
  const lookUp = Error.prepareStackTrace
  if (!lookUp) return
  const known = new Map<string, string>()
  Error.prepareStackTrace = (error, places) => {
    const head: string = lookUp(error, [])
    const lines = places.map((place) => {
      const at = `${place.getFileName()}:${place.getLineNumber()}:${place.getColumnNumber()}`
      const line = known.get(at) ?? String(lookUp(error, [place])).slice(head.length)
      known.set(at, line)
      return line
    })
    return head + lines.join('')
  }
}

/** What the tests use of a browser, in each engine. */
export type Browser = {
  newContext(options: BrowserContextOptions): Promise<BrowserContext>
  close(): Promise<void>
}

/** Starts the browser of this run, of Chromium the whole one or its engine alone. */
export async function openBrowser(kind: 'whole' | 'shell' = 'whole'): Promise<Browser> {
  if (engine === 'firefox') return openFirefox()
  if (engine === 'webkit') return openWebKit()
  if (kind === 'shell') return chromium.launch(launch(findHeadlessShell()))
  const options = launch()
  // It keeps pages for “back”, as users' browsers do.
  options.ignoreDefaultArgs.push('--disable-back-forward-cache')
  return chromium.launch(options)
}

function launch(executablePath = findChromium()) {
  if (!executablePath) throw new Error('no Chromium found: run "npm test", it installs one')
  const hasSandbox = process.getuid?.() !== 0 && executablePath !== packedShell
  const args = [...flags, ...(hasSandbox ? [] : ['--no-sandbox'])]
  const ignoreDefaultArgs = hasRoomInMemory() ? ['--disable-dev-shm-usage'] : []
  return { executablePath, headless: true, slowMo: slowHand, args, ignoreDefaultArgs }
}

const sharedMemory = '/dev/shm'

/**
 * Whether what the processes of a browser share fits into memory. Playwright puts it on the disk,
 * because some containers have only 64 MB for it.
 */
function hasRoomInMemory(): boolean {
  if (!existsSync(sharedMemory)) return false
  const { bavail, bsize } = statfsSync(sharedMemory)
  return bavail * bsize > 2 ** 30
}

/** A small laptop's; smaller than that of the looks, because every point is painted. */
const usualSize = { width: 1280, height: 720 }

type Profile = Pick<Visit, 'context' | 'page' | 'watch'> & {
  /** To empty it with, in Chromium; of other engines each visit has a profile of its own. */
  session: CDPSession | undefined
  /** What a test has changed and nothing changes back, such as the clock. */
  changes: number
  /** Takes back what a test has changed, such as an answer of its own to a request. */
  undo: (() => unknown)[]
}

/**
 * Emptied profiles of each browser. The process of their page has started and read the console's
 * scripts, which is half of what a visit costs.
 */
const emptied = new WeakMap<Browser, Profile[]>()

/** Opens an empty profile, new or emptied, whose pages may talk to `base` only. */
export async function visit(
  browser: Browser,
  base: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const { before, certificate, reducedMotion, isNew, viewport = usualSize } = options
  const free = emptied.get(browser) ?? []
  emptied.set(browser, free)
  const known = before || certificate || reducedMotion || isNew ? undefined : free.pop()
  if (known) {
    known.watch.begin(base)
    await known.page.setViewportSize(viewport)
  }
  const profile =
    known ?? (await watched(await browser.newContext(contextOf(options)), base, before))
  if (certificate || reducedMotion) profile.changes += 1
  return visitOf(profile, async () => {
    if (profile.changes === 0 && (await isEmptied(profile, base))) free.push(profile)
    else await profile.context.close()
  })
}

/** The same with a profile that Chromium keeps in a folder, to be searched once it is closed. */
export async function visitInFolder(folder: string, base: string): Promise<Visit> {
  const context = await chromium.launchPersistentContext(folder, { ...launch(), ...contextOf({}) })
  return visitOf(await watched(context, base), () => context.close())
}

function contextOf({ viewport, reducedMotion, certificate }: VisitOptions) {
  return {
    // Tests make their own certificates.
    ignoreHTTPSErrors: true,
    ...(certificate && { clientCertificates: [certificate] }),
    viewport: viewport ?? usualSize,
    reducedMotion: reducedMotion ?? 'reduce',
    locale: 'en-GB',
  } as const
}

async function watched(
  context: BrowserContext,
  base: string,
  before?: () => void,
): Promise<Profile> {
  context.setDefaultTimeout(20_000 * patience)
  context.setDefaultNavigationTimeout(30_000 * patience)
  const watch = new Watch(engine !== 'firefox')
  watch.begin(base)
  await watch.attach(context)
  if (before) await context.addInitScript(before)
  const page = await tabOf(context)
  const session = engine === 'chromium' ? await context.newCDPSession(page) : undefined
  const profile = { context, page, watch, session, changes: before ? 1 : 0, undo: [] }
  followChanges(profile)
  return profile
}

async function tabOf(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await slowDown(page)
  return page
}

/** Notes what a test changes: how to take it back or, where nothing does, that it did. */
function followChanges(profile: Profile) {
  const { context, page, undo } = profile
  const count = () => {
    profile.changes += 1
  }
  onCall(context, ['exposeBinding', 'addInitScript'], count)
  onCall(context, ['setExtraHTTPHeaders', 'grantPermissions'], count)
  onCall(context.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'], count)
  onCall(page, ['exposeBinding', 'emulateMedia'], count)
  for (const owner of [context, page]) {
    onCall(owner, ['on', 'once'], (given) => {
      undo.push(() => Reflect.apply(owner.off, owner, given))
    })
    onCall(owner, ['route'], () => undo.push(() => owner.unrouteAll({ behavior: 'ignoreErrors' })))
  }
  onCall(context, ['setOffline'], () => undo.push(() => context.setOffline(false)))
  const newCDPSession = context.newCDPSession.bind(context)
  context.newCDPSession = async (target) => {
    const opened = await newCDPSession(target)
    // With its end the browser takes back what it has set; the test may have ended it before.
    undo.push(() => opened.detach().catch(() => undefined))
    return opened
  }
  const addInitScript = page.addInitScript.bind(page)
  page.addInitScript = async (...given: Parameters<Page['addInitScript']>) => {
    profile.changes += 1
    const added = await addInitScript(...given)
    const dispose = async () => {
      await added.dispose()
      profile.changes -= 1
    }
    return { dispose, [Symbol.asyncDispose]: dispose }
  }
}

/** Tells of each call of some methods of an object, before it is made. */
function onCall<T extends object>(
  owner: T,
  names: readonly (keyof T)[],
  note: (given: readonly unknown[]) => void,
) {
  for (const name of names) {
    const method: unknown = owner[name]
    if (typeof method !== 'function') throw new Error(`no method ${String(name)}`)
    const followed = (...given: unknown[]) => {
      note(given)
      return Reflect.apply(method, owner, given)
    }
    Object.defineProperty(owner, name, { value: followed, writable: true })
  }
}

/**
 * Leaves nothing of a visit but its process; false when the page or its server is gone, or the visit
 * went to other servers too.
 */
async function isEmptied(profile: Profile, base: string): Promise<boolean> {
  const { context, page, session, undo, watch } = profile
  if (!session || watch.hasLeft) return false
  const plain = base + plainPage()
  try {
    for (const takeBack of undo.splice(0)) await takeBack()
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.mouse.move(-1, -1)
    await page.goto(plain, { timeout: 1_000 * patience })
    await page.evaluate(() => {
      sessionStorage.clear()
      window.name = ''
    })
    await session.send('Storage.clearDataForOrigin', {
      origin: new URL(base).origin,
      storageTypes: 'all',
    })
    await session.send('Page.resetNavigationHistory')
    await context.clearCookies()
    return true
  } catch {
    return false
  }
}

function visitOf(profile: Profile, leave: () => Promise<unknown>): Visit {
  const { context, page, watch } = profile
  let isOver = false
  return {
    context,
    page,
    watch,
    tab: () => tabOf(context),
    spoil: () => {
      profile.changes += 1
    },
    end: async () => {
      if (isOver) return
      isOver = true
      try {
        await watch.assertClean()
      } catch (error) {
        await context.close()
        throw error
      }
      await leave()
    },
  }
}
