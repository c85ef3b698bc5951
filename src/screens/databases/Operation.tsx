import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, Suspense, useState } from 'react'
import type { Database } from '~/api/databases'
import { levelOnAtom } from '~/atoms/database-levels'
import { type Work, type WorkKind, workAtom, worksAtom } from '~/atoms/database-work'
import { writesHeldAtom } from '~/atoms/trust/trust'
import { codePoints, isUnusualName, reservedReason } from '~/lib/database-name'
import type { Commands } from '~/lib/immuadmin'
import { refusalFor } from '~/lib/permission'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { SafeName } from '~/ui/SafeName'
import { CommandBox } from './CommandBox'

const ConfirmDialog = fetchedLater(() =>
  import('~/ui/ConfirmDialog').then((module) => module.ConfirmDialog),
)

const titles: Record<WorkKind, string> = {
  load: 'Load',
  unload: 'Unload',
  flush: 'Flush the index',
  compact: 'Compact the index',
  truncate: 'Truncate',
  delete: 'Delete',
}

type Confirm = {
  /** The verb of the title, which names the database. */
  verb: string
  description: string
  /** The name must be typed, because it cannot be undone. */
  isTyped: boolean
}

type Props = {
  database: Database
  work: Work
  meaning: string
  command: Commands
  /** The state the database must be in. */
  needs?: 'loaded' | 'unloaded'
  confirm?: Confirm
  /** Why it cannot be done as it is set now. */
  refusal?: string
  /** What can be set. */
  children?: ReactNode
}

/** One thing that can be done: what it means, the same for a shell, and the button. */
export function Operation(props: Props) {
  const { database, work, meaning, command, confirm, children } = props
  const start = useSetAtom(workAtom)
  const busyWith = useAtomValue(worksAtom).get(database.name)
  const { reason, isSaidAbove } = useRefusal(props)
  const [isAsking, setAsking] = useState(false)
  const isHeld = useAtomValue(writesHeldAtom)(database.name) !== undefined
  const title = titles[work.kind]
  const run = () => {
    setAsking(false)
    void start(database.name, work)
  }
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-medium">{title}</h3>
        <Button
          aria-label={`${title}: ${database.name}`}
          busy={busyWith === work.kind}
          disabledReason={reason ?? waitReason(busyWith, work.kind)}
          onClick={confirm ? () => setAsking(true) : run}
          size="small"
        >
          {titles[work.kind].split(' ')[0]}
          {confirm ? '…' : ''}
        </Button>
      </div>
      <p className="text-muted text-sm">{meaning}</p>
      {reason && !isSaidAbove && <p className="text-sm">{reason}</p>}
      {children}
      <CommandBox commands={command} />
      {confirm && isAsking && (
        <Suspense fallback={null}>
          <ConfirmDialog
            action={titles[work.kind]}
            busy={false}
            description={confirm.description}
            onClose={() => setAsking(false)}
            onConfirm={run}
            open
            title={
              <>
                {confirm.verb} the database <SafeName text={database.name} />?
              </>
            }
            {...(confirm.isTyped || isHeld ? { typed: database.name } : {})}
          >
            {isUnusualName(database.name) && (
              <p className="mb-2 text-sm text-warning">
                The name has characters that can look like others: {codePoints(database.name)}.
              </p>
            )}
          </ConfirmDialog>
        </Suspense>
      )}
    </li>
  )
}

function waitReason(busyWith: WorkKind | undefined, kind: WorkKind): string | undefined {
  if (busyWith === undefined || busyWith === kind) return undefined
  return `Wait until this is done: ${titles[busyWith]}.`
}

/**
 * Reasons in the order in which they could be overcome: never, by rights, by state, by input. That
 * the rights are missing holds for all operations and is said once, above them.
 */
function useRefusal({ database, work, needs = 'loaded', refusal }: Props) {
  const { name, loaded } = database
  const level = useAtomValue(levelOnAtom)(name)
  const isIndexWork = work.kind === 'flush' || work.kind === 'compact'
  const byLevel = refusalFor(level, isIndexWork ? 'maintain index' : 'change database')
  const reserved = isIndexWork ? undefined : reservedReason(name)
  const isRight = needs === 'loaded' ? loaded : !loaded
  const state = loaded
    ? 'The database is loaded: unload it first.'
    : 'The database is unloaded: load it first.'
  const reason = reserved ?? byLevel ?? (isRight ? refusal : state)
  return { reason, isSaidAbove: reason !== undefined && reason === byLevel }
}
