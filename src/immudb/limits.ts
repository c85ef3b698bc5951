import type { Version } from './server-versions'

/** The limits of immudb, as people name them; those of databases are named like their settings. */
export type LimitName =
  | 'Sessions'
  | 'Open databases'
  | 'Open files'
  | 'Request size'
  | 'Answer size'
  | 'Rows of an answer'
  | 'Snapshots'
  | 'Parallel commits'
  | 'Open transactions'
  | 'Read pool'
  | 'Read set'
  | 'Waiting calls'
  | 'Entries per transaction'
  | 'Longest key'
  | 'Longest value'

/** Where the most that is allowed is read. */
export type Most =
  /** A setting of the database (`database-settings.ts`), which the server reports. */
  | { readonly from: 'setting'; readonly path: string }
  /** A flag of immudb, which no call reports: what it is unless it was given. */
  | {
      readonly from: 'flag'
      readonly flag: string
      readonly usual: number
      readonly since?: Version
    }
  /** Built into immudb; in a version before `until` it is `before`. */
  | {
      readonly from: 'built-in'
      readonly value: number
      readonly before?: number
      readonly until?: Version
    }
  /** The metrics of the process. */
  | { readonly from: 'process' }

/** What the console knows of how much is in use; null where immudb reports nothing. */
export type Use = 'sessions' | 'databases' | 'files' | null

export type Limit = {
  readonly name: LimitName
  readonly of: 'server' | 'database'
  readonly unit: 'count' | 'bytes'
  readonly most: Most
  readonly use: Use
  /** Where nothing is in use but for a moment, or each call is measured for itself. */
  readonly unused?: 'each' | 'unreported'
  /** What happens to a call that would go over it. */
  readonly happens: string
  /** What moves it, or what to do where nothing does. */
  readonly remedy: string
}

const flag = (name: string, usual: number, since?: Version): Most => ({
  from: 'flag',
  flag: name,
  usual,
  ...(since && { since }),
})
const setting = (path: string): Most => ({ from: 'setting', path })

/**
 * Every limit that callers of immudb meet. Read in the sources of 1.3.2, 1.4.1, 1.5.0, 1.9.5, 1.10.0
 * and 1.11.1, where they are the same unless said otherwise: `cmd/immudb/command/init.go` and
 * `pkg/server/sessions/options.go` for flags, `embedded/store/options.go` and
 * `embedded/tbtree/options.go` for the rest. Each was met on a server of 1.11.1, but for the waiting
 * calls.
 */
export const limits: readonly Limit[] = [
  {
    name: 'Open files',
    of: 'server',
    unit: 'count',
    most: { from: 'process' },
    use: 'files',
    happens:
      'calls fail with “too many open files”, and new connections wait. Whether a failed write was done is not known.',
    remedy: 'The operating system sets it: “ulimit -n”, or LimitNOFILE of a systemd service.',
  },
  {
    name: 'Sessions',
    of: 'server',
    unit: 'count',
    // `sessionsCount` in `pkg/server/sessions/manager.go`.
    most: flag('max-sessions', 100),
    use: 'sessions',
    happens:
      'a new session is refused; open ones go on. Each program with an SDK has one, and a search of documents here has one too.',
    remedy: 'A session ends a few minutes after its last call (--session-timeout of immudb).',
  },
  {
    name: 'Open databases',
    of: 'server',
    unit: 'count',
    // `NewDBManager` in `pkg/database/db_manager.go`.
    most: flag('max-active-databases', 100, [1, 9, 5]),
    use: 'databases',
    happens:
      'the database that was not used for the longest time is closed. Its next call opens it again, which takes longer. While all are in use, that call waits.',
    remedy: 'Unload databases that nobody uses to make room.',
  },
  {
    name: 'Request size',
    of: 'server',
    unit: 'bytes',
    most: flag('max-recv-msg-size', 33_554_432),
    use: null,
    unused: 'each',
    happens: 'the request is refused and nothing is done.',
    remedy: 'Or send it in parts.',
  },
  {
    name: 'Answer size',
    of: 'server',
    unit: 'bytes',
    // The gateway is a client of gRPC, and this is what those take.
    most: { from: 'built-in', value: 4_194_304 },
    use: null,
    unused: 'each',
    happens:
      'the answer cannot be sent over HTTP; a write is still done. The console asks for fewer things at once.',
    remedy: 'Read a larger value with an SDK or immuclient.',
  },
  {
    name: 'Rows of an answer',
    of: 'server',
    unit: 'count',
    // `MaxKeyScanLimit` of `pkg/database/database.go`.
    most: { from: 'built-in', value: 2_500, before: 1_000, until: [1, 9, 5] },
    use: null,
    unused: 'each',
    happens: 'the query is refused. Lists here are read page by page and do not meet it.',
    remedy: 'Add LIMIT and OFFSET to a query.',
  },
  {
    name: 'Snapshots',
    of: 'database',
    unit: 'count',
    most: setting('indexSettings.maxActiveSnapshots'),
    use: null,
    unused: 'unreported',
    happens:
      'a read or a statement is refused and nothing is done. Each one in progress holds a snapshot of an index.',
    remedy:
      'In 1.11.0 and 1.11.1 a statement that fails inside a session’s transaction keeps one open until immudb is restarted.',
  },
  {
    name: 'Parallel commits',
    of: 'database',
    unit: 'count',
    most: setting('maxConcurrency'),
    use: null,
    unused: 'unreported',
    happens: 'the write is refused and nothing is done.',
    remedy: 'Or send fewer writes at one time.',
  },
  {
    name: 'Open transactions',
    of: 'database',
    unit: 'count',
    most: setting('maxActiveTransactions'),
    use: null,
    unused: 'unreported',
    happens: 'the write is refused and nothing is done.',
    remedy: 'Or end transactions of other clients.',
  },
  {
    name: 'Read pool',
    of: 'database',
    unit: 'count',
    most: setting('readTxPoolSize'),
    use: null,
    unused: 'unreported',
    happens: 'a read of transactions or a proof is refused.',
    remedy: 'Or read less at one time.',
  },
  {
    name: 'Waiting calls',
    of: 'database',
    unit: 'count',
    // `DefaultMaxWaitees` of `embedded/store/options.go`.
    most: { from: 'built-in', value: 1_000 },
    use: null,
    unused: 'unreported',
    happens: 'a call does not wait for the index. A write is still committed.',
    remedy: 'Fewer indexes and smaller writes let the index keep up.',
  },
  {
    name: 'Read set',
    of: 'database',
    unit: 'count',
    most: setting('mvccReadSetLimit'),
    use: null,
    unused: 'each',
    happens: 'a transaction that read more is refused and nothing is done.',
    remedy: 'Or change fewer rows with one statement.',
  },
  {
    name: 'Entries per transaction',
    of: 'database',
    unit: 'count',
    most: setting('maxTxEntries'),
    use: null,
    unused: 'each',
    happens:
      'the write is refused and nothing is done. A row has one entry, and one more for each index.',
    remedy: 'Split the write.',
  },
  {
    name: 'Longest key',
    of: 'database',
    unit: 'bytes',
    most: setting('maxKeyLen'),
    use: null,
    unused: 'each',
    happens: 'the write is refused and nothing is done. An index entry of a row counts as a key.',
    remedy: 'Write a shorter key.',
  },
  {
    name: 'Longest value',
    of: 'database',
    unit: 'bytes',
    most: setting('maxValueLen'),
    use: null,
    unused: 'each',
    happens: 'the write is refused and nothing is done. A row, and a document, is one value.',
    remedy: 'Split the value.',
  },
]
