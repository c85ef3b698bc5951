import type { Getter, Setter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import type { State } from '~/api/server'
import { formatTx } from '~/lib/text'
import { stateKey } from '../history/state'
import { verifyWriteAtom } from '../query/receipts'
import { trustsAtom } from '../trust/trust'
import type { Base } from './drafts'

/** The newest transaction known of a database: what is sent now is committed in a later one. */
export function newestKnown(
  get: Getter,
  { database, base }: { database: string; base?: Base },
): string {
  const state = get(queryClientAtom).getQueryData<State>(stateKey(database))
  const trust = get(trustsAtom).get(database)
  const record = trust && 'record' in trust ? trust.record : null
  const read = base?.kind === 'revision' ? base.tx : '0'
  return [state?.txId ?? '0', record?.point.txId ?? '0', read].reduce((one, other) =>
    BigInt(one) > BigInt(other) ? one : other,
  )
}

/** A write to a key that was answered; key and value are standard base64. */
export type KeyWrite = {
  database: string
  key: string
  /** Null when the server did not tell it. */
  tx: string | null
  /** Null for a deletion. */
  value: string | null
  /** See `ShownKey`. */
  sentExpiry?: string | null
  /** See `newestKnown`, at the time of sending. */
  txBefore: string
}

/** The receipt says later what came of it. */
export async function verifyKeyWrite(set: Setter, { tx, txBefore, ...written }: KeyWrite) {
  if (tx === null) return
  const isDeleted = written.value === null
  const shown = { ...written, tx, isDeleted, targetTx: null, what: `tx ${formatTx(tx)}` }
  await set(verifyWriteAtom, { database: written.database, tx, txBefore, key: shown })
}

/** The same for a write of which only the transaction is verified. */
export async function verifyTxWrite(
  set: Setter,
  { tx, ...written }: Pick<KeyWrite, 'database' | 'tx' | 'txBefore'>,
) {
  if (tx !== null) await set(verifyWriteAtom, { ...written, tx })
}
