/** Every business constant of the console, named once. Times are milliseconds unless said otherwise. */

export const apiBasePath = '/api'
export const apiTimeout = 30_000
export const retryCount = 3
export const retryBaseDelay = 100
/** Up to this share of the delay is added at random, so that tabs do not knock in step. */
export const retryJitter = 0.2

export const appSplashDuration = 1_200
export const statePollPeriod = 10_000
/** Seconds between two questions for the state that can be chosen; 0 asks for nothing by itself. */
export const pollPeriods = [5, 10, 30, 60, 300, 0] as const
/** While the server is away; a probe to a dead server costs nothing and recovery is seen quickly. */
export const outagePollDelays = [1_000, 2_000, 4_000] as const
/** What can wait until the page is idle waits no longer than this. */
export const idleDelay = 1_000
/** Longer than React holds back a part that has come, so that others are shown together with it. */
export const revealPause = 400
/** Parts that are still on their way after this long keep nothing else waiting. */
export const longestIdleWait = 10_000
/** A first login opens the default database when the list of them takes longer than this. */
export const listPatience = 2_000
/** Between tries to open a session while the server is away. */
export const retryPeriod = 4_000

export const bannerDelay = 3_000
export const bannerCloseHours = 1
export const bannerSubmitDays = 7
export const cookiePath = '/'

/** A message stays this long unless it names its own time. */
export const toastDuration = 5_000
export const toastAnimation = 300
export const chunkReloadPeriod = 60_000
export const validationDebounce = 300

export const mobileWidth = 600
export const breakpoints = { xs: 600, sm: 960, md: 1_280, lg: 1_920 } as const
/** From here on cards stand side by side; the style sheet calls it `ui`. */
export const uiBreakpoint = 1_264
/** A window that is being resized is looked at once it has kept its width for this long. */
export const resizeDebounce = 200

export const defaultPaneSizes = {
  tables: 25,
  examples: 75,
  query: 33,
  output: 67,
} as const
export const defaultDatabase = 'defaultdb'
/** The only system admin; its permissions cannot be changed. */
export const systemAdmin = 'immudb'

export const storageDatabase = 'localforage'
export const storageStore = 'keyvaluepairs'
/** Trusted states have a database of their own, which nothing else may clear. */
export const trustDatabase = 'webconsole-trust'
export const storageKey = 'webconsole'
export const draftStorageKey = 'webconsole.drafts'
export const keyDraftsStorageKey = 'webconsole.drafts.keys'
/** How long trusted states are waited for before something else goes on without them. */
export const trustStoreTimeout = 2_000
/** Start-up never waits longer than this for the browser's storage. */
export const storageTimeout = 500
export const draftDelay = 500

export const splashLogoHeight = 32
export const splashProviderHeight = 64
export const splashSpinnerSize = 96

/** A result page of the server: more rows than this are refused, not cut (server/sql, 1.11.1). */
export const serverRowLimit = 2_500
/** Rows fetched at once of a result that is longer than that; the quickest size measured. */
export const pageRows = 1_000
/** Rows that the preview of a table shows. */
export const previewRows = 100
/** The transaction that stands for the history of an empty database. */
export const firstTransaction = '1'
export const historyStorageKey = 'webconsole.history'
/** Statements kept in the code history, and the characters they may have together. */
export const historyLimit = 500
export const historyCharacters = 500_000
/** From this many characters on the editor leaves out what it would have to read all the text for. */
export const largeTextLength = 200_000
/** Results kept in the output; older ones are dropped with a notice. */
export const outputLimit = 100
/** Hits that a search of the output keeps; nobody steps through more. */
export const searchHitLimit = 10_000
/** Newest results that keep their grid open; older ones are folded to one line. */
export const openResultLimit = 10

/** Pixels of the letters in the SQL editor. */
export const editorFontSizes = { min: 11, max: 22 } as const
export const defaultEditorFontSize = 13
/** Steps that can surely be undone in the editor, and how close in time two changes are one step. */
export const undoDepth = 50
export const undoMergePeriod = 3_000
/** Minutes without use after which the console locks. */
export const idleMinutes = { min: 1, max: 720 } as const
export const defaultIdleMinutes = 30
/** Use in one tab is told to the others at most this often. */
export const activityPeriod = 15_000
/** How long before the end of a session it is announced. */
export const expiryWarnings = [600_000, 60_000] as const
/** A clock that differs more than this from the server's is worth a word. */
export const clockSkewLimit = 120_000
/** Wrong logins before the form makes one wait, and the waits, the last for all that follow. */
export const freeLogins = 3
export const loginPauses = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const

export const consentDays = 365
export const localeDays = 365

/** Limits of immudb 1.11.1 (pkg/auth/user.go; bcrypt takes no more bytes of a password). */
export const userNameLimit = 63
export const passwordByteLimit = 72
/** The console's own rule: the server would take any password that is not empty. */
export const passwordMinimum = 8

/** Keys that one scan asks for; each comes with its whole value. */
export const keyPageSize = 500
/** Revisions of a key that are listed at a time. */
export const revisionPageSize = 10
/** Wait after the last key before a typed prefix is asked for. */
export const filterDelay = 300
/** A write without an answer after this long is said to be held up by the server. */
export const slowWriteDelay = 5_000
/** Parts of a text and bytes of a hex view that are shown until more is asked for. */
export const partsPerStep = 4
export const hexPreview = 4_096
/** A value view grows to this many previews; what is longer is there by download. */
export const previewSteps = 8
/** Parts of a text that are drawn where all of it is asked for; the rest is there to copy. */
export const mostParts = 256
/** Larger values are replaced, not edited: text fields become slow. */
export const editableSize = 262_144

export const jsonItemHeight = 20
export const jsonVisibleRows = 10
/** UTF-16 units; larger texts are not read into a tree. */
export const jsonParseLimit = 1_048_576
export const jsonDepthLimit = 200

export const metricsTimeout = 5_000
/** From the opening of a screen with metrics to the first question for them. */
export const metricsDelay = 3_000
export const metricsPeriod = 60_000
/** From the first measurement to the second, which gives the charts their first rates. */
export const metricsSecondDelay = 5_000
/** The longest wait between two questions while nothing answers. */
export const metricsLongestPeriod = 300_000
export const metricsPort = 9_497
/** Measurements kept of each kind: twelve hours at one a minute. */
export const metricsHistory = 720
/** States kept: twelve hours at one every ten seconds. */
export const stateHistory = 4_320
/** How far back the samples go that a reload of the page keeps. */
export const keptSamples = 14_400_000
export const samplesStorageKey = 'webconsole.samples'
/** Databases whose size is kept with each measurement, the largest first. */
export const measuredDatabases = 20
/** A page opened sooner than this after the last time belongs to the same visit. */
export const visitPause = 1_800_000
/** Bytes of the largest file of evidence that is read: an answer has at most 4 MiB, twice as hex. */
export const evidenceSizeLimit = 67_108_864
