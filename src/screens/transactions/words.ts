import type { TxKind } from '~/atoms/transactions/tx-kind'

/** The kinds of transactions as the screen calls them. */
export const kindNames: Readonly<Record<TxKind, string>> = {
  sql: 'SQL',
  keys: 'Keys',
  documents: 'Documents',
  catalogue: 'Schema',
  truncation: 'Truncation',
}
