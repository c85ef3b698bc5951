import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import {
  lagOf,
  type Measured,
  type Member,
  measuredAtom,
  measureGroupAtom,
  memberKey,
  type ReplicaGroup,
} from '~/atoms/servers/replicas'
import { counted, formatTx, listOf } from '~/lib/text'
import { formatSpan } from '~/lib/time'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { SafeText } from '~/ui/SafeText'
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

function Group({ group }: { group: ReplicaGroup }) {
  const measured = useAtomValue(measuredAtom)
  const measure = useSetAtom(measureGroupAtom)
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
      <ReplicaPicture group={group} measured={measured} />
      <div className="overflow-x-auto">
        <table aria-label={`States of ${database}`} className="w-full text-sm">
          <thead className="bg-raised text-muted text-xs">
            <tr>
              {[
                'Server',
                'Role',
                'Committed',
                'Precommitted',
                'Lag',
                'Lag in time',
                'Replication',
                'Last error',
              ].map((title) => (
                <th className={cx(cell, 'text-start font-normal')} key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow
                group={group}
                key={memberKey(member)}
                measured={measured}
                member={member}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-muted text-sm">
        immudb writes errors of replication to its own log, and no call reads that.
      </p>
    </article>
  )
}

const cell = 'whitespace-nowrap px-3 py-1.5 align-top'
const dash = <span className="text-muted">–</span>

function unknownPrimary({ candidates, named }: ReplicaGroup): string {
  const place = `${named.host}:${named.port}`
  if (candidates.length === 0) {
    return `The primary, ${place}, is not on this list, so no history can be compared with its own.`
  }
  return `The primary is ${place}, which may be ${listOf(candidates, 'or')}.`
}

type RowProps = { group: ReplicaGroup; member: Member; measured: ReadonlyMap<string, Measured> }

function MemberRow({ group, member, measured }: RowProps) {
  const { server, holding, standing } = member
  const isPrimary = member === group.primary
  const found = measured.get(memberKey(member))
  const lag = isPrimary ? null : lagOf(group.primary, member, measured)
  const committed = found?.kind === 'read' ? found.committed : holding.txId
  const reason = found?.kind === 'failed' ? found.reason : standing.reason
  const isAhead = lag?.transactions != null && lag.transactions < 0n
  return (
    <tr className="border-line border-t">
      <th className={cx(cell, 'text-start font-medium')} scope="row">
        {server.name}
        {holding.name !== group.database && (
          <span className="ms-2 font-normal text-muted">
            <SafeText text={holding.name} />
          </span>
        )}
      </th>
      <td className={cell}>{isPrimary ? 'primary' : 'replica'}</td>
      <td className={cx(cell, 'font-mono')}>
        {committed === null ? 'not known' : formatTx(committed)}
      </td>
      <td className={cx(cell, 'font-mono')}>
        {found?.kind === 'read' ? formatTx(found.precommitted) : dash}
      </td>
      <td className={cx(cell, isAhead && 'text-warning')}>
        {isPrimary ? dash : lag?.transactions == null ? 'not known' : lagWords(lag.transactions)}
        {isAhead && (
          <p className="text-xs">
            {lag.isInOrder
              ? 'It has transactions that the primary does not have.'
              : 'It may have been asked later. Read states to be sure.'}
          </p>
        )}
      </td>
      <td className={cell}>{isPrimary || lag?.time == null ? dash : timeWords(lag.time)}</td>
      <td className={cell}>{replicationWords(group, member)}</td>
      <td className={cx(cell, 'max-w-80 whitespace-normal [overflow-wrap:anywhere]')}>
        {isPrimary ? dash : 'not known'}
        {reason !== '' && (
          <p className="text-warning text-xs">
            To this page: <SafeText text={reason} />
          </p>
        )}
      </td>
    </tr>
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
