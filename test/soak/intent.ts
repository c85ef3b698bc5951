import { base64 } from '../support/keys-page'

export const databases = ['defaultdb', 'harbour'] as const
export type Database = (typeof databases)[number]

type Kind = 'insert' | 'counted' | 'update' | 'key' | 'user'

/** How the console said that a write went. */
export type Said = 'committed' | 'refused' | 'unknown'

/** One wish of the operator to change something, known everywhere by its mark. */
export type Intent = {
  readonly number: number
  readonly kind: Kind
  readonly database: Database
  /** Stands in the request's body, which the page or a repeat may send. */
  readonly mark: string
  said?: Said
  /** What a check found about an unknown outcome: stored, not stored so far, or nothing certain. */
  found?: 'stored' | 'not-stored' | 'open'
  /** Whether the console said by itself that it may be stored twice. */
  isWarned?: boolean
  /** How often the server holds it. */
  stored?: number
}

/** Paths of writes; a check reads, so its requests do not count. */
const writePath = /\/api\/(db\/(sqlexec|set)|user)$/

/** The statement of an intent, for those that are written in SQL. */
export function statementOf({ kind, number }: Intent): string {
  const note = `intent-${number}.`
  if (kind === 'insert') return `INSERT INTO soak (id, note) VALUES (${number}, '${note}');`
  if (kind === 'counted') return `INSERT INTO counted (note) VALUES ('${note}');`
  return `UPDATE tally SET n = n + 1, note = '${note}' WHERE id = 1;`
}

export function keyOf({ number }: Intent): string {
  return `soak:${number}.`
}

export function userOf({ number }: Intent): string {
  return `soak_${number}_`
}

export function newIntent(number: number, kind: Kind, database: Database): Intent {
  const bare: Intent = { number, kind, database, mark: '' }
  if (kind === 'key') return { ...bare, mark: `"${base64(keyOf(bare))}"` }
  if (kind === 'user') return { ...bare, mark: `"${base64(userOf(bare))}"` }
  return { ...bare, mark: `'intent-${number}.'` }
}

/** How many of these requests carry the intent. */
export function timesSent(
  { mark }: Intent,
  requests: readonly { readonly path: string; readonly body: string }[],
): number {
  return requests.filter(({ path, body }) => writePath.test(path) && body.includes(mark)).length
}
