import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { type Figure, isAhead } from '~/atoms/servers/lag'
import { figuresAtom, type Measured, measuredAtom, measureGroup } from '~/atoms/servers/measure'
import { type Member, memberKey, type ReplicaGroup } from '~/atoms/servers/replicas'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { counted, formatTx, listOf } from '~/lib/text'
import { formatClock, formatSpan } from '~/lib/time'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'
import { ReplicaPicture } from './ReplicaPicture'
import { lagWords } from './words'

/** Databases that are copied between servers, each with a picture and figures. */
export function ReplicaGroups({ groups }: { groups: readonly ReplicaGroup[] }) {
  if (groups.length === 0) return null
  return (
    <section aria-labelledby="replicas" className="grid gap-3">
      <h2 className="font-medium text-lg" id="replicas">
        Replicas
      </h2>
      {groups.map((group) => (
        <Group group={group} key={group.key} />
      ))}
    </section>
  )
}

const titles = [
  'Server',
  'Role',
  'Committed',
  'Precommitted',
  'Lag',
  'Lag in time',
  'Replication',
  'Last error',
]
const columns = titles.length

function Group({ group }: { group: ReplicaGroup }) {
  const measured = useAtomValue(measuredAtom)
  const figures = useAtomValue(figuresAtom)
  const measure = useAct(measureGroup)
  const [isBusy, setBusy] = useState(false)
  const read = () => {
    setBusy(true)
    void measure(group).finally(() => setBusy(false))
  }
  const { primary, replicas, database } = group
  const members = [...(primary ? [primary] : []), ...replicas]
  const isRead = members.some((member) => measured.has(memberKey(member)))
  return (
    <article
      aria-label={`Replicas of ${database}`}
      className="grid gap-3 border border-line bg-panel p-4"
    >
      <header className="flex flex-wrap items-center gap-3">
        <h3 className="min-w-0 flex-1 font-medium">
          <SafeText text={database} />{' '}
          <span className="font-normal text-muted">
            {counted(replicas.length, 'replica')} on this list
          </span>
        </h3>
        <Button busy={isBusy} onClick={read} size="small">
          {isRead ? 'Read states again' : 'Read states'}
        </Button>
      </header>
      {!primary && (
        <p className="text-warning">
          <SafeText text={unknownPrimary(group)} />
        </p>
      )}
      <ReplicaPicture figures={figures} group={group} />
      <div className="overflow-x-auto">
        <Table caption={`States of ${database}`} headLook="bg-raised" isBoxed titles={titles}>
          {members.map((member) => (
            <MemberRow
              figure={figures.get(memberKey(member))}
              found={measured.get(memberKey(member))}
              group={group}
              key={memberKey(member)}
              member={member}
            />
          ))}
        </Table>
      </div>
      <p className="text-muted text-sm">
        <AskedAt at={replicas.map((one) => figures.get(memberKey(one))?.at).find(Boolean)} /> immudb
        writes errors of replication to its own log, and no call reads that.
      </p>
    </article>
  )
}

/** When the figures were asked for, all in one round. */
function AskedAt({ at }: { at: number | undefined }) {
  const zone = useAtomValue(timezoneAtom)
  return at !== undefined && <>Asked together at {formatClock(at, zone)}.</>
}

const dash = <span className="text-muted">–</span>

function unknownPrimary({ candidates, named }: ReplicaGroup): string {
  const place = `${named.host}:${named.port}`
  if (candidates.length === 0) {
    return `The primary, ${place}, is not on this list, so no history can be compared with its own.`
  }
  return `The primary is ${place}, which may be ${listOf(candidates, 'or')}.`
}

type RowProps = {
  group: ReplicaGroup
  member: Member
  found: Measured | undefined
  figure: Figure | undefined
}

function MemberRow({ group, member, found, figure }: RowProps) {
  const { server, holding, standing } = member
  const isPrimary = member === group.primary
  const isSilent = standing.kind === 'silent'
  const lag = isPrimary || isSilent ? null : (figure?.lag ?? null)
  const reason = found?.kind === 'failed' ? found.reason : standing.reason
  const isFarther = isAhead(lag)
  return (
    <>
      <tr className={cx('whitespace-nowrap', isSilent && 'text-muted')}>
        <th className="font-medium" scope="row">
          {server.name}
          {holding.name !== group.database && (
            <span className="ms-2 font-normal text-muted">
              <SafeText text={holding.name} />
            </span>
          )}
        </th>
        <td>{isPrimary ? 'primary' : 'replica'}</td>
        <td className="font-mono">
          {isSilent ? dash : figure ? formatTx(figure.tx) : 'not known'}
        </td>
        <td className="font-mono">
          {!isSilent && found?.kind === 'read' ? formatTx(found.precommitted) : dash}
        </td>
        <td className={cx(isFarther && 'text-warning')}>
          {isPrimary ? dash : lagWords(lag)}
          {isFarther && (
            <p className="text-xs">
              The primary, asked later, does not have them. Compare their histories.
            </p>
          )}
        </td>
        <td>
          {isPrimary || isSilent || found?.kind !== 'read' || found.lagTime === null
            ? dash
            : timeWords(found.lagTime)}
        </td>
        <td>{replicationWords(group, member)}</td>
        <td>{isPrimary ? dash : 'not known'}</td>
      </tr>
      {reason !== '' && (
        <tr className="border-0">
          <td className="pt-0 text-error text-xs [overflow-wrap:anywhere]" colSpan={columns}>
            To this page: <SafeText text={reason} />
          </td>
        </tr>
      )}
    </>
  )
}

function timeWords(ms: number): string {
  if (ms === 0) return 'none'
  return ms > 0 ? `${formatSpan(ms)} behind` : `${formatSpan(-ms)} ahead`
}

function replicationWords({ primary }: ReplicaGroup, member: Member): ReactNode {
  const { holding } = member
  if (member === primary) {
    return holding.isSync
      ? `synchronous, waits for ${counted(holding.acks, 'replica')}`
      : 'asynchronous'
  }
  const mode = holding.isSync ? 'synchronous' : 'asynchronous'
  return (
    <>
      {mode}
      {holding.skipsCheck && <p className="text-warning text-xs">does not check what it gets</p>}
      {holding.allowsDiscarding && (
        <p className="text-muted text-xs">may drop transactions not yet committed</p>
      )}
    </>
  )
}
