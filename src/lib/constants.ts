/** Every business constant of the console, named once. Times are milliseconds unless said otherwise. */

export const apiBasePath = '/api'
export const apiTimeout = 30_000
export const retryCount = 3
export const retryBaseDelay = 100
/** Up to this share of the delay is added at random, so that tabs do not knock in step. */
export const retryJitter = 0.2

export const appSplashDuration = 1_200
export const splashDuration = 3_000
export const statePollPeriod = 10_000
/** While the server is away; a probe to a dead server costs nothing and recovery is seen quickly. */
export const outagePollDelays = [1_000, 2_000, 4_000] as const
/** Between tries to open a session while the server is away. */
export const retryPeriod = 4_000

export const bannerDelay = 3_000
export const bannerCloseHours = 1
export const bannerSubmitDays = 7
export const cookiePath = '/'

export const toastDuration = 5_000
export const toastAnimation = 300
export const chunkReloadPeriod = 60_000
export const validationDebounce = 300

export const mobileWidth = 600
export const breakpoints = { xs: 600, sm: 960, md: 1_280, lg: 1_920 } as const

export const defaultPaneSizes = {
  tables: 25,
  examples: 75,
  query: 33,
  output: 67,
} as const
export const defaultDatabase = 'defaultdb'

export const storageDatabase = 'localforage'
export const storageStore = 'keyvaluepairs'
export const storageKey = 'webconsole'
export const draftStorageKey = 'webconsole.drafts'
/** Start-up never waits longer than this for the browser's storage. */
export const storageTimeout = 500
export const draftDelay = 500

export const logoHeight = 48
export const splashLogoHeight = 32
export const splashProviderHeight = 64
export const splashSpinnerSize = 96

/** A result page of the server: more rows than this are refused, not cut (server/sql, 1.11.1). */
export const serverRowLimit = 2_500
/** Results kept in the output; older ones are dropped with a notice. */
export const outputLimit = 100
/** Newest results that keep their grid open; older ones are folded to one line. */
export const openResultLimit = 10
