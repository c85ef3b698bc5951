import type { Database } from '~/api/databases'

export type Column = 'name' | 'transactions' | 'size' | 'created'
export type Order = { column: Column; isDescending: boolean }

const collator = new Intl.Collator('en-GB', { numeric: true })

/** The databases whose name holds the filter, without regard to case, in the order asked for. */
export function shownDatabases(
  databases: readonly Database[],
  filter: string,
  { column, isDescending }: Order,
): Database[] {
  const wanted = filter.trim().toLowerCase()
  const sign = isDescending ? -1 : 1
  return databases
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((a, b) => sign * compare(a, b, column) || collator.compare(a.name, b.name))
}

function compare(a: Database, b: Database, column: Column): number {
  switch (column) {
    case 'name':
      return collator.compare(a.name, b.name)
    case 'transactions':
      return compareCounts(a.numTransactions, b.numTransactions)
    case 'size':
      return compareCounts(a.diskSize, b.diskSize)
    case 'created':
      return (a.createdAt ?? 0) - (b.createdAt ?? 0)
  }
}

/** Whole numbers as text, exact at any length. */
function compareCounts(a: string, b: string): number {
  const difference = BigInt(a) - BigInt(b)
  return difference === 0n ? 0 : difference > 0n ? 1 : -1
}
