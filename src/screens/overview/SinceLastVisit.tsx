import { useAtom, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { presentTxAtom } from '~/atoms/state'
import { timezoneAtom } from '~/atoms/view'
import { lastVisitAtom, noteVisitAtom } from '~/atoms/visits'
import { pathTo } from '~/lib/paths'
import { counted, formatMoment, formatTx } from '~/lib/text'
import { Link } from '~/ui/Link'

/** What came to the database since this browser was here before. */
export function SinceLastVisit() {
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
  const last = useAtomValue(lastVisitAtom)
  const present = useAtomValue(presentTxAtom)
  const zone = useAtomValue(timezoneAtom)
  if (!last) {
    return (
      <p className="text-muted text-sm">
        This browser remembers no earlier visit. Logging out forgets visits.
      </p>
    )
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
        <Link className="text-primary underline" to={pathTo('query')}>
          Open Query
        </Link>
      )}
    </p>
  )
}
