import { useAtomValue } from 'jotai'
import type { History } from '~/atoms/revisions/history'
import {
  checkRestore,
  lastRestoreAtom,
  type RestorePlan,
  restoreRevision,
} from '~/atoms/revisions/restore'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { formatCount } from '~/lib/text'
import { AskDialog } from '~/ui/AskDialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeName } from '~/ui/SafeText'
import { SentRequest } from '~/ui/SentRequest'
import { ChangedLines, ChangedValue, isByLine } from '../tables/ChangedValue'
import { changesOf, type PartChange, textOf } from './shown-part'

type Props = {
  history: History
  plan: RestorePlan | { why: string }
  number: number
  onClose: () => void
}

/** Shows what restoring a revision sends, and sends it. */
export function RestoreDialog({ history, plan, number, onClose }: Props) {
  const restore = useAct(restoreRevision)
  const check = useAct(checkRestore)
  const { state } = useAtomValue(lastRestoreAtom)(history.subject)
  const ready = 'statement' in plan ? plan : null
  return (
    <AskDialog
      action="Restore revision"
      description="The old content becomes a new revision. Nothing in the history changes."
      onAction={() => ready && restore(ready)}
      onClose={onClose}
      refusal={
        ready ? (state.kind === 'unknown' ? 'Check first.' : undefined) : 'Nothing to send yet.'
      }
      title={`Restore revision ${number}?`}
      width="wide"
      write={{
        state,
        database: history.subject.database,
        notDone: 'Nothing was restored.',
        notKnown: 'this was restored',
        onCheck: () => ready && void check(),
      }}
    >
      <div className="grid gap-3 text-sm">
        {'why' in plan && <ErrorNote notDone="Nothing was written." title={plan.why} />}
        {ready && <Planned plan={ready} />}
      </div>
    </AskDialog>
  )
}

function Planned({ plan }: { plan: RestorePlan }) {
  const { now, content, notes, params, statement } = plan
  const changes = now && changesOf(now, content.parts).filter(({ change }) => change !== 'same')
  return (
    <>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {changes?.length === 0 && <p>It has this content already.</p>}
      {changes && changes.length > 0 && <Changes changes={changes} />}
      {changes ? (
        <details>
          <summary className="cursor-pointer">Show what is sent</summary>
          <div className="mt-2 grid gap-2">
            <SentRequest params={params} statement={statement} />
          </div>
        </details>
      ) : (
        <>
          <p>This is sent, once:</p>
          <SentRequest params={params} statement={statement} />
        </>
      )}
    </>
  )
}

/** Parts that are drawn: a document may have thousands. */
const mostParts = 100

/** What becomes another value. */
function Changes({ changes }: { changes: readonly PartChange[] }) {
  const zone = useAtomValue(timezoneAtom)
  const more = changes.length - mostParts
  return (
    <>
      <dl className="grid grid-cols-[minmax(5rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1">
        {changes.slice(0, mostParts).map(({ id, name, older, newer }) => {
          const [before, after] = [older, newer].map((part) => part && textOf(part, zone))
          const isLong =
            typeof before === 'string' && typeof after === 'string' && isByLine(before, after)
          return (
            <div className="contents" key={id}>
              <dt className="max-w-[40vw] text-muted [overflow-wrap:anywhere] xs:max-w-60">
                <SafeName text={name} />
              </dt>
              <dd className="min-w-0">
                {isLong ? (
                  <ChangedLines newer={after} older={before} />
                ) : (
                  <>
                    {before === undefined ? '–' : <ChangedValue isStruck text={before} />}
                    <span className="text-muted"> → </span>
                    {after === undefined ? '–' : <ChangedValue isNew text={after} />}
                  </>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      {more > 0 && <p className="text-muted">And {formatCount(more)} more.</p>}
    </>
  )
}
