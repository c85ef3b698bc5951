import { type Statement, splitStatements } from './statements'

/** The statement that shows the plan of another, which is not run; null when there is nothing to. */
export function explained(
  statement: Pick<Statement, 'text' | 'verb'>,
): { text: string; statement: Statement } | null {
  const text = statement.verb === 'EXPLAIN' ? statement.text : `EXPLAIN ${statement.text}`
  const [explain] = splitStatements(text)
  return explain ? { text, statement: explain } : null
}
