import { usualEntryLimit } from './entry-limit'

/** How a setting is written, checked and shown. Periods travel in milliseconds. */
export type SettingKind = 'count' | 'bytes' | 'period' | 'percent' | 'flag' | 'text' | 'secret'

export type Setting = {
  /** Its place in the server's settings, such as `indexSettings.flushThreshold`. */
  path: string
  label: string
  kind: SettingKind
  /** What a new database gets, as text; `''` for none. */
  first: string
  /** What the setting does, in a few words. */
  meaning: string
  /** Can be chosen only when the database is created. */
  isFixed?: boolean
  /** Takes effect as soon as it is saved; others take effect when the database is next loaded. */
  isImmediate?: boolean
  /** Only a replica may have it. */
  isOfReplica?: boolean
  lowest?: number
  highest?: number
  /** The flag of `immuadmin database create` and `update`; not every setting has one. */
  flag?: string
}

export type SettingGroup = { name: string; meaning: string; settings: readonly Setting[] }

/** Settings by path, each as text: a number in decimal, a flag as `true` or `false`. */
export type DatabaseSettings = ReadonlyMap<string, string>

type More = Partial<Setting>

const number =
  (kind: SettingKind, lowest: number) =>
  (path: string, label: string, first: number, meaning: string, more: More = {}): Setting => ({
    path,
    label,
    kind,
    first: String(first),
    meaning,
    lowest,
    highest: 4_294_967_295,
    ...more,
  })
const count = number('count', 1)
const bytes = number('bytes', 1)
const period = number('period', 0)

function flag(path: string, label: string, first: boolean, meaning: string, more: More = {}) {
  return { path, label, kind: 'flag', first: String(first), meaning, ...more } satisfies Setting
}

function text(path: string, label: string, meaning: string, more: More = {}) {
  return { path, label, kind: 'text', first: '', meaning, ...more } satisfies Setting
}

const fixed = { isFixed: true } as const

const storage: readonly Setting[] = [
  bytes('fileSize', 'File size', 536_870_912, 'Largest size of one file on disk.', {
    ...fixed,
    highest: 2_147_483_646,
  }),
  bytes('maxKeyLen', 'Longest key', 1_024, 'Longest key that can be stored.', {
    ...fixed,
    highest: 1_024,
  }),
  bytes('maxValueLen', 'Longest value', 33_554_432, 'Longest value that can be stored.', fixed),
  count(
    'maxTxEntries',
    'Entries per transaction',
    usualEntryLimit,
    'Most entries in one transaction.',
    fixed,
  ),
  flag('embeddedValues', 'Embedded values', false, 'Keeps values beside the transactions.', {
    ...fixed,
    flag: 'embedded-values',
  }),
  flag('preallocFiles', 'Preallocated files', false, 'Reserves disk space for files in advance.', {
    ...fixed,
    flag: 'prealloc-files',
  }),
  flag('autoload', 'Load at start', true, 'Loads the database when the server starts.', {
    flag: 'autoload',
  }),
  flag(
    'excludeCommitTime',
    'Without commit time',
    false,
    'Leaves the time out of transactions, for reproducible hashes.',
    { flag: 'exclude-commit-time' },
  ),
  count(
    'writeTxHeaderVersion',
    'Transaction format',
    1,
    '0 is for immudb 1.1, 1 for 1.2 and later.',
    {
      lowest: 0,
      highest: 1,
      flag: 'write-tx-header-version',
    },
  ),
]

const day = 86_400_000

const retention: readonly Setting[] = [
  period(
    'truncationSettings.retentionPeriod',
    'Retention period',
    0,
    'The server deletes values older than this. 0 keeps them for ever. At least a day.',
    { isImmediate: true, highest: Number.MAX_SAFE_INTEGER, flag: 'retention-period' },
  ),
  period(
    'truncationSettings.truncationFrequency',
    'Truncation frequency',
    day,
    'How often the server looks for values to delete. At least an hour.',
    { isImmediate: true, highest: Number.MAX_SAFE_INTEGER, flag: 'truncation-frequency' },
  ),
]

const rs = 'replicationSettings'
const now = { isImmediate: true } as const
const ofReplica = { isImmediate: true, isOfReplica: true } as const

const replication: readonly Setting[] = [
  flag(`${rs}.replica`, 'Replica', false, 'Copies another database and is read-only here.', {
    ...now,
    flag: 'replication-is-replica',
  }),
  text(`${rs}.primaryDatabase`, 'Primary database', 'Name of the database to copy.', {
    ...ofReplica,
    flag: 'replication-primary-database',
  }),
  text(`${rs}.primaryHost`, 'Primary host', 'Where the primary server is.', {
    ...ofReplica,
    flag: 'replication-primary-host',
  }),
  count(`${rs}.primaryPort`, 'Primary port', 0, 'gRPC port of the primary server, often 3322.', {
    ...ofReplica,
    lowest: 0,
    highest: 65_535,
    flag: 'replication-primary-port',
  }),
  text(`${rs}.primaryUsername`, 'Primary user', 'User that reads the primary database.', {
    ...ofReplica,
    flag: 'replication-primary-username',
  }),
  {
    path: `${rs}.primaryPassword`,
    label: 'Primary password',
    kind: 'secret',
    first: '',
    meaning: 'The server shows it to every user of this database; the console does not.',
    ...ofReplica,
    flag: 'replication-primary-password',
  },
  flag(`${rs}.syncReplication`, 'Synchronous', false, 'Commits wait for replicas.', {
    ...now,
    flag: 'replication-sync-enabled',
  }),
  count(`${rs}.syncAcks`, 'Confirmations', 0, 'Replicas that must confirm a commit of a primary.', {
    ...now,
    lowest: 0,
    flag: 'replication-sync-acks',
  }),
  count(
    `${rs}.prefetchTxBufferSize`,
    'Prefetched transactions',
    0,
    'Transactions fetched ahead; a new replica gets 100.',
    { ...ofReplica, lowest: 0, flag: 'replication-prefetch-tx-buffer-size' },
  ),
  count(
    `${rs}.replicationCommitConcurrency`,
    'Parallel commits of the copy',
    0,
    'A new replica gets 10.',
    { ...ofReplica, lowest: 0, flag: 'replication-commit-concurrency' },
  ),
  flag(
    `${rs}.allowTxDiscarding`,
    'Discarding allowed',
    false,
    'Transactions not yet committed may be dropped when the replica diverges.',
    { ...ofReplica, flag: 'replication-allow-tx-discarding' },
  ),
  flag(
    `${rs}.skipIntegrityCheck`,
    'Without integrity check',
    false,
    'Trusts what the primary sends.',
    { ...ofReplica, flag: 'replication-skip-integrity-check' },
  ),
  flag(`${rs}.waitForIndexing`, 'Wait for indexing', false, 'Copies only as fast as it indexes.', {
    ...ofReplica,
    flag: 'replication-wait-for-indexing',
  }),
]

const index = 'indexSettings'

const indexing: readonly Setting[] = [
  bytes(`${index}.maxNodeSize`, 'Node size', 4_096, 'Largest node of the index.', fixed),
  count(`${index}.flushThreshold`, 'Flush after', 100_000, 'New entries between flushes.', {
    flag: 'indexing-flush-threshold',
  }),
  count(`${index}.syncThreshold`, 'Sync after', 1_000_000, 'New entries between syncs to disk.', {
    flag: 'indexing-sync-threshold',
  }),
  bytes(`${index}.flushBufferSize`, 'Flush buffer', 4_096, 'Memory used while flushing.'),
  {
    path: `${index}.cleanupPercentage`,
    label: 'Clean-up at a flush',
    kind: 'percent',
    first: '0',
    meaning: 'Share of the node files cleaned up at each flush.',
    lowest: 0,
    highest: 100,
    flag: 'indexing-cleanup-percentage',
  },
  bytes(`${index}.cacheSize`, 'Node cache', 134_217_728, 'Memory for nodes of the index.', {
    flag: 'indexing-cache-size',
  }),
  count(`${index}.maxActiveSnapshots`, 'Snapshots', 100, 'Most snapshots open at one time.', {
    flag: 'indexing-max-active-snapshots',
  }),
  period(`${index}.renewSnapRootAfter`, 'Snapshot renewal', 1_000, 'Oldest snapshot still reused.'),
  count(`${index}.compactionThld`, 'Compaction from', 2, 'Snapshots needed before compacting.'),
  period(`${index}.delayDuringCompaction`, 'Delay', 10, 'Pause of indexing while compacting.'),
  count(`${index}.nodesLogMaxOpenedFiles`, 'Open node files', 10, 'Most files open at one time.'),
  count(
    `${index}.historyLogMaxOpenedFiles`,
    'Open history files',
    1,
    'Most files open at one time.',
  ),
  count(`${index}.commitLogMaxOpenedFiles`, 'Open commit files', 1, 'Most files open at one time.'),
  count(`${index}.maxBulkSize`, 'Bulk size', 1, 'Transactions indexed together.'),
  period(`${index}.bulkPreparationTimeout`, 'Bulk wait', 20, 'Longest wait for a full bulk.'),
]

const performance: readonly Setting[] = [
  count('maxConcurrency', 'Parallel commits', 30, 'Most commits prepared at one time.', {
    flag: 'max-commit-concurrency',
  }),
  count('maxIOConcurrency', 'Parallel writes', 1, 'Most writes to disk at one time.', {
    highest: 127,
  }),
  count('maxActiveTransactions', 'Open transactions', 1_000, 'Most transactions open at one time.'),
  count('mvccReadSetLimit', 'Read set', 100_000, 'Most reads one transaction may depend on.'),
  period('syncFrequency', 'Sync period', 20, 'How often commits are forced to disk.', {
    flag: 'sync-frequency',
  }),
  bytes('writeBufferSize', 'Write buffer', 4_194_304, 'Memory in front of the files.', {
    flag: 'write-buffer-size',
  }),
  count('readTxPoolSize', 'Read pool', 128, 'Transactions that can be read at one time.', {
    flag: 'read-tx-pool-size',
  }),
  count('txLogCacheSize', 'Transaction cache', 1_000, 'Transactions kept in memory.'),
  count('vLogCacheSize', 'Value cache', 0, 'Values kept in memory.', { lowest: 0 }),
  count('vLogMaxOpenedFiles', 'Open value files', 10, 'Most files open at one time.'),
  count('txLogMaxOpenedFiles', 'Open transaction files', 10, 'Most files open at one time.'),
  count('commitLogMaxOpenedFiles', 'Open commit log files', 10, 'Most files open at one time.'),
  count(
    'ahtSettings.syncThreshold',
    'Hash tree sync',
    100_000,
    'New leaves between syncs to disk.',
  ),
  bytes('ahtSettings.writeBufferSize', 'Hash tree buffer', 16_777_216, 'Memory of the hash tree.'),
]

/**
 * Every setting of `create/v2` (`DatabaseNullableSettings` of pkg/api/schema/schema.proto) with the
 * defaults and limits of immudb 1.11.1 (pkg/server/db_options.go, embedded/store/options.go).
 */
export const settingGroups: readonly SettingGroup[] = [
  {
    name: 'Storage',
    meaning: 'What can be stored, and how it is stored on disk.',
    settings: storage,
  },
  { name: 'Retention', meaning: 'How long values are kept.', settings: retention },
  { name: 'Replication', meaning: 'Copying from or to other servers.', settings: replication },
  { name: 'Index', meaning: 'How the server finds keys.', settings: indexing },
  { name: 'Performance', meaning: 'Memory, files and parallel work.', settings: performance },
]

export const allSettings: readonly Setting[] = settingGroups.flatMap(({ settings }) => settings)

/** The settings of a new database by default. */
export const firstSettings: DatabaseSettings = new Map(
  allSettings.map(({ path, first }) => [path, first]),
)
