/** A version of immudb as numbers. */
export type Version = readonly [major: number, minor: number, patch: number]

/** The version in what a server reports; null for none, as `-` of a build without a stamp. */
export function readVersion(text: string): Version | null {
  const [, major, minor, patch = '0'] =
    /^v?(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5}))?(?!\d)/.exec(text) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

/** As people name a version: `1.9.5`, and `1.11` for the first of its line. */
function named([major, minor, patch]: Version): string {
  return patch === 0 ? `${major}.${minor}` : `${major}.${minor}.${patch}`
}

/** Whether a version came before another. */
export function isOlder(version: Version, other: Version): boolean {
  const at = version.findIndex((part, place) => part !== other[place])
  return at >= 0 && (version[at] ?? 0) < (other[at] ?? 0)
}

/**
 * What not every version has, and the first that has it. Read in the sources of 1.3.2, 1.4.1, 1.5.0,
 * 1.9.5, 1.10.0 and 1.11.1 (`embedded/sql/sql_grammar.y` for statements, `pkg/api` for calls,
 * `CHANGELOG.md` for versions between them) and asked of their servers. The words for each are in
 * `words/server-version.ts`.
 */
const features = {
  documents: [1, 5, 0],
  truncation: [1, 5, 0],
  floats: [1, 5, 0],
  // `AddField` and `RemoveField` of the collections.
  collectionFields: [1, 9, 0],
  // `DROP TABLE`, `DROP INDEX`, `ALTER TABLE … DROP COLUMN`.
  dropping: [1, 9, 0],
  // `(HISTORY OF t)`.
  rowHistory: [1, 9, 0],
  uuids: [1, 9, 0],
  json: [1, 9, 5],
  sqlPrivileges: [1, 9, 5],
  // Before it, both are one address, `/db/delete`, where the gateway takes keys alone.
  deletingKeys: [1, 9, 5],
  deletingDatabases: [1, 9, 5],
  // `ORDER BY` a column without an index, or more than one.
  anyOrder: [1, 9, 5],
  // `ORDER BY a != a`, and CASE.
  floatOrder: [1, 9, 6],
  // `a BETWEEN 1 AND 2`.
  ranges: [1, 10, 0],
  // `POSITION(…)`; LIKE takes a regular expression before.
  textFilters: [1, 11, 0],
  explain: [1, 11, 0],
  // Before it `--` is a double minus: `id -- x` is `id + x`.
  lineComments: [1, 11, 0],
  // `(DIFF OF t)`.
  tableComparison: [1, 11, 0],
  // `information_schema_columns`.
  columnList: [1, 11, 0],
  // `LIMIT 1 / (SELECT COUNT(*) …)`, which refuses an edit of a row that has changed meanwhile.
  rowEdits: [1, 11, 0],
  // `--audit-log` (`cmd/immudb/command`, `pkg/server/auditlog*.go`).
  auditLog: [1, 11, 0],
} as const satisfies Record<string, Version>
export type Feature = keyof typeof features

/** The first version that has it, as people name it. */
export const firstWith = (feature: Feature): string => named(features[feature])

/** All of them, the oldest first. */
export const featureNames = Object.keys(features) as Feature[] // the keys of the table above

/**
 * What versions do wrong: the first that does and the first that does not. From `CHANGELOG.md` of
 * 1.11.1 and the sources: before 1.9.6 the grammar has one precedence for AND and OR (`%left LOP`);
 * `DatabaseListV2` (`pkg/server/server.go`) fails before 1.11.1.
 */
const faults = {
  leftToRight: [
    [0, 0, 0],
    [1, 9, 6],
  ],
  // No list of databases while one of them is unloaded.
  unlisted: [
    [1, 9, 5],
    [1, 11, 1],
  ],
  countOfColumn: [
    [1, 11, 0],
    [1, 11, 1],
  ],
  // A statement of comments alone ends the server; none is ever sent (`sql/send.ts`).
  commentsAlone: [
    [1, 11, 0],
    [1, 11, 1],
  ],
  // 100 statements that cannot be read, in transactions of sessions, which this console has none of.
  parseErrors: [
    [1, 11, 0],
    [1, 11, 2],
  ],
} as const satisfies Record<string, readonly [since: Version, mended: Version]>
export type Fault = keyof typeof faults

export const faultNames = Object.keys(faults) as Fault[] // the keys of the table above

/** The versions that have a fault, as people name them. */
export function versionsWith(fault: Fault): string {
  const [since, mended] = faults[fault]
  const until = `before ${named(mended)}`
  return since[0] === 0 ? until : `${named(since)}, and all ${until}`
}

/** Whether a server has a fault, as far as its version is known. */
export function hasFault(version: Version | null, fault: Fault): boolean {
  const [since, mended] = faults[fault]
  return version !== null && !isOlder(version, since) && isOlder(version, mended)
}

/**
 * Why a server cannot do what came with a version; undefined when it can. One that names no version,
 * or a newer one, is used like the newest that is known.
 */
export function needing(version: Version | null, since: Version): string | undefined {
  if (version === null || !isOlder(version, since)) return undefined
  return `Needs immudb ${named(since)}. This server runs ${named(version)}.`
}

/** The same for a feature. */
export function lacking(version: Version | null, feature: Feature): string | undefined {
  return needing(version, features[feature])
}

/** The oldest and the newest version that all of the console is tested with; older ones are walked. */
const [oldest, newest]: readonly [Version, Version] = [
  [1, 9, 5],
  [1, 11, 1],
]

/** How far a version is known, and what an operator should know of it. */
type Known = {
  readonly kind: 'tested' | 'older' | 'newer' | 'unknown'
  readonly text: string
  /** The version that it is used like, where its own is not known. */
  readonly like: string | null
  /** A tested version that is to be preferred: it is known better, or has mended faults. */
  readonly better: string | null
}

export function knownAs(version: Version | null): Known {
  const best = named(newest)
  const like = `This console uses it like immudb ${best}`
  if (version === null) {
    const text = `The server reports no version, so its known faults cannot be looked up. ${like}.`
    return { kind: 'unknown', text, like: best, better: null }
  }
  const own = `immudb ${named(version)}`
  if (isOlder(version, oldest)) {
    const text = `${own} is older than ${named(oldest)}, the oldest version that all of this console is tested with.`
    return { kind: 'older', text, like: null, better: best }
  }
  if (isOlder(newest, version)) {
    const text = `${own} is newer than this console knows. ${like}, the newest that it is tested with.`
    return { kind: 'newer', text, like: best, better: null }
  }
  const isMended = faultNames.some((one) => hasFault(version, one) && !hasFault(newest, one))
  const text = isMended
    ? `${own} has faults that ${best} has mended.`
    : `The server reports version ${named(version)}.`
  return { kind: 'tested', text, like: null, better: isMended ? best : null }
}
