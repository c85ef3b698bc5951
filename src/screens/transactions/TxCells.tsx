// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be left out.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.
import { useAtomValue } from 'jotai'
import { memo } from 'react'
import type { TxEntries } from '~/api/transactions'
import { kindsOf } from '~/atoms/transactions/tx-kind'
import { txHash } from '~/core/history/transaction-memory'
import { timezoneAtom } from '~/core/page-view'
import { base64ToHex } from '~/lib/bytes'
import { counted, formatCount } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { Hash } from '~/ui/Hash'
import { TxLink } from '~/ui/TxLink'
import { TouchedNames } from '../tables/TouchedNames'
import { kindNames } from './words'

/** How far the reading of a row is. */
export type ReadState = 'here' | 'coming' | 'failed'

/** What was touched gets what is left; the hash comes last, where there is room. */
export const columnLook = cx(
  'grid-cols-[minmax(6rem,max-content)_12rem_minmax(0,1fr)] xs:grid',
  '@min-[44rem]:grid-cols-[minmax(6.5rem,max-content)_12rem_8.75rem_minmax(0,1fr)_4rem]',
  '@min-[60rem]:grid-cols-[minmax(6.5rem,max-content)_12rem_8.75rem_minmax(0,1fr)_4rem_9.5rem]',
)

export const titles = ['Transaction', 'Committed', 'Kind', 'What it touched', 'Entries', 'Hash']

/** The same cells are left out of the rows. */
export const headLook = cx(
  columnLook,
  '[&>:nth-child(3)]:hidden [&>:nth-child(5)]:hidden [&>:nth-child(6)]:hidden',
  '@min-[44rem]:[&>:nth-child(3)]:block @min-[44rem]:[&>:nth-child(5)]:block',
  '@min-[60rem]:[&>:nth-child(6)]:block',
)

type CellsProps = {
  database: string
  id: string
  tx: TxEntries | undefined
  state: ReadState
}

/** What is known of one transaction. */
export const TxCells = memo(function TxCells({
  isNarrow,
  ...of
}: CellsProps & { isNarrow: boolean }) {
  return isNarrow ? <Narrow {...of} /> : <Wide {...of} />
})

const linkLook = 'font-mono text-primary hover:underline'

function Wide({ database, id, tx, state }: CellsProps) {
  if (!tx) return <Unread database={database} id={id} state={state} />
  const hash = txHash(tx.header)
  return (
    <>
      <span className="truncate" role="gridcell">
        <TxLink className={linkLook} database={database} id={id} tabIndex={-1} />
      </span>
      <span className="truncate tabular-nums" role="gridcell">
        <Committed tx={tx} />
      </span>
      <span className="hidden min-w-0 gap-1 overflow-hidden @min-[44rem]:flex" role="gridcell">
        <Kinds tx={tx} />
      </span>
      <span className="truncate" role="gridcell">
        <TouchedNames database={database} tx={tx} />
      </span>
      <span className="hidden text-end font-mono tabular-nums @min-[44rem]:block" role="gridcell">
        {formatCount(tx.header.nentries)}
      </span>
      <span className="hidden truncate @min-[60rem]:block" role="gridcell">
        {hash === null ? '–' : <Hash copy={false} hash={base64ToHex(hash)} />}
      </span>
    </>
  )
}

function Narrow({ database, id, tx, state }: CellsProps) {
  if (!tx) return <Unread database={database} id={id} state={state} />
  return (
    <>
      <span className="flex items-center gap-2 overflow-hidden" role="gridcell">
        <TxLink
          className={`${linkLook} shrink-0 text-base`}
          database={database}
          id={id}
          tabIndex={-1}
        />
        <Kinds tx={tx} />
        <span className="ms-auto shrink-0 text-muted">
          {counted(tx.header.nentries, 'entry', 'entries')}
        </span>
      </span>
      <span className="truncate text-muted tabular-nums" role="gridcell">
        <Committed tx={tx} />
      </span>
      <span className="truncate" role="gridcell">
        <TouchedNames database={database} tx={tx} />
      </span>
    </>
  )
}

function Unread({ database, id, state }: Omit<CellsProps, 'tx'>) {
  return (
    <>
      <span role="gridcell">
        <TxLink className={linkLook} database={database} id={id} tabIndex={-1} />
      </span>
      <span className="text-muted" role="gridcell">
        {state === 'coming' ? 'Reading…' : 'Not read'}
      </span>
    </>
  )
}

function Committed({ tx: { header } }: { tx: TxEntries }) {
  const zone = useAtomValue(timezoneAtom)
  return formatMoment(Number(header.ts) * 1_000, zone)
}

/** The kinds of a transaction as marks. */
export function Kinds({ tx }: { tx: TxEntries }) {
  const kinds = kindsOf(tx)
  if (kinds === null) {
    return (
      <span className="text-muted" title="More entries than one answer holds: not read.">
        not known
      </span>
    )
  }
  return kinds.map((kind) => (
    <Badge key={kind} tone={kind === 'truncation' ? 'warning' : 'neutral'}>
      {kindNames[kind]}
    </Badge>
  ))
}
