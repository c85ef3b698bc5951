import { useAtom, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { type Attention, attentionAtom } from '~/atoms/overview/attention'
import { lastVisitAtom, noteVisitAtom } from '~/core/history/last-visit'
import { presentTxAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { databaseAtom } from '~/core/session/session'
import { pathTo } from '~/lib/paths'
import { counted, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { visibleText } from '~/lib/visible-text'
import { ErrorIcon, InfoIcon, TickIcon, WarningIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeText } from '~/ui/SafeText'
import { Card } from './Card'

// Outside React: storage.

const icons = {
  error: <ErrorIcon className="text-error" />,
  warning: <WarningIcon className="text-warning" />,
  info: <InfoIcon className="text-info" />,
}
const words = { error: 'Danger: ', warning: 'Warning: ', info: 'Advice: ' }

/** What the operator should know of or do something about, and what is new. */
export function AttentionList() {
  const items = useAtomValue(attentionAtom)
  const isKnown = useAtomValue(lastVisitAtom) !== undefined
  return (
    <Card title="Needs attention">
      {items.length === 0 ? (
        <p className="flex items-center gap-3 text-muted">
          <TickIcon className="shrink-0" />
          Nothing needs attention
        </p>
      ) : (
        <ul className="grid grid-cols-1 gap-x-6 gap-y-3 ui:grid-cols-2">
          {items.map((item) => (
            <Item item={item} key={item.id} />
          ))}
        </ul>
      )}
      {isKnown && <SinceLastVisit />}
    </Card>
  )
}

function Item({ item }: { item: Attention }) {
  return (
    <li className="flex gap-3">
      <span className="flex h-5 shrink-0 items-center">{icons[item.tone]}</span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">
          <span className="sr-only">{words[item.tone]}</span>
          <SafeText text={item.title} />
        </p>
        <p className="text-muted text-sm">
          <SafeText text={item.text} />{' '}
          {item.link && (
            <Link className="text-primary underline" to={item.link.path}>
              {item.link.words}
            </Link>
          )}
        </p>
        {item.cure !== undefined && (
          <p className="mt-0.5 text-sm">
            Fix:{' '}
            <code className="break-words font-mono text-[13px]" translate="no">
              {visibleText(item.cure)}
            </code>
          </p>
        )}
      </div>
    </li>
  )
}

/** What was added to the database since the last visit of this browser. */
function SinceLastVisit() {
  const [toNote, note] = useAtom(noteVisitAtom)
  // What was seen is kept in storage, for the next visit.
  useEffect(() => {
    if (toNote !== null) note()
  }, [toNote, note])
  return (
    <section aria-label="Since your last visit" className="mt-3 border-line border-t pt-3">
      <h3 className="font-medium text-sm">Since your last visit</h3>
      <Growth />
    </section>
  )
}

function Growth() {
  const database = useAtomValue(databaseAtom) ?? ''
  const last = useAtomValue(lastVisitAtom)
  const present = useAtomValue(presentTxAtom)
  const zone = useAtomValue(timezoneAtom)
  if (!last) {
    return <p className="text-muted text-sm">No earlier visit remembered.</p>
  }
  const grown = BigInt(present) - BigInt(last.tx)
  const before = `It was at tx ${formatTx(last.tx)} on ${formatMoment(last.at, zone)}.`
  if (grown < 0n) {
    return (
      <p className="text-error text-sm">
        {counted(-grown, 'transaction')} fewer than then. {before}
      </p>
    )
  }
  return (
    <p className="text-sm">
      {grown === 0n ? 'No new transaction.' : `${counted(grown, 'new transaction')}.`}{' '}
      <span className="text-muted">{before}</span>{' '}
      {grown > 0n && (
        <Link
          className="text-primary underline"
          to={pathTo('compare', { db: database, from: `tx:${last.tx}`, to: `tx:${present}` })}
        >
          See what changed
        </Link>
      )}
    </p>
  )
}
