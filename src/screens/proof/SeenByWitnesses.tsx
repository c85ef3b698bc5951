import { Fragment } from 'react'
import { pathTo } from '~/lib/paths'
import { formatTx } from '~/lib/text'
import { nameOfWitness } from '~/trust/witness-record'
import type { SeenBy } from '~/trust/witnesses'
import { Link } from '~/ui/Link'
import { SafeName } from '~/ui/SafeText'

type Props = {
  seen: readonly SeenBy[]
  /** Whether it is about the trusted state, or about one transaction. */
  of: 'state' | 'transaction'
  onLeave: () => void
}

/** What pinned witnesses have seen of a history. It is no mark: a witness makes nothing green. */
export function SeenByWitnesses({ seen, of, onLeave }: Props) {
  if (seen.length === 0) return null
  return (
    <section aria-label="Witnesses" className="grid gap-1">
      {seen.map((one) => (
        <Fragment key={one.witness}>
          <Line of={of} seen={one} />
          {one.found?.kind === 'differs' && (
            <p className="text-error">
              <SafeName text={nameOfWitness(one.witness)} /> signed another hash for transaction{' '}
              {formatTx(one.found.txId)}.
            </p>
          )}
          {one.found && one.found.kind !== 'differs' && (
            <p className="text-warning">
              <SafeName text={nameOfWitness(one.witness)} /> contradicts itself at transaction{' '}
              {formatTx(one.found.txId)}.
            </p>
          )}
        </Fragment>
      ))}
      <p>
        <Link
          className="text-primary underline"
          onClick={onLeave}
          to={pathTo('verify', { tab: 'witnesses' })}
        >
          Witnesses
        </Link>
      </p>
    </section>
  )
}

function Line({ seen: { witness, at, upTo }, of }: { seen: SeenBy; of: Props['of'] }) {
  const name = <SafeName text={nameOfWitness(witness)} />
  if (at !== null) {
    return (
      <p>
        Also seen by {name} at transaction {formatTx(at)}.{' '}
        <span className="text-muted">
          {of === 'state'
            ? 'It signed the trusted state itself.'
            : 'It signed that transaction of this history, which covers this one.'}
        </span>
      </p>
    )
  }
  if (upTo === null) return null
  return (
    <p>
      {of === 'state' ? (
        <>
          Also seen by {name} at transaction {formatTx(upTo)}.{' '}
          <span className="text-muted">
            It signed that transaction of this history. What came later is not covered.
          </span>
        </>
      ) : (
        <span className="text-muted">
          Not covered by {name}: the last that it signed and that was proven here is transaction{' '}
          {formatTx(upTo)}.
        </span>
      )}
    </p>
  )
}
