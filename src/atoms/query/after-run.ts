import type { Getter, Setter } from 'jotai'
import { refusalOf } from '~/sql/refusals'
import type { Statement } from '~/sql/statements'
import { refreshDatabasesAtom } from '../databases/list'
import { refreshStateAtom } from '../history/state'
import { clientAtom } from '../session/client'
import { detectDuplicateCommit } from './duplicate-commit'
import { changeOutputAtom, type NewEntry } from './output'
import { verifyWriteAtom } from './receipts'
import { isQuery, type RunMode, rowVerbs } from './send-statement'
import { rememberRunAtom } from './statement-history'
import { refreshTablesAtom } from './tables'

/** Puts what was run behind an entry of the output into the code history. */
export async function remember(set: Setter, before: number) {
  try {
    await set(rememberRunAtom, before)
  } catch {
    // What cannot be kept is still shown in the output.
  }
}

/** The receipt says later what came of it. */
export async function verifyWrite(set: Setter, database: string, tx: string, txBefore: string) {
  await set(verifyWriteAtom, { database, tx, txBefore })
}

/** A transaction that was not the next one may mean that the browser sent the statement again. */
export async function lookForDuplicateCommit(
  get: Getter,
  set: Setter,
  number: number,
  { database, tx, txBefore, elapsed }: NewEntry,
  { verb }: Statement,
) {
  if (tx === null || BigInt(tx) - BigInt(txBefore) < 2n || get(clientAtom).runsOnce()) return
  const isInsert = verb === 'INSERT'
  const written = { database, tx, txBefore, isInsert, elapsed: elapsed ?? 0 }
  const found = await detectDuplicateCommit(get, written)
  if (found !== null) set(changeOutputAtom, number, { warning: found })
}

/** Asks anew only for what the statements may have changed; each call may be kept in an audit log. */
export function refreshAfter(set: Setter, started: readonly Statement[], mode: RunMode) {
  const statements = started.filter(wasSent)
  if (statements.every((statement) => isQuery(statement, mode))) return
  if (statements.some(({ text }) => /\bDATABASE\b/i.test(text))) void set(refreshDatabasesAtom)
  // In this order an empty database's first table is asked for once, when the state allows it.
  if (statements.some((statement) => changesTables(statement, mode))) void set(refreshTablesAtom)
  void set(refreshStateAtom)
}

function wasSent(statement: Statement): boolean {
  return refusalOf(statement) === undefined && statement.kind !== 'use'
}

export function changesTables(statement: Statement, mode: RunMode): boolean {
  return !isQuery(statement, mode) && !rowVerbs.has(statement.verb)
}
