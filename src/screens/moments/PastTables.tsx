import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import {
  isCatalogueComingAtom,
  readCatalogueHistory,
  readingAtom,
} from '~/atoms/tables/catalogue-history'
import { type PastTable, pastTablesAtom } from '~/atoms/transactions/past-tables'
import { useAct } from '~/core/act'
import { counted, formatCount, formatTx } from '~/lib/text'
import { IncompleteList } from './IncompleteList'

export type PastTablesProps = {
  database: string
  tx: string
  /** Shows the tables as they were; null for those of now. */
  children: (tables: readonly PastTable[] | null) => ReactNode
}

/** The tables as of a moment once the transactions were read; until then it says what is missing. */
export function PastTables({ database, tx, children }: PastTablesProps) {
  const past = useAtomValue(useAtomValue(pastTablesAtom)(database, tx))
  const isComing = useAtomValue(useAtomValue(isCatalogueComingAtom)(database))
  const reading = useAtomValue(readingAtom)(database)
  const read = useAct(readCatalogueHistory)
  if (past) {
    const { tables, nameless } = past
    const lacking = tables.some(({ isPartial }) => isPartial)
    return (
      <>
        <p className="shrink-0 border-line border-b px-3 py-2 text-sm" role="status">
          {counted(tables.length + nameless, 'table')} as of tx {formatTx(tx)}
        </p>
        {(nameless > 0 || lacking) && (
          <p className="shrink-0 border-line border-b px-3 py-2 text-sm text-warning">
            {nameless > 0
              ? `The server no longer has the ${nameless === 1 ? 'name of 1' : `names of ${formatCount(nameless)}`} of them.`
              : 'The server no longer has all of their descriptions.'}{' '}
            A truncation may have removed values.
          </p>
        )}
        {(tables.length > 0 || nameless === 0) && children(tables)}
      </>
    )
  }
  return (
    <>
      {isComing ? (
        <p className="shrink-0 border-line border-b px-3 py-2 text-sm" role="status">
          Today’s list; reading the one of tx {formatTx(tx)}…
        </p>
      ) : (
        <IncompleteList
          action={`Read the list of tx ${formatTx(tx)}`}
          failure={reading?.kind === 'failed' ? reading.text : null}
          onCancel={() => reading?.kind === 'busy' && reading.stop.abort()}
          onRead={() => read(database)}
          progress={reading?.kind === 'busy' ? reading.progress : null}
        />
      )}
      {children(null)}
    </>
  )
}
