import { useAtomValue, useSetAtom } from 'jotai'
import { timezoneAtom } from '~/core/page-view'
import { databaseAtom } from '~/core/session/session'
import { hexOf } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { formatMoment } from '~/lib/time'
import { isTrustOpenAtom, type Trust, trustAtom, verdictOfTrust } from '~/trust/trust'
import { checkedAt, type TrustRecord } from '~/trust/trust-record'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Fact } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { Link } from '~/ui/Link'
import { TxLink } from '~/ui/TxLink'
import { lookOf } from '../proof/trust-look'
import { Card } from './Card'

/** What this browser verified of the open database, beside what the server says of it. */
export function TrustCard() {
  const database = useAtomValue(databaseAtom)
  const trust = useAtomValue(trustAtom)
  const open = useSetAtom(isTrustOpenAtom)
  if (database === null) return null
  const isVerified = verdictOfTrust(trust).verdict === 'verified'
  return (
    <Card
      aside={isVerified && <Badge tone="verified">verified by this browser</Badge>}
      title="Trusted history"
    >
      <Words trust={trust} />
      <Facts record={'record' in trust ? trust.record : null} />
      <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={() => open(true)} size="small">
          Show the trusted state
        </Button>
        <Link className="text-primary underline" to={pathTo('verify')}>
          All trusted states
        </Link>
      </p>
    </Card>
  )
}

/** In the words of the chip; what the figures say below is not said twice. */
function Words({ trust }: { trust: Trust }) {
  const timezone = useAtomValue(timezoneAtom)
  const { Icon, tone, title, text } = lookOf(trust, (at) => formatMoment(at, timezone))
  const { cause } = verdictOfTrust(trust)
  const isFollowed = cause === 'whole' || cause === 'stale'
  const why = (isFollowed || cause === 'first') && 'why' in trust ? (trust.why ?? null) : null
  return (
    <>
      <p className={cx('flex items-center gap-2 font-medium', tone)}>
        <Icon className="shrink-0" size={20} />
        {title}
      </p>
      <p className="mt-1 mb-2 text-muted text-sm">
        {why ?? (isFollowed ? 'Contains every state recorded since the first contact.' : text)}
      </p>
    </>
  )
}

function Facts({ record }: { record: TrustRecord | null }) {
  const timezone = useAtomValue(timezoneAtom)
  const contact = record?.firstContact
  const checked = record ? checkedAt(record) : 0
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5">
      <Fact name="Trusted up to">
        {record ? (
          <>
            <Tx id={record.point.txId} />{' '}
            <Hash hash={hexOf(record.point.txHash)} what="hash of the trusted state" />
          </>
        ) : (
          'nothing recorded so far'
        )}
      </Fact>
      <Fact name="Checked last">{checked > 0 ? formatMoment(checked, timezone) : 'not yet'}</Fact>
      <Fact name="Followed since">
        {contact ? (
          <>
            <Tx id={contact.txId} />,{' '}
            <span className="inline-block">{formatMoment(contact.at, timezone)}</span>
          </>
        ) : (
          'not yet'
        )}
      </Fact>
    </dl>
  )
}

function Tx({ id }: { id: string }) {
  const database = useAtomValue(databaseAtom) ?? ''
  return (
    <span className="font-mono">
      {id === '0' ? 'empty' : <TxLink database={database} id={id} />}
    </span>
  )
}
