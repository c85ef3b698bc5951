import { hasFault, needing, type Version } from '~/immudb/server-versions'
import { keywordOf, nameOf, operatorOf } from './names'
import { meaningfulTokens, type Token } from './tokens'

/** What a version makes of a statement, beyond what it answers. */
export type VersionFault = {
  /** A sentence or two. */
  readonly text: string
  /** It means something else than it does to other versions, so a write is not sent. */
  readonly isWrong: boolean
}

/** What this version of immudb does otherwise with a statement than the newest that is known. */
export function versionFaults(sql: string, version: Version | null): VersionFault[] {
  const tokens = meaningfulTokens(sql)
  const found: VersionFault[] = []
  if (hasFault(version, 'leftToRight') && hasAndBehindOr(sql, tokens)) {
    const text =
      'This version of immudb reads AND and OR from left to right: a OR b AND c is (a OR b) AND c. Put parentheses around what belongs together.'
    found.push({ text, isWrong: true })
  }
  if (hasFault(version, 'countOfColumn') && countsColumn(sql, tokens)) {
    const text =
      'This version of immudb answers 0 for COUNT of a column, whatever is in it. Write COUNT(*) with a condition such as WHERE name IS NOT NULL, or use immudb 1.11.1.'
    found.push({ text, isWrong: true })
  }
  const patterns = needing(version, [1, 11, 0])
  if (patterns !== undefined && tokens.some((token) => keywordOf(sql, token) === 'LIKE')) {
    const text =
      'To this version of immudb the text behind LIKE is a regular expression that may fit any part: a.* instead of a%.'
    found.push({ text, isWrong: false })
  }
  return found
}

/** Where another condition, or another part of the statement, begins. */
const parts: ReadonlySet<string> = new Set([
  ...['SELECT', 'FROM', 'JOIN', 'ON', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'SET'],
  ...['UNION', 'CHECK', 'VALUES'],
])

/** Whether an AND stands behind an OR without parentheses between them. */
function hasAndBehindOr(sql: string, tokens: readonly Token[]): boolean {
  // Whether an OR came, for each open parenthesis.
  const open = [false]
  for (const token of tokens) {
    const operator = operatorOf(sql, token)
    const word = keywordOf(sql, token)
    if (operator === '(') open.push(false)
    else if (operator === ')' && open.length > 1) open.pop()
    else if (operator === ',' || token.kind === 'semicolon' || parts.has(word)) {
      open[open.length - 1] = false
    } else if (word === 'OR') open[open.length - 1] = true
    else if (word === 'AND' && open.at(-1)) return true
  }
  return false
}

function countsColumn(sql: string, tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, at) =>
      keywordOf(sql, token) === 'COUNT' &&
      operatorOf(sql, tokens[at + 1]) === '(' &&
      (nameOf(sql, tokens[at + 2]) !== undefined || keywordOf(sql, tokens[at + 2]) === 'DISTINCT'),
  )
}

/** Words of statements that not every version has, with the first that does. */
const later: readonly (readonly [since: Version, words: readonly string[]])[] = [
  [[1, 5, 0], ['FLOAT']],
  [
    [1, 9, 0],
    ['DROP', 'HISTORY', 'SHOW', 'UUID'],
  ],
  [
    [1, 9, 5],
    ['JSON', 'CHECK', 'CONSTRAINT', 'GRANT', 'REVOKE', 'GRANTS', 'USER', 'USERS'],
  ],
  [
    [1, 9, 6],
    ['CASE', 'LEFT'],
  ],
  [
    [1, 10, 0],
    ['BETWEEN', 'EXTRACT', 'COALESCE'],
  ],
  [
    [1, 11, 0],
    [
      ...['EXPLAIN', 'WITH', 'RECURSIVE', 'DIFF', 'VIEW', 'SEQUENCE', 'TRUNCATE', 'SAVEPOINT'],
      ...['RELEASE', 'EXCEPT', 'INTERSECT', 'OVER', 'PARTITION', 'NATURAL', 'USING', 'LATERAL'],
      ...['CROSS', 'FULL', 'ILIKE', 'DEFAULT', 'FOREIGN', 'REFERENCES', 'CASCADE', 'FETCH'],
      ...['NULLS', 'POSITION', 'STRING_AGG'],
    ],
  ],
]

/** Which word of a statement that was not understood is newer than the server; undefined for none. */
export function newerWord(sql: string, version: Version | null): string | undefined {
  const texts = meaningfulTokens(sql).map((token) => sql.slice(token.from, token.to).toUpperCase())
  // CREATE USER … WITH PASSWORD is older than WITH in front of a query.
  const words = texts.filter((text, at) => text !== 'WITH' || texts[at + 1] !== 'PASSWORD')
  for (const [since, names] of later) {
    const why = needing(version, since)
    const word = why === undefined ? undefined : names.find((name) => words.includes(name))
    if (word !== undefined) return `${word} may be newer than this server. ${why}`
  }
  return undefined
}
