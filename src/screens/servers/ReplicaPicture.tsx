import {
  lagOf,
  type Measured,
  type Member,
  memberKey,
  type ReplicaGroup,
} from '~/atoms/servers/replicas'
import { formatTx } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { lagWords } from './words'

type Props = { group: ReplicaGroup; measured: ReadonlyMap<string, Measured> }

/** Pixels of a server in the picture, and from one to the next. */
const box = { width: 170, height: 44 }
const step = { x: 300, y: 60 }

/** The primary on the left with a line to each replica: drawn through when synchronous. */
export function ReplicaPicture({ group, measured }: Props) {
  const { primary, replicas, named } = group
  const height = Math.max(1, replicas.length) * step.y
  const middle = height / 2
  const name = primary?.server.name ?? visibleText(`${named.host}:${named.port}`)
  return (
    <svg
      aria-label={inWords(group, measured)}
      className="h-auto w-full max-w-xl text-text"
      role="img"
      viewBox={`0 0 ${step.x + box.width + 2} ${height}`}
    >
      {replicas.map((replica, at) => {
        const y = at * step.y + step.y / 2
        const from = box.width + 1
        return (
          <g key={memberKey(replica)}>
            <path
              className={lineLook(group, replica, measured)}
              d={`M${from} ${middle} C${from + 60} ${middle} ${step.x - 60} ${y} ${step.x} ${y}`}
              fill="none"
              strokeDasharray={replica.holding.isSync ? undefined : '5 4'}
              strokeWidth="1.5"
            />
            <Box
              detail={ownWords(group, replica, measured)}
              name={replica.server.name}
              x={step.x}
              y={y}
            />
          </g>
        )
      })}
      <Box
        detail={primary ? txWords(primary, measured) : unknownWords(group)}
        isPrimary
        name={name}
        x={1}
        y={middle}
      />
    </svg>
  )
}

type BoxProps = { name: string; detail: string; x: number; y: number; isPrimary?: boolean }

function Box({ name, detail, x, y, isPrimary = false }: BoxProps) {
  return (
    <g>
      <rect
        className={isPrimary ? 'fill-raised stroke-primary' : 'fill-raised stroke-line'}
        height={box.height}
        rx="6"
        strokeWidth="1.5"
        width={box.width}
        x={x}
        y={y - box.height / 2}
      />
      <text className="fill-text font-medium text-[13px]" x={x + 10} y={y - 4}>
        {shortened(name)}
      </text>
      <text className="fill-muted text-[11px]" x={x + 10} y={y + 13}>
        {isPrimary ? `primary, ${detail}` : detail}
      </text>
    </g>
  )
}

/** As much of a name as fits into its box; the table has it whole. */
function shortened(name: string, most = 21): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name
}

function lineLook({ primary }: ReplicaGroup, replica: Member, measured: Props['measured']): string {
  const { transactions } = lagOf(primary, replica, measured)
  if (transactions === null) return 'stroke-field'
  return transactions < 0n ? 'stroke-warning' : 'stroke-primary'
}

function txWords(member: Member, measured: Props['measured']): string {
  const found = measured.get(memberKey(member))
  const tx = found?.kind === 'read' ? found.committed : member.holding.txId
  return tx === null ? 'tx not known' : `tx ${formatTx(tx)}`
}

/** With the name of the database where it is another one than on the primary. */
function ownWords(group: ReplicaGroup, replica: Member, measured: Props['measured']): string {
  const { name } = replica.holding
  const words = txWords(replica, measured)
  return name === group.database ? words : `${shortened(visibleText(name), 14)}, ${words}`
}

function unknownWords({ candidates }: ReplicaGroup): string {
  return candidates.length > 0 ? 'one of several' : 'not on this list'
}

/** The picture as a text. */
function inWords(group: ReplicaGroup, measured: Props['measured']): string {
  const { primary, replicas, named, database } = group
  const from = primary
    ? `${primary.server.name} is the primary of ${database}, at ${txWords(primary, measured)}.`
    : `The primary of ${database} is ${named.host}:${named.port}.`
  const each = replicas.map((replica) => {
    const mode = replica.holding.isSync ? 'synchronous' : 'asynchronous'
    const lag = lagOf(primary, replica, measured).transactions
    const words = lag === null ? 'lag not known' : `lag ${lagWords(lag)}`
    return `${replica.server.name} is a replica, ${mode}, at ${ownWords(group, replica, measured)}, ${words}.`
  })
  return [from, ...each].join(' ')
}
