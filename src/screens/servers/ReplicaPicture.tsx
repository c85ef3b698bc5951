import { type Figures, isAhead } from '~/atoms/servers/lag'
import { type Member, memberKey, type ReplicaGroup } from '~/atoms/servers/replicas'
import { formatTx } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { cx } from '~/ui/cx'
import { lagWords } from './words'

type Props = { group: ReplicaGroup; figures: Figures }

/** Pixels of a server in the picture, and from one to the next. */
const box = { width: 170, height: 44 }
const step = { x: 300, y: 60 }

/** The primary on the left with a line to each replica: drawn through when synchronous. */
export function ReplicaPicture({ group, figures }: Props) {
  const { primary, replicas, named } = group
  const height = Math.max(1, replicas.length) * step.y
  const middle = height / 2
  const name = primary?.server.name ?? visibleText(`${named.host}:${named.port}`)
  return (
    <svg
      aria-label={inWords(group, figures)}
      className="h-auto w-full max-w-xl text-text"
      role="img"
      viewBox={`0 0 ${step.x + box.width + 2} ${height}`}
    >
      {replicas.map((replica, at) => {
        const y = at * step.y + step.y / 2
        const from = box.width + 1
        const isCut = isDead(replica) || (primary !== null && isDead(primary))
        return (
          <g key={memberKey(replica)}>
            <path
              className={isCut ? 'stroke-error' : lineLook(replica, figures)}
              d={`M${from} ${middle} C${from + 60} ${middle} ${step.x - 60} ${y} ${step.x} ${y}`}
              fill="none"
              strokeDasharray={isCut ? '2 6' : replica.holding.isSync ? undefined : '5 4'}
              strokeWidth="1.5"
            />
            {isCut && <Cross x={(from + step.x) / 2} y={(middle + y) / 2} />}
            <Box
              detail={ownWords(group, replica, figures)}
              isDead={isDead(replica)}
              name={replica.server.name}
              x={step.x}
              y={y}
            />
          </g>
        )
      })}
      <Box
        detail={primary ? txWords(primary, figures) : unknownWords(group)}
        isDead={primary !== null && isDead(primary)}
        isPrimary
        name={name}
        x={1}
        y={middle}
      />
    </svg>
  )
}

const isDead = ({ standing }: Member) => standing.kind === 'silent'

/** Marks a line over which nothing comes. */
function Cross({ x, y }: { x: number; y: number }) {
  return (
    <path
      className="stroke-error"
      d={`M${x - 6} ${y - 6} l12 12 m0 -12 l-12 12`}
      fill="none"
      strokeWidth="2"
    />
  )
}

type BoxProps = {
  name: string
  detail: string
  x: number
  y: number
  isPrimary?: boolean
  isDead: boolean
}

function Box({ name, detail, x, y, isPrimary = false, isDead }: BoxProps) {
  const line = isDead ? 'stroke-error' : isPrimary ? 'stroke-primary' : 'stroke-line'
  return (
    <g>
      <rect
        className={cx(isDead ? 'fill-panel' : 'fill-raised', line)}
        height={box.height}
        rx="6"
        strokeDasharray={isDead ? '4 3' : undefined}
        strokeWidth="1.5"
        width={box.width}
        x={x}
        y={y - box.height / 2}
      />
      <text
        className={cx('font-medium text-[13px]', isDead ? 'fill-muted' : 'fill-text')}
        x={x + 10}
        y={y - 4}
      >
        {shortened(name)}
      </text>
      <text
        className={cx('text-[11px]', isDead ? 'fill-error' : 'fill-muted')}
        x={x + 10}
        y={y + 13}
      >
        {isPrimary ? `primary, ${detail}` : detail}
      </text>
    </g>
  )
}

/** As much of a name as fits into its box; the table has it whole. */
function shortened(name: string, most = 21): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name
}

function lineLook(replica: Member, figures: Figures): string {
  const lag = figures.get(memberKey(replica))?.lag ?? null
  if (lag === null) return 'stroke-field'
  return isAhead(lag) ? 'stroke-warning' : 'stroke-primary'
}

function txWords(member: Member, figures: Figures): string {
  if (isDead(member)) return 'no answer'
  const tx = figures.get(memberKey(member))?.tx
  return tx === undefined ? 'tx not known' : `tx ${formatTx(tx)}`
}

/** With the name of the database where it is another one than on the primary. */
function ownWords(group: ReplicaGroup, replica: Member, figures: Figures): string {
  const { name } = replica.holding
  const words = txWords(replica, figures)
  return name === group.database ? words : `${shortened(visibleText(name), 14)}, ${words}`
}

function unknownWords({ candidates }: ReplicaGroup): string {
  return candidates.length > 0 ? 'one of several' : 'not on this list'
}

/** The picture as a text. */
function inWords(group: ReplicaGroup, figures: Figures): string {
  const { primary, replicas, named, database } = group
  const from = primary
    ? `${primary.server.name} is the primary of ${database}, at ${txWords(primary, figures)}.`
    : `The primary of ${database} is ${named.host}:${named.port}.`
  const each = replicas.map((replica) => {
    const mode = replica.holding.isSync ? 'synchronous' : 'asynchronous'
    const lag = isDead(replica) ? null : (figures.get(memberKey(replica))?.lag ?? null)
    return `${replica.server.name} is a replica, ${mode}, at ${ownWords(group, replica, figures)}, lag ${lagWords(lag)}.`
  })
  return [from, ...each].join(' ')
}
