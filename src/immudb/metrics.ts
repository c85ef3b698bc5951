import { metricsPort } from '~/lib/constants'
import type { Reading } from '~/lib/exposition'

/** The kinds of calls. Others, such as logins, are not counted. */
export type CallKind = 'sqlReads' | 'otherReads' | 'sqlWrites' | 'otherWrites'

export const callKinds: readonly CallKind[] = ['sqlReads', 'otherReads', 'sqlWrites', 'otherWrites']

/** The share of a limit of the server from which on it is said to be near. */
export const nearLimit = 0.8

export type DatabaseMetrics = {
  /** Bytes on disk. */
  size: number | null
  /** The last transaction id, which the server calls “stored entries”. */
  tx: number | null
  /** Transactions that the slowest index has yet to process. */
  indexLag: number | null
}

/** What the console reads from one answer of the metrics port; null when missing. */
export type Metrics = {
  uptimeHours: number | null
  /** Bytes the process has from the system. */
  reserved: number | null
  /** Bytes of heap and stacks in use. */
  inUse: number | null
  databases: Map<string, DatabaseMetrics>
  /** Sessions that are open, as counted once a minute. */
  sessions: number | null
  /** Files that the process has open, and may have; connections count. */
  openFiles: number | null
  mostFiles: number | null
  /** Bytes that the disk of the data still takes; told by our own server only. */
  diskFree: number | null
  /** Seconds for which writes have waited while none ended; told by our own server only. */
  writesWait: number | null
  /** Calls handled since the server started, and the seconds spent on them. */
  calls: Map<CallKind, { count: number; seconds: number }>
}

/** gRPC methods of immudb 1.11.1 (pkg/api/schema, pkg/api/protomodel); HTTP calls come as these. */
const methods: Readonly<Record<CallKind, readonly string[]>> = {
  sqlReads: ['SQLQuery', 'UnarySQLQuery', 'TxSQLQuery', 'VerifiableSQLGet'],
  otherReads: [
    'Get',
    'GetAll',
    'Scan',
    'ZScan',
    'History',
    'Count',
    'CountAll',
    'VerifiableGet',
    'TxById',
    'TxScan',
    'VerifiableTxById',
    'streamGet',
    'streamScan',
    'streamZScan',
    'streamHistory',
    'streamVerifiableGet',
    'SearchDocuments',
    'CountDocuments',
    'AuditDocument',
    'ProofDocument',
  ],
  sqlWrites: ['SQLExec', 'TxSQLExec'],
  otherWrites: [
    'Set',
    'VerifiableSet',
    'SetReference',
    'VerifiableSetReference',
    'ZAdd',
    'VerifiableZAdd',
    'Delete',
    'ExecAll',
    'streamSet',
    'streamVerifiableSet',
    'streamExecAll',
    'InsertDocuments',
    'ReplaceDocuments',
    'DeleteDocuments',
  ],
}

const kindOfMethod: ReadonlyMap<string, CallKind> = new Map(
  callKinds.flatMap((kind) => methods[kind].map((method) => [method, kind] as const)),
)

const family = {
  uptime: 'immudb_uptime_hours',
  tx: 'immudb_number_of_stored_entries',
  size: 'immudb_db_size_bytes',
  committed: 'immudb_last_committed_trx_id',
  indexed: 'immudb_last_indexed_trx_id',
  reserved: 'go_memstats_sys_bytes',
  heap: 'go_memstats_heap_inuse_bytes',
  stack: 'go_memstats_stack_inuse_bytes',
  sessions: 'immudb_active_sessions',
  openFiles: 'process_open_fds',
  mostFiles: 'process_max_fds',
  callCount: 'grpc_server_handling_seconds_count',
  callSeconds: 'grpc_server_handling_seconds_sum',
  /** `embed/server/writes.go` adds these two. */
  diskFree: 'webconsole_disk_free_bytes',
  writesWait: 'webconsole_writes_waiting_seconds',
  /** Counts the same calls by result. With `--no-histograms` nothing else is there. */
  handled: 'grpc_server_handled_total',
} as const

/** The families that the console reads. */
export const metricFamilies: ReadonlySet<string> = new Set(Object.values(family))

/** Those that tell how near a server is to its limits; the first shows that it is an immudb. */
export const limitFamilies: readonly string[] = [
  family.uptime,
  family.sessions,
  family.openFiles,
  family.mostFiles,
]

/** What an answer without counts of calls has instead: over a thousand lines. */
export const replacedFamily = family.handled

/** Whether a text is of an immudb without counts of calls, so that it needs the family in their place. */
export function lacksCalls(text: string): boolean {
  return /^immudb_/m.test(text) && !text.includes(`\n${family.callCount}{`)
}

/** Sums up the readings of one answer; null when they are not from immudb. */
export function metricsOf(readings: readonly Reading[]): Metrics | null {
  const of = grouped(readings)
  const single = (name: string) => of.get(name)?.[0]?.value ?? null
  const databases = databasesOf(of)
  const uptimeHours = single(family.uptime)
  if (uptimeHours === null && databases.size === 0) return null
  const heap = single(family.heap)
  return {
    uptimeHours,
    reserved: single(family.reserved),
    inUse: heap === null ? null : heap + (single(family.stack) ?? 0),
    databases,
    sessions: single(family.sessions),
    openFiles: single(family.openFiles),
    mostFiles: single(family.mostFiles),
    diskFree: single(family.diskFree),
    writesWait: single(family.writesWait),
    calls: callsOf(of),
  }
}

type Families = ReadonlyMap<string, readonly Reading[]>

function grouped(readings: readonly Reading[]): Families {
  const groups = new Map<string, Reading[]>()
  for (const reading of readings) {
    const group = groups.get(reading.name)
    if (group) group.push(reading)
    else groups.set(reading.name, [reading])
  }
  return groups
}

function databasesOf(of: Families): Metrics['databases'] {
  const databases: Metrics['databases'] = new Map()
  const change = (name: string, patch: Partial<DatabaseMetrics>) => {
    const known = databases.get(name) ?? { size: null, tx: null, indexLag: null }
    databases.set(name, { ...known, ...patch })
  }
  for (const { labels, value } of of.get(family.size) ?? []) {
    change(labels.get('db') ?? '', { size: value })
  }
  for (const { labels, value } of of.get(family.tx) ?? []) {
    change(labels.get('db') ?? '', { tx: value })
  }
  for (const [name, indexLag] of lagsOf(of)) change(name, { indexLag })
  databases.delete('')
  return databases
}

/** A database has an index for its keys, one for its sets and one for each index of a table. */
function lagsOf(of: Families): Map<string, number> {
  const key = ({ labels }: Reading) => `${labels.get('db') ?? ''}\n${labels.get('index') ?? ''}`
  const indexed = new Map((of.get(family.indexed) ?? []).map((one) => [key(one), one.value]))
  const lags = new Map<string, number>()
  for (const committed of of.get(family.committed) ?? []) {
    const upTo = indexed.get(key(committed))
    if (upTo === undefined) continue
    const name = committed.labels.get('db') ?? ''
    lags.set(name, Math.max(lags.get(name) ?? 0, committed.value - upTo))
  }
  return lags
}

function callsOf(of: Families): Metrics['calls'] {
  const calls: Metrics['calls'] = new Map()
  const counts = of.get(family.callCount) ?? of.get(family.handled) ?? []
  if (counts.length === 0) return calls
  for (const kind of callKinds) calls.set(kind, { count: 0, seconds: 0 })
  const add = (reading: Reading, what: 'count' | 'seconds') => {
    const kind = kindOfMethod.get(reading.labels.get('grpc_method') ?? '')
    const sum = kind && calls.get(kind)
    if (sum) sum[what] += reading.value
  }
  for (const reading of counts) add(reading, 'count')
  for (const reading of of.get(family.callSeconds) ?? []) add(reading, 'seconds')
  return calls
}

/** The parts of a page's address that matter here. */
type PagePlace = { readonly protocol: string; readonly hostname: string }

/** Where immudb serves its metrics by default: the same host, port 9497. */
export function usualMetricsAddress({ protocol, hostname }: PagePlace): string {
  const scheme = protocol === 'https:' ? 'https:' : 'http:'
  return `${scheme}//${hostname}:${metricsPort}/metrics`
}

/**
 * Whether the page's policy allows requests to an address; without a policy, anything is allowed.
 * Our own handler allows only its own origin; on a plain file server the policy allows the metrics
 * port of any host.
 */
export function mayAsk(address: string, policy: string | null): boolean {
  if (policy === null) return true
  const { protocol, host, origin } = new URL(address)
  const anyHost = `${protocol}//*:${host.replace(/^.*:/, '')}`
  const directive = policy.split(';').find((part) => part.trim().startsWith('connect-src '))
  const sources = directive?.trim().split(/\s+/) ?? []
  return sources.includes(anyHost) || sources.includes(origin)
}

type MetricsAddress = { address: string } | { error: string }

/**
 * Reads what an operator typed as a metrics address: a host, or a URL of port 9497, the only one
 * that the page's policy allows. Without a scheme the page's own applies.
 */
export function readMetricsAddress(typed: string, page: PagePlace): MetricsAddress {
  const text = typed.trim()
  const scheme = page.protocol === 'https:' ? 'https' : 'http'
  const url = parseAddress(/^https?:\/\//i.test(text) ? text : `${scheme}://${text}`)
  if (!url || text === '') return { error: 'This is not a host name or address.' }
  if (url.username || url.password) return { error: 'The address must not contain a password.' }
  if (portOf(url, text) !== String(metricsPort)) {
    return {
      error: `Only port ${metricsPort} is possible: the policy of this page allows no other.`,
    }
  }
  if (page.protocol === 'https:' && url.protocol === 'http:') {
    return { error: 'A page opened over https cannot ask an address over http.' }
  }
  return { address: `${url.protocol}//${url.hostname}:${metricsPort}/metrics` }
}

/** A host alone means the default metrics port; a URL without a port means its scheme's port. */
function portOf(url: URL, text: string): string {
  if (url.port !== '') return url.port
  const isHostOnly = !/^https?:\/\//i.test(text) && !/:\d+(?:\/|$)/.test(text)
  return isHostOnly ? String(metricsPort) : ''
}

function parseAddress(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
