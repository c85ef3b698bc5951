// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as constants from '~/lib/constants'
import tailwind from '../../tailwind.config'

/** Section 9 and the other numbers of the specification, by the names they have here. */
const specified: Partial<Record<keyof typeof constants, unknown>> = {
  apiBasePath: '/api',
  apiTimeout: 30_000,
  retryCount: 3,
  retryBaseDelay: 100,
  retryJitter: 0.2,
  metricsTimeout: 5_000,
  metricsPort: 9_497,
  metricsDelay: 3_000,
  metricsPeriod: 60_000,
  statePollPeriod: 10_000,
  appSplashDuration: 1_200,
  splashDuration: 3_000,
  splashLogoHeight: 32,
  splashProviderHeight: 64,
  splashSpinnerSize: 96,
  logoHeight: 48,
  bannerDelay: 3_000,
  bannerCloseHours: 1,
  bannerSubmitDays: 7,
  toastDuration: 5_000,
  toastDefaultDuration: 3_000,
  toastAnimation: 300,
  consentDays: 365,
  localeDays: 365,
  cookieDays: 1,
  cookiePath: '/',
  chunkReloadPeriod: 60_000,
  validationDebounce: 300,
  mobileWidth: 600,
  uiBreakpoint: 1_264,
  breakpoints: { xs: 600, sm: 960, md: 1_280, lg: 1_920 },
  resizeDebounce: 200,
  defaultPaneSizes: { tables: 25, examples: 75, query: 33, output: 67 },
  defaultDatabase: 'defaultdb',
  storageDatabase: 'localforage',
  storageStore: 'keyvaluepairs',
  storageKey: 'webconsole',
  undoDepth: 50,
  undoMergePeriod: 3_000,
  jsonItemHeight: 20,
  jsonVisibleRows: 10,
  firstTransaction: '1',
}

/**
 * Literals that are a number or a word of the specification wherever they stand. Smaller ones, such
 * as 3, 20 or 48, mean too many other things to be looked for.
 */
const telling =
  /(?<![\w.])(30_?000|1_?200|3_?000|10_?000|5_?000|9_?497|1_?264|1_?280|1_?920|960|365|'defaultdb'|'localforage'|'keyvaluepairs'|'\/api')(?![\w.])/g

/** Places where such a literal means something else, and what. */
const others: readonly (readonly [path: string, literal: string, meaning: string])[] = [
  ['src/ui/file.ts', '10_000', 'how long a browser may take to read a file'],
  ['src/app/watch/Expiry.tsx', '5_000', 'how often it is looked how much time is left'],
  ['src/app/watch/Watch.tsx', '5_000', 'how often it is looked whether anybody is there'],
  ['src/screens/verify/audit/Bar.tsx', '10_000', 'how finely a share is told'],
  [
    'src/workers/audit/audited-server.ts',
    '10_000',
    'how long an audit waits at most before it tries again',
  ],
  ['src/workers/audit/walk.ts', '5_000', 'how long the rate of an audit is measured'],
]

function sources(): [string, string][] {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const paths = names.map((name) => join('src', name)).filter((path) => /\.tsx?$/.test(path))
  return (
    paths
      // What the guide says in words is not code.
      .filter((path) => path !== 'src/lib/constants.ts' && !/\/guide\/chapters\//.test(path))
      .map((path) => [path, codeOf(readFileSync(path, 'utf8'))])
  )
}

/** Without comments and the names of packages. */
function codeOf(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/ from '.*'$/gm, '')
}

describe('the constants of the specification', () => {
  test.each(Object.entries(specified))('%s', (name, value) => {
    expect(new Map<string, unknown>(Object.entries(constants)).get(name)).toEqual(value)
  })

  test('are used, each by its name, and none of them only here', () => {
    const text = [
      ...sources().map(([, source]) => source),
      readFileSync('tailwind.config.ts', 'utf8'),
    ]
    const unused = Object.keys(specified).filter(
      (name) => !text.some((source) => new RegExp(`\\b${name}\\b`).test(source)),
    )
    expect(unused).toEqual([])
  })

  test('are not written out anywhere else', () => {
    const found = sources().flatMap(([path, source]) =>
      [...source.matchAll(telling)].map(([literal]) => `${path} ${literal}`),
    )
    expect([...new Set(found)].sort()).toEqual(others.map(([path, of]) => `${path} ${of}`).sort())
  })
})

describe('what only the style sheet can keep', () => {
  const css = readFileSync('src/styles/app.css', 'utf8')

  test('content on its way is held back for 200 ms', () => {
    const [, ms] = /\.late \{\s*animation: appear \d+ms linear (\d+)ms both/.exec(css) ?? []
    expect(ms).toBe('200')
  })

  test('the bar of progress is held back for 200 ms and creeps for 5 s', () => {
    const [, seconds, ms] = /animation: progress (\d+)s .* (\d+)ms both/.exec(css) ?? []
    expect([ms, seconds]).toEqual(['200', '5'])
  })

  test('messages come and go in 300 ms', () => {
    const times = [...css.matchAll(/animation: toast-(?:in|out) (\d+)ms/g)].map(([, ms]) => ms)
    expect(times).toEqual(['300', '300'])
    expect(constants.toastAnimation).toBe(300)
  })

  test('the widths of the style sheet are those of the breakpoints, in their order', () => {
    expect(tailwind.theme.screens).toEqual({
      xs: '600px',
      sm: '960px',
      ui: '1264px',
      md: '1280px',
      lg: '1920px',
    })
    expect(Object.keys(tailwind.theme.screens)).toEqual(['xs', 'sm', 'ui', 'md', 'lg'])
  })
})
