import { useAtomValue } from 'jotai'
import {
  isFull,
  lookedThroughAtom,
  lookOn,
  scanAtom,
  stopLooking,
} from '~/atoms/finder/look-through'
import type { LookedThrough, Scan } from '~/atoms/finder/thing'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { counted, formatCount, formatTx } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import type { Asked } from './use-lookups'

type Props = { asked: readonly Asked[]; askAgain: () => void; leftOut: number }

/** What the server is asked for this search, and what became of each question. */
export function Questions({ asked, askAgain, leftOut }: Props) {
  const scan = useAtomValue(scanAtom)
  if (asked.length === 0 && !scan) return null
  return (
    <section aria-label="Questions to the server" className="border-line border-t pt-2 text-sm">
      <ul className="grid grid-cols-1 gap-1">
        {asked.map(({ question, state, things, says }) => (
          <li className="text-muted" key={question.lookup.id}>
            <span className="[overflow-wrap:anywhere]">
              <SafeText text={question.lookup.asks} />
            </span>
            {state === 'waiting' ? '' : ': '}
            <span className={cx(state === 'failed' && 'text-warning')}>
              <Became found={things.length} says={says} state={state} />
            </span>
          </li>
        ))}
      </ul>
      {asked.some(({ state }) => state === 'failed') && (
        <p className="mt-1">
          <Button onClick={askAgain} size="small">
            Ask again
          </Button>
        </p>
      )}
      {leftOut > 0 && (
        <p className="mt-1 text-muted">
          {counted(leftOut, 'database is', 'databases are')} not asked, because there are too many.
        </p>
      )}
      {scan && <Looking scan={scan} />}
    </section>
  )
}

function Became({ state, found, says }: { state: Asked['state']; found: number; says: string }) {
  if (state === 'waiting') return null
  if (state === 'asking') return found > 0 ? `${counted(found, 'find')} so far…` : 'asking…'
  if (state === 'failed') return <Sentence text={`not answered. ${says}`} />
  const words = found > 0 ? `${formatCount(found)} found.` : ''
  const none = found === 0 && says === '' ? 'nothing found.' : ''
  return <Sentence text={[words, none, says].filter(Boolean).join(' ')} />
}

/** How far something was looked through; it can be stopped and goes on where it was. */
function Looking({ scan }: { scan: Scan }) {
  const looked = useAtomValue(lookedThroughAtom)
  const stop = useAct(stopLooking)
  const on = useAct(lookOn)
  if (!looked) return null
  const isBusy = looked.isFetching || looked.isAdding
  const problem = looked.error ?? looked.problem
  const isAtEnd = looked.data?.next === null || (looked.data && isFull(looked.data))
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 flex-1 basis-56" role="status">
        {looked.data ? soFar(scan, looked.data) : isBusy ? 'Asking the server…' : ''}
        {problem !== null && problem !== undefined && (
          <span className="text-warning">
            {' '}
            It stopped there. <Sentence text={sentence(problem)} />
          </span>
        )}
      </p>
      {isBusy ? (
        <Button onClick={stop} size="small">
          Stop
        </Button>
      ) : (
        !isAtEnd && (
          <Button onClick={on} size="small">
            Look on
          </Button>
        )
      )}
    </div>
  )
}

const nouns = { transactions: 'transaction', keys: 'key', documents: 'collection' } as const

function soFar(scan: Scan, looked: LookedThrough): string {
  const { kind } = scan
  const { found, looked: count, unread, next, refused = [] } = looked
  const noun = nouns[kind]
  const down =
    kind === 'transactions' && next ? `, down to tx ${formatTx(String(BigInt(next) + 1n))}` : ''
  const all = next === null && refused.length === 0 ? 'all ' : ''
  const where = placesSoFar(scan, looked)
  const what = `Looked at ${all}${counted(count, noun)}${where}${down}: ${formatCount(found.length)} found.`
  const left =
    unread === 0
      ? ''
      : kind === 'transactions'
        ? ` The server did not send the entries of ${counted(unread, 'transaction')}, so their values were not searched.`
        : ` ${counted(unread, noun)} could not be read.`
  const full = isFull(looked) ? ' It stops there: no more are kept.' : ''
  const not = refused.length === 0 ? '' : ` Not looked through: ${refused.join(' ')}`
  return `${what}${left}${full}${not}`
}

/** In which databases that is, where there are several. */
function placesSoFar({ others }: Scan, { done = 0, left, next }: LookedThrough): string {
  if (others === undefined) return ''
  const place = next ? left?.[0]?.database : undefined
  const parts = [
    ...(done > 0 ? [counted(done, next === null ? 'database' : 'whole database')] : []),
    ...(place ? [`a part of ${cutText(place, 100)}`] : []),
  ]
  return parts.length === 0 ? '' : ` of ${parts.join(' and ')}`
}
