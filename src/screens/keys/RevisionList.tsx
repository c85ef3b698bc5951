import { useAtomValue } from 'jotai'
import { hasOlder, revisionLists } from '~/atoms/keys/key-revisions'
import { useAct } from '~/core/act'
import { asOfTxAtom } from '~/core/history/as-of'
import type { List } from '~/core/pages'
import type { RevisionLine } from '~/core/revisions/revisions'
import { failureWords, sentence } from '~/core/session/failure-words'
import { formatCount, formatTx } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Link } from '~/ui/Link'
import { Sentence } from '~/ui/Sentence'
import { Unanswered } from '~/ui/Unanswered'
import { useKeysAddress } from './address'
import { useTxTimes } from './Moment'

/** Every revision of a key, newest first; nothing of it can be changed any more. */
export function RevisionList({ of }: { of: string }) {
  const { database } = useKeysAddress()
  const asked = useAtomValue(useAtomValue(revisionLists.listsAtom)(database, of))
  const { data } = asked
  if (data?.length === 0) return null
  return (
    <section aria-labelledby="revisions" className="grid gap-2">
      <h3 className="font-medium" id="revisions">
        Revisions
      </h3>
      {data ? (
        <Lines list={asked} of={of} revisions={data} />
      ) : (
        <Unanswered asked={asked} lines={3} words={failureWords} />
      )}
    </section>
  )
}

type Revisions = readonly RevisionLine[]
type LinesProps = { of: string; list: List<Revisions>; revisions: Revisions }

function Lines({ of, list: { isAdding, problem }, revisions }: LinesProps) {
  const { database, revision: chosen } = useKeysAddress()
  const more = useAct(revisionLists.more)
  const timeOf = useTxTimes(
    database,
    revisions.flatMap(({ tx }) => (tx === null ? [] : [tx])),
  )
  const past = useAtomValue(asOfTxAtom)
  const isLater = ({ tx }: RevisionLine) =>
    past !== null && tx !== null && BigInt(tx) > BigInt(past)
  const shown = chosen === '' ? revisions.findIndex((one) => !isLater(one)) : -1
  return (
    <>
      <ol className="overflow-hidden rounded border border-line bg-panel">
        {revisions.map((one, index) => {
          const isChosen = chosen === String(one.number)
          return (
            <li className="border-line border-t first:border-t-0" key={one.number}>
              <Line
                isLater={isLater(one)}
                isShown={isChosen || index === shown}
                revision={one}
                time={one.tx === null ? null : timeOf(one.tx)}
              />
            </li>
          )
        })}
      </ol>
      {hasOlder(revisions) && (
        <div className="flex items-center gap-2">
          <Button busy={isAdding} onClick={() => void more(database, of)} size="small">
            Older revisions
          </Button>
          {problem !== null && (
            <span className="text-error text-sm">
              <Sentence text={sentence(problem)} />
            </span>
          )}
        </div>
      )}
    </>
  )
}

type LineProps = {
  revision: RevisionLine
  time: string | null
  isShown: boolean
  /** It came after the moment that is looked at. */
  isLater: boolean
}

function Line({ revision: one, time, isShown, isLater }: LineProps) {
  const { number, tx, kind } = one
  const { pathOf } = useKeysAddress()
  const facts = (
    <>
      <span className="w-14 font-medium">rev {formatCount(number)}</span>
      <span className="w-24 font-mono text-muted">
        {tx === null ? withoutTx(kind) : `tx ${formatTx(tx)}`}
      </span>
      <span className="grow text-muted">{time}</span>
      {isLater && <Badge>Later</Badge>}
      {kind === 'deleted' && <Badge tone="warning">Deleted</Badge>}
      {kind === 'expired' && <Badge tone="warning">Expired</Badge>}
    </>
  )
  const look = 'flex min-h-11 flex-wrap items-center gap-x-3 px-3 py-1 text-sm xs:min-h-8'
  return (
    <Link
      aria-current={isShown ? 'true' : undefined}
      className={cx(
        look,
        'no-underline -outline-offset-2 hover:bg-hover',
        isShown && 'bg-selected',
      )}
      to={pathOf({ revision: String(number) })}
    >
      {facts}
    </Link>
  )
}

/** Why the transaction of a revision is not known. */
function withoutTx(kind: RevisionLine['kind']): string {
  if (kind === 'gone') return 'value gone'
  return kind === 'too-large' ? '> 4 MiB' : 'not reported'
}
