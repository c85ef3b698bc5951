import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import type { TxEntry } from '~/api/transactions'
import { openRevisionsAtom, type Subject } from '~/atoms/revisions/open-revisions'
import type { TxValues } from '~/atoms/transactions/transaction'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { base64ToHex } from '~/lib/bytes'
import { exactSize } from '~/lib/size'
import { formatMoment } from '~/lib/time'
import { beginning } from '~/lib/visible-text'
import type { Leaf } from '~/proof/shown'
import type { StoredEntry } from '~/proof/stored-entry'
import { openProofDrawer } from '~/trust/proof-drawer'
import { entryQuestion } from '~/trust/questions'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Hash } from '~/ui/Hash'
import { ShieldIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeName } from '~/ui/SafeText'

/** An entry with its place in the transaction, from 1. */
export type Placed = { entry: TxEntry; stored: StoredEntry; number: number }

export type EntryProps = {
  database: string
  tx: string
  of: Placed
  /** The rows of the same table in this transaction, for batches of queries. */
  rows: readonly Placed[]
  values: TxValues | undefined
  isFound: boolean
}

type CardProps = Pick<EntryProps, 'database' | 'tx' | 'of' | 'values' | 'isFound'> & {
  kind: string
  /** What is named, shown as a name. */
  name: string
  /** Instead of the plain name. */
  title?: ReactNode
  /** More beside the button that verifies. */
  actions?: ReactNode
  /** What is drawn of it and no proof of its transaction covers. */
  said: readonly Leaf[]
  /** The stored value in base64, where it is not that of the values. */
  value?: string | undefined
  onVerify?: () => void
  children?: ReactNode
}

/** The frame around an entry: what it is, its marks, and Verify. */
export function Card(props: CardProps) {
  const { database, tx, of, values, isFound, kind, name, title, actions, children } = props
  const { entry, number } = of
  const zone = useAtomValue(timezoneAtom)
  const open = useAct(openProofDrawer)
  const value = props.value ?? values?.byKey.get(entry.key)
  const verify = () => {
    const drawn = value === undefined ? entry : { ...entry, value }
    const question = entryQuestion({ database, tx, number, entry: drawn, said: props.said })
    void open({ what: question.what, questions: [question] })
  }
  return (
    <article
      aria-label={`Entry ${number}`}
      className={cx(
        'mb-2 grid gap-2 rounded border bg-raised px-3 py-2',
        isFound ? 'border-primary' : 'border-line',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-muted text-xs">{kind}</span>
        <span className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">
          {title ?? <SafeName text={beginning(name, 300)} />}
        </span>
        {entry.isDeleted && <Badge tone="warning">Deleted</Badge>}
        {entry.expiresAt !== null && (
          <Badge title={formatMoment(Number(entry.expiresAt) * 1_000, zone)}>Expires</Badge>
        )}
        {entry.isNonIndexable && <Badge>Not indexed</Badge>}
        <span className="ms-auto flex items-center gap-1">
          {actions}
          <IconButton
            icon={<ShieldIcon />}
            label={`Verify entry ${number}`}
            onClick={props.onVerify ?? verify}
            size="tiny"
          />
        </span>
      </header>
      {children}
    </article>
  )
}

/** Opens all revisions over the page. */
export function HistoryButton({ of }: { of: Subject }) {
  const open = useSetAtom(openRevisionsAtom)
  return (
    // A copy, so that the same history opens again after a step back has left it.
    <Button onClick={() => open({ ...of })} size="small" variant="quiet">
      History
    </Button>
  )
}

/** The digest of a value that is not shown. */
export function Digest({ entry: { hValue, vLen } }: { entry: TxEntry }) {
  return (
    <p className="text-muted text-sm">
      {exactSize(vLen)}, shown by its digest: <Hash hash={base64ToHex(hValue)} what="digest" />
    </p>
  )
}
