/**
 * Every number that a user may notice or that several files share, named once. One that a single
 * file knows stays there, below a comment. Times are milliseconds unless said otherwise.
 */

export const apiBasePath = '/api'
export const apiTimeout = 30_000
export const retryCount = 3
export const retryBaseDelay = 100
/**
 * Up to this share of the delay is added at random, so that tabs do not all retry at the same
 * moment.
 */
export const retryJitter = 0.2

export const appSplashDuration = 1_200
/** Seconds between two state polls until another period is chosen. */
export const defaultPollPeriod = 10
export const statePollPeriod = defaultPollPeriod * 1_000
/** Choices for the seconds between two state polls; 0 turns polling off. */
export const pollPeriods = [5, defaultPollPeriod, 30, 60, 300, 0] as const
/** While the server is away. A probe of a dead server is cheap, and recovery shows quickly. */
export const outagePollDelays = [1_000, 2_000, 4_000] as const
/** Work that waits for an idle page starts after this long at the latest. */
export const idleDelay = 1_000
/** Longer than React holds back a part that has arrived, so that parts appear together. */
export const revealPause = 400
/** After this long, parts that are still loading no longer hold up anything else. */
export const longestIdleWait = 10_000
/** So long an answer of the server counts that was asked for while a password was typed. */
export const identityFor = 10_000
/** A first login opens defaultdb when the list of databases takes longer than this. */
export const listPatience = 2_000
/** Between attempts to open a session while the server is away. */
export const retryPeriod = 4_000

export const bannerDelay = 3_000
/** Between two looks whether its cookie is over. */
export const bannerLook = 60_000
export const bannerCloseHours = 1
export const bannerSubmitDays = 7
export const cookiePath = '/'

/** A message stays this long unless it names its own time. */
export const toastDuration = 5_000
export const toastAnimation = 300
export const chunkReloadPeriod = 60_000
/** After this a page that was being left is taken to stay. */
export const leavingPeriod = 5_000
export const validationDebounce = 300

export const mobileWidth = 600
/** Below this height what stays in sight elsewhere scrolls away; `short` in the style sheet. */
export const shortHeight = 480
export const breakpoints = { xs: 600, sm: 960, md: 1_280, lg: 1_920 } as const
/** From here on cards stand side by side; the style sheet calls it `ui`. */
export const uiBreakpoint = 1_264
/** The page measures a resized window once its width has been stable for this long. */
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
/** Holds the users themselves, password hashes included; access to it is never offered. */
export const systemDatabase = 'systemdb'

export const storageDatabase = 'localforage'
export const storageStore = 'keyvaluepairs'
/** Trusted states have their own database, so that clearing other data cannot remove them. */
export const trustDatabase = 'webconsole-trust'
export const storageKey = 'webconsole'
export const draftStorageKey = 'webconsole.drafts'
export const keyDraftsStorageKey = 'webconsole.drafts.keys'
/** How long other work waits for trusted states before it continues without them. */
export const trustStoreTimeout = 2_000
/** Start-up never waits longer than this for the browser's storage. */
export const storageTimeout = 500
export const draftDelay = 500
/** Until storage that did not take a draft is asked again. */
export const draftRetry = 5_000

export const splashLogoHeight = 32
export const splashProviderHeight = 64
export const splashSpinnerSize = 96

/** The server refuses, and does not cut, a result with more rows than this (server/sql, 1.11.1). */
export const serverRowLimit = 2_500
/** Rows per request for longer results; the fastest size measured. */
export const pageRows = 1_000
/** The same for files, which nobody waits to see; one more row tells whether there are more. */
export const exportPageRows = serverRowLimit - 1
/** What one page of each list has, which the server is asked for at once. */
export const pageSizes = {
  transactions: 50,
  /** Events of the audit log. */
  events: 100,
  /** Each comes with its whole value. */
  keys: 500,
  /** A power of two, so that smaller pages begin where larger ones did. */
  documents: 128,
  /** Of a key, a document or a row. */
  revisions: 10,
  /** Of a table, until another size is chosen. */
  rows: 100,
} as const
/** What a page of a table may have; an answer holds 2,500. */
export const tablePageSizes = [pageSizes.rows, 500, 2_000] as const
/** Most transactions that a comparison shows one by one, and how many it looks at in one go. */
export const mostSteps = 200
export const stepsPerPage = 20
/** Rows that the preview of a table shows. */
export const previewRows = 100
/** The transaction that stands for the history of an empty database. */
export const firstTransaction = '1'
/** Statements kept in the code history, and their total number of characters. */
export const historyLimit = 500
export const historyCharacters = 500_000
/** From this many characters on, the editor skips features that read the whole text. */
export const largeTextLength = 200_000
/** Results kept in the output; older ones are dropped with a notice. */
export const outputLimit = 100
/** Hits that a search of the output keeps; no one steps through more. */
export const searchHitLimit = 10_000
/** Newest results that keep their grid open; older ones are folded to one line. */
export const openResultLimit = 10

/** Pixels of the letters in the SQL editor. */
export const editorFontSizes = { min: 11, max: 22 } as const
export const defaultEditorFontSize = 13
/** Steps that the editor can undo at least, and the time within which changes form one step. */
export const undoDepth = 50
export const undoMergePeriod = 3_000
/** Minutes without use after which the console locks. */
export const idleMinutes = { min: 1, max: 720 } as const
export const defaultIdleMinutes = 30
/** A tab tells other tabs about activity at most this often. */
export const activityPeriod = 15_000
/** How long before the end of a session the console warns. */
export const expiryWarnings = [600_000, 60_000] as const
/** The console mentions a clock that differs from the server's by more than this. */
export const clockSkewLimit = 120_000
/** Failed logins before the form makes the user wait, and the waits. The last one repeats. */
export const freeLogins = 3
export const loginPauses = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const

export const consentDays = 365
export const localeDays = 365

/** Limits of immudb 1.11.1 (pkg/auth/user.go). bcrypt ignores further bytes of a password. */
export const userNameLimit = 63
export const passwordByteLimit = 72
/** The console's own rule: the server would take any password that is not empty. */
export const passwordMinimum = 8

/** Wait after the last keystroke before the server gets a typed prefix. */
export const filterDelay = 300
/** After this long without an answer, the console says that the server holds up the write. */
export const slowWriteDelay = 5_000
/** Parts of a text and bytes of a hex view in each step of “show more”. */
export const partsPerStep = 4
export const hexPreview = 4_096
/** Steps to which a value view grows; longer values are only downloaded. */
export const previewSteps = 8
/** Most parts drawn of a whole text; the rest can be copied. */
export const mostParts = 256
/** Larger values are replaced, not edited: text fields become slow. */
export const editableSize = 262_144

export const jsonItemHeight = 20
export const jsonVisibleRows = 10
/** UTF-16 units; larger texts are not read into a tree. */
export const jsonParseLimit = 1_048_576
export const jsonDepthLimit = 200

export const metricsTimeout = 5_000
/** From opening a screen with metrics to the first request for them. */
export const metricsDelay = 3_000
export const metricsPeriod = 60_000
/** The longest wait between two requests while nothing answers. */
export const metricsLongestPeriod = 300_000
export const metricsPort = 9_497
/** Measurements kept of each kind: twelve hours at one a minute. */
export const metricsHistory = 720
/** States kept: twelve hours of polls. */
export const stateHistory = 43_200_000 / statePollPeriod
/** How far back samples survive a reload of the page. */
export const keptSamples = 14_400_000
/** Databases whose size is kept with each measurement, the largest first. */
export const measuredDatabases = 20
/** A page opened within this time of the last one belongs to the same visit. */
export const visitPause = 1_800_000
/** Largest evidence file in bytes. An answer has at most 4 MiB, twice that as hex. */
export const evidenceSizeLimit = 67_108_864
