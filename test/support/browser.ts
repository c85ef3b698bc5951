import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium, findHeadlessShell } from './chromium'
import { patience, slowDown, slowHand } from './slow'
import { Watch } from './watch'

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
]

export type Theme = 'dark' | 'light'

export type VisitOptions = {
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Runs in every page before anything else, such as a broken storage. */
  readonly before?: () => void
  readonly reducedMotion?: 'reduce' | 'no-preference'
}

/** One operator at one browser profile: pages share storage, everything is watched. */
export type Visit = {
  readonly context: BrowserContext
  readonly page: Page
  readonly watch: Watch
  /** A second tab of the same profile. */
  tab(): Promise<Page>
  /** Checks what was watched and closes the profile. */
  end(): Promise<void>
}

/** Starts a headless Chromium with an empty profile of its own, or its engine alone. */
export async function openBrowser(kind: 'whole' | 'shell' = 'whole'): Promise<Browser> {
  return chromium.launch(launch(kind === 'whole' ? findChromium() : findHeadlessShell()))
}

function launch(executablePath = findChromium()) {
  if (!executablePath) throw new Error('no Chromium found: run "npm test", it installs one')
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { executablePath, headless: true, slowMo: slowHand, args: [...flags, ...sandbox] }
}

/** Opens a fresh profile whose pages may talk to `base` only. */
export async function visit(
  browser: Browser,
  base: string,
  options: VisitOptions = {},
): Promise<Visit> {
  return watched(await browser.newContext(contextOf(options)), base, options)
}

/** The same with a profile that Chromium keeps in a folder, to be searched once it is closed. */
export async function visitInFolder(folder: string, base: string): Promise<Visit> {
  const context = await chromium.launchPersistentContext(folder, { ...launch(), ...contextOf({}) })
  return watched(context, base, {})
}

function contextOf({ viewport, reducedMotion }: VisitOptions) {
  return {
    viewport: viewport ?? { width: 1440, height: 900 },
    reducedMotion: reducedMotion ?? 'reduce',
    locale: 'en-GB',
  } as const
}

async function watched(
  context: BrowserContext,
  base: string,
  options: VisitOptions,
): Promise<Visit> {
  context.setDefaultTimeout(20_000 * patience)
  context.setDefaultNavigationTimeout(30_000 * patience)
  const watch = new Watch(new URL(base).origin)
  await watch.attach(context)
  if (options.before) await context.addInitScript(options.before)
  const tab = async () => {
    const page = await context.newPage()
    await slowDown(page)
    return page
  }
  const page = await tab()
  return {
    context,
    page,
    watch,
    tab,
    end: async () => {
      await watch.assertClean().finally(() => context.close())
    },
  }
}
