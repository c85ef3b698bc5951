/** A version of immudb as numbers. */
export type Version = readonly [major: number, minor: number, patch: number]

/** The version in what a server reports; null for none, as `-` of a build without a stamp. */
export function readVersion(text: string): Version | null {
  const [, major, minor, patch = '0'] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

/** As people name a version: `1.9.5`, and `1.11` for the first of its line. */
function named([major, minor, patch]: Version): string {
  return patch === 0 ? `${major}.${minor}` : `${major}.${minor}.${patch}`
}

function isBefore(version: Version, other: Version): boolean {
  const at = version.findIndex((part, place) => part !== other[place])
  return at >= 0 && (version[at] ?? 0) < (other[at] ?? 0)
}

/**
 * What not every version has: the first that has it, and the words for it. Read in the sources of
 * 1.3.2, 1.4.1, 1.5.0, 1.9.5, 1.10.0 and 1.11.1 (`embedded/sql/sql_grammar.y` for statements,
 * `pkg/api` for calls, `CHANGELOG.md` for versions between them) and asked of their servers.
 */
export const features = {
  documents: [[1, 5, 0], 'documents'],
  truncation: [[1, 5, 0], 'truncation'],
  // `AddField` and `RemoveField` of the collections.
  collectionFields: [[1, 9, 0], 'adding and removing fields of a collection'],
  // `DROP TABLE`, `DROP INDEX`, `ALTER TABLE … DROP COLUMN`.
  dropping: [[1, 9, 0], 'dropping tables, columns and indexes'],
  // `(HISTORY OF t)`.
  rowHistory: [[1, 9, 0], 'the history of rows'],
  floats: [[1, 5, 0], 'FLOAT'],
  uuids: [[1, 9, 0], 'UUID'],
  json: [[1, 9, 5], 'JSON'],
  sqlPrivileges: [[1, 9, 5], 'SQL privileges'],
  deletingKeys: [[1, 9, 5], 'deleting keys'],
  // `ORDER BY a != a`, and CASE.
  floatOrder: [[1, 9, 6], 'the order by a FLOAT column'],
  // `a BETWEEN 1 AND 2`.
  ranges: [[1, 10, 0], 'filters by a range'],
  // `POSITION(…)`; LIKE takes a regular expression before.
  textFilters: [[1, 11, 0], 'filters by a part of a text'],
  explain: [[1, 11, 0], 'EXPLAIN'],
  // Before it `--` is a double minus: `id -- x` is `id + x`.
  lineComments: [[1, 11, 0], 'comments behind --'],
  // `(DIFF OF t)`.
  tableComparison: [[1, 11, 0], 'comparing tables'],
  // `information_schema_columns`.
  columnList: [[1, 11, 0], 'the list of all columns'],
  // `LIMIT 1 / (SELECT COUNT(*) …)`, which refuses an edit of a row that has changed meanwhile.
  rowEdits: [[1, 11, 0], 'editing rows in a table'],
  // `--audit-log` (`cmd/immudb/command`, `pkg/server/auditlog*.go`).
  auditLog: [[1, 11, 0], 'the audit log'],
} as const satisfies Record<string, readonly [since: Version, words: string]>
export type Feature = keyof typeof features

/**
 * What versions do wrong: the first that does, the first that does not, and the words for it. From
 * `CHANGELOG.md` of 1.11.1 and the sources: before 1.9.6 the grammar has one precedence for AND and
 * OR (`%left LOP`); `DatabaseListV2` (`pkg/server/server.go`) fails before 1.11.1.
 */
const faults = {
  leftToRight: [[0, 0, 0], [1, 9, 6], 'AND and OR are read from left to right'],
  unlisted: [[1, 9, 5], [1, 11, 1], 'no list of databases while one of them is unloaded'],
  countOfColumn: [[1, 11, 0], [1, 11, 1], 'COUNT of a column answers 0'],
  commentsAlone: [[1, 11, 0], [1, 11, 1], 'a statement of comments alone ends the server'],
  parseErrors: [
    [1, 11, 0],
    [1, 11, 2],
    '100 statements that cannot be read, in transactions of sessions, stop the server',
  ],
} as const satisfies Record<string, readonly [since: Version, mended: Version, words: string]>
export type Fault = keyof typeof faults

/** Whether a server has a fault, as far as its version is known. */
export function hasFault(version: Version | null, fault: Fault): boolean {
  const [since, mended] = faults[fault]
  return version !== null && !isBefore(version, since) && isBefore(version, mended)
}

/**
 * Why a server cannot do what came with a version; undefined when it can. One that names no version,
 * or a newer one, is used like the newest that is known.
 */
export function needing(version: Version | null, since: Version): string | undefined {
  if (version === null || !isBefore(version, since)) return undefined
  return `Needs immudb ${named(since)}. This server runs ${named(version)}.`
}

/** The same for a feature. */
export function lacking(version: Version | null, feature: Feature): string | undefined {
  return needing(version, features[feature][0])
}

/** The oldest and the newest version that the console is tested with. */
const [oldest, newest]: readonly [Version, Version] = [
  [1, 9, 5],
  [1, 11, 1],
]

/** How far a version is known, and what an operator should know of it. */
type Known = {
  readonly kind: 'tested' | 'older' | 'newer' | 'unknown'
  readonly text: string
  /** A tested version that is to be preferred: it is known better, or has mended faults. */
  readonly better: string | null
}

export function knownAs(version: Version | null): Known {
  const like = `This console uses it like immudb ${named(newest)}`
  if (version === null) {
    const text = `The server reports no version, so its known faults cannot be looked up. ${like}.`
    return { kind: 'unknown', text, better: null }
  }
  const found = faultNames.filter((fault) => hasFault(version, fault))
  const isMended = found.some((fault) => !hasFault(newest, fault))
  const own = `immudb ${named(version)}`
  const wrong =
    found.length === 0 ? '' : ` Known faults: ${found.map((one) => faults[one][2]).join('; ')}.`
  const better = isMended ? named(newest) : null
  if (isBefore(version, oldest)) {
    const text = `${own} is older than ${named(oldest)}, the oldest version that this console is tested with. It lacks ${lackedBy(version).join(', ')}.${wrong}`
    return { kind: 'older', text, better: named(newest) }
  }
  if (isBefore(newest, version)) {
    const text = `${own} is newer than this console knows. ${like}, the newest that it is tested with.`
    return { kind: 'newer', text, better }
  }
  return { kind: 'tested', text: `The server reports version ${named(version)}.${wrong}`, better }
}

const faultNames = Object.keys(faults) as Fault[] // the keys of the table above

const lackedBy = (version: Version): string[] =>
  Object.values(features).flatMap(([since, words]) => (isBefore(version, since) ? [words] : []))
