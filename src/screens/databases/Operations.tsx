import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import type { Database } from '~/api/databases'
import { type Work, type WorkKind, workOnDatabase, worksAtom } from '~/atoms/databases/operations'
import { levelOnAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { lackingAtom } from '~/core/session/server-version'
import { codePoints, isUnusualName, reservedReason } from '~/immudb/database-name'
import {
  type Commands,
  compactCommand,
  deleteCommand,
  flushCommand,
  loadCommand,
  truncateCommand,
  unloadCommand,
} from '~/immudb/immuadmin'
import { refusalFor } from '~/immudb/permission'
import { writesHeldAtom } from '~/trust/write-block'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { SafeName } from '~/ui/SafeText'
import { CommandBox } from './CommandBox'

/** Everything that can be done to a database, each with what it means. */
export function Operations({ database }: { database: Database }) {
  const { name, loaded } = database
  const byLevel = refusalFor(useAtomValue(levelOnAtom)(name), 'change database')
  const lacks = useAtomValue(lackingAtom)('deletingDatabases')
  return (
    <>
      {byLevel && <p className="px-4 pt-3 text-sm">{byLevel}</p>}
      <ul className="divide-y divide-line">
        {loaded ? <Unload database={database} /> : <Load database={database} />}
        <Flush database={database} />
        <Operation
          command={compactCommand(name)}
          database={database}
          meaning="Rewrites the index without nodes that are no longer read, which frees disk space. This takes a while on a large database. Reading and writing continue."
          work={{ kind: 'compact' }}
        />
        <Truncate database={database} />
        <Operation
          command={deleteCommand(name)}
          confirm={{
            verb: 'Delete',
            description:
              'All its transactions, tables, keys and documents and its files on this server will be gone. This cannot be undone. Users and other databases stay. The name can be given again after a restart of the server.',
            isTyped: true,
          }}
          database={database}
          meaning="Removes the database and its files from this server for ever. Only an unloaded database can be deleted."
          lacks={lacks}
          needs="unloaded"
          work={{ kind: 'delete' }}
        />
      </ul>
    </>
  )
}

function Load({ database }: { database: Database }) {
  return (
    <Operation
      command={loadCommand(database.name)}
      database={database}
      meaning="Opens the database again for everyone who has a permission on it."
      needs="unloaded"
      work={{ kind: 'load' }}
    />
  )
}

function Unload({ database }: { database: Database }) {
  return (
    <Operation
      command={unloadCommand(database.name)}
      confirm={{
        verb: 'Unload',
        description:
          'Nobody can read or write it until it is loaded again. Anything that runs in it now fails. Its data is kept.',
        isTyped: false,
      }}
      database={database}
      meaning="Closes the database for everyone and frees its memory. Its data is kept; loading opens it again."
      work={{ kind: 'unload' }}
    />
  )
}

function Flush({ database }: { database: Database }) {
  const [cleanup, setCleanup] = useState('0')
  const [isSynced, setSynced] = useState(true)
  const isRight = /^\d{1,3}(\.\d+)?$/.test(cleanup) && Number(cleanup) <= 100
  return (
    <Operation
      command={flushCommand(database.name, cleanup, isSynced)}
      database={database}
      meaning="Writes the part of the index that is in memory to disk, so that the next start is quick. Nothing is lost without it."
      work={{ kind: 'flush', cleanup, isSynced }}
      {...(isRight ? {} : { refusal: 'The clean-up must be from 0 to 100 %.' })}
    >
      <div className="flex flex-wrap items-start gap-x-4">
        <div className="w-36">
          <Field
            error={isRight ? undefined : 'From 0 to 100.'}
            hint="Share of the index."
            inputMode="decimal"
            label="Clean-up"
            onChange={setCleanup}
            trailing={<span className="px-2 text-muted text-sm">%</span>}
            value={cleanup}
          />
        </div>
        <div className="xs:pt-6">
          <Checkbox checked={isSynced} label="Wait for the disk" onChange={setSynced} />
        </div>
      </div>
    </Operation>
  )
}

function Truncate({ database }: { database: Database }) {
  const [text, setText] = useState('30')
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
  const isRight = days >= 1
  const lacks = useAtomValue(lackingAtom)('truncation')
  const { name } = database
  return (
    <Operation
      command={truncateCommand(name, isRight ? days : 30)}
      confirm={{
        verb: 'Truncate',
        description: `The values of all transactions older than ${days === 1 ? 'a day' : `${days} days`} will be deleted on this server and can never be read from it again. Their hashes stay, so that newer history can still be verified.`,
        isTyped: true,
      }}
      database={database}
      meaning="Deletes the values of old transactions to free disk space. Keys, times and hashes stay. The server cannot restore the values."
      lacks={lacks}
      work={{ kind: 'truncate', days }}
      {...(isRight ? {} : { refusal: 'At least one day must be kept.' })}
    >
      <div className="w-36">
        <Field
          error={isRight ? undefined : 'At least 1.'}
          hint="At least 1."
          inputMode="numeric"
          label="Keep the last"
          onChange={setText}
          trailing={<span className="px-2 text-muted text-sm">days</span>}
          value={text}
        />
      </div>
    </Operation>
  )
}

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
  /** Why this server has nothing of the kind, whatever state the database is in. */
  lacks?: string | undefined
  /** The state the database must be in. */
  needs?: 'loaded' | 'unloaded'
  confirm?: Confirm
  /** Why it cannot be done as it is set now. */
  refusal?: string
  /** What can be set. */
  children?: ReactNode
}

/** One thing that can be done: what it means, the same for a shell, and the button. */
function Operation(props: Props) {
  const { database, work, meaning, command, confirm, children } = props
  const start = useAct(workOnDatabase)
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
        <AskDialog
          action={titles[work.kind]}
          confirm={confirm.isTyped || isHeld ? database.name : undefined}
          description={confirm.description}
          isDanger
          onAction={run}
          onClose={() => setAsking(false)}
          title={
            <>
              {confirm.verb} the database <SafeName text={database.name} />?
            </>
          }
        >
          {isUnusualName(database.name) && (
            <p className="mb-2 text-sm text-warning">
              The name has characters that can look like others: {codePoints(database.name)}.
            </p>
          )}
        </AskDialog>
      )}
    </li>
  )
}

function waitReason(busyWith: WorkKind | undefined, kind: WorkKind): string | undefined {
  if (busyWith === undefined || busyWith === kind) return undefined
  return `Wait until this is done: ${titles[busyWith]}.`
}

/**
 * Reasons in the order in which they could be overcome: never, by permission, by state, by input.
 * A missing permission concerns all operations and is shown once, above them.
 */
function useRefusal({ database, work, lacks, needs = 'loaded', refusal }: Props) {
  const { name, loaded } = database
  const level = useAtomValue(levelOnAtom)(name)
  const isIndexWork = work.kind === 'flush' || work.kind === 'compact'
  const byLevel = refusalFor(level, isIndexWork ? 'maintain index' : 'change database')
  const reserved = isIndexWork ? undefined : reservedReason(name)
  const isRight = needs === 'loaded' ? loaded : !loaded
  const state = loaded
    ? 'The database is loaded: unload it first.'
    : 'The database is unloaded: load it first.'
  const reason = reserved ?? byLevel ?? lacks ?? (isRight ? refusal : state)
  return { reason, isSaidAbove: reason !== undefined && reason === byLevel }
}
