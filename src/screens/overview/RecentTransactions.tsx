import { useAtomValue } from 'jotai'
import { useAct } from '~/core/act'
import { stateAtom } from '~/core/history/newest-state'
import { type RecentTx, recentTransactionsAtom } from '~/core/history/transactions'
import { timezoneAtom } from '~/core/page-view'
import { failureWords } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { hexOf } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { formatCount, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { objectLeaf, textValue } from '~/proof/shown'
import { openProofDrawer } from '~/trust/proof-drawer'
import { txQuestion } from '~/trust/questions'
import { EmptyState } from '~/ui/EmptyState'
import { Hash } from '~/ui/Hash'
import { DatabaseIcon, ShieldIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Link } from '~/ui/Link'
import { Skeleton } from '~/ui/Skeleton'
import { Table } from '~/ui/Table'
import { TxLink } from '~/ui/TxLink'
import { Unanswered } from '~/ui/Unanswered'
import { TouchedIn } from '../tables/TouchedNames'
import { Card } from './Card'

/** The newest transactions of the open database. */
export function RecentTransactions() {
  return (
    <Card aside="reported by server" title="Recent transactions">
      <Content />
    </Card>
  )
}

function Content() {
  const recent = useAtomValue(recentTransactionsAtom)
  const state = useAtomValue(stateAtom).data
  if (state && !recent) {
    return (
      <EmptyState
        action={
          <Link className="text-primary underline" to={pathTo('query')}>
            Open Query
          </Link>
        }
        icon={<DatabaseIcon />}
        text="Nothing was ever written to this database."
        title="No transactions"
      />
    )
  }
  if (recent?.data) return <List transactions={recent.data.transactions} />
  return recent ? (
    <Unanswered asked={recent} lines={6} words={failureWords} />
  ) : (
    <Skeleton lines={6} />
  )
}

/** The names beside the mark come from a separate answer, which the proof is not compared with. */
const touched = [objectLeaf('what it touched', textValue('as listed'))]

function List({ transactions }: { transactions: readonly RecentTx[] }) {
  const zone = useAtomValue(timezoneAtom)
  const database = useAtomValue(databaseAtom) ?? ''
  const verify = useAct(openProofDrawer)
  return (
    <div className="-mx-4 overflow-x-auto overscroll-x-contain px-4">
      <Table
        caption="Recent transactions"
        titles={[
          'Transaction',
          'Committed',
          { title: 'Entries', look: 'hidden text-end xs:table-cell' },
          { title: 'What it touched', look: 'w-full' },
          { title: 'Hash', look: 'hidden lg:table-cell' },
          { title: 'Proof', isUnseen: true },
        ]}
      >
        {transactions.map(({ id, ts, nentries, hash }) => (
          <tr key={id}>
            <td className="whitespace-nowrap font-mono">
              <TxLink database={database} id={id} />
            </td>
            <td className="tabular-nums xs:whitespace-nowrap">
              {formatMoment(Number(ts) * 1_000, zone)}
            </td>
            <td className="hidden text-end font-mono tabular-nums xs:table-cell">
              {formatCount(nentries)}
            </td>
            <td className="max-w-0 truncate">
              <TouchedIn
                database={database}
                from={transactions.at(-1)?.id ?? id}
                id={id}
                to={transactions[0]?.id ?? id}
              />
            </td>
            <td className="hidden whitespace-nowrap lg:table-cell">
              {hash === '' ? '–' : <Hash hash={hexOf(hash)} what={`hash of tx ${id}`} />}
            </td>
            <td className="text-end">
              <IconButton
                icon={<ShieldIcon />}
                label={`Verify tx ${formatTx(id)}`}
                onClick={() => {
                  const question = txQuestion(database, { id, ts, hash, nentries }, touched)
                  void verify({ what: question.what, questions: [question] })
                }}
                size="tiny"
              />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  )
}
