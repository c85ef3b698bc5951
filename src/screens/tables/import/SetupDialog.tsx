import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { readEntryLimitAtom } from '~/atoms/tables/entry-limit'
import { tableImport } from '~/atoms/tables/import'
import { keepImportDraft } from '~/atoms/tables/import-drafts'
import { tablesAtom } from '~/atoms/tables/table-list'
import { importRefusalAtom, newTableRefusalAtom } from '~/atoms/users/privileges'
import { useAct } from '~/core/act'
import { formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import type { TargetChoice } from '~/sql/import-target'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { ProgressBar } from '~/ui/ProgressBar'
import { SafeName, SafeText } from '~/ui/SafeText'
import { CheckResult } from './CheckResult'
import { ChooseFile } from './ChooseFile'
import { ColumnChoices } from './ColumnChoices'
import { FormatFields } from './FormatFields'
import { NullFields } from './NullFields'
import { Preview } from './Preview'
import { draftOf, type Setup, targetOf, withLooked } from './setup'
import { TableFields } from './TableFields'
import { useCheck } from './use-check'
import { useLook } from './use-look'

type Props = { database: string; onClose: () => void }

/** What goes where, looked through and checked before anything is sent. */
export function SetupDialog({ database, onClose }: Props) {
  const [setup, setSetup] = useState<Setup | null>(null)
  const check = useCheck()
  const look = useLook()
  const [isLeavingOut, setLeavingOut] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const taken = useAtomValue(tablesAtom).data ?? []
  const limit = useAtomValue(useAtomValue(readEntryLimitAtom)(database))
  const target = setup ? targetOf(setup, taken, limit) : null
  const [back, setBack] = useState<string | null>(null)
  const [reading, setReading] = useState<string | null>(null)
  const keep = useAct(keepImportDraft)
  const isLooking = look.bytes !== null
  const choose = (next: Setup | null, before: string | null = null) => {
    check.forget()
    setLeavingOut(false)
    setChanging(false)
    setSetup(next)
    setBack(before)
    if (next === null) look.forget()
    else if (next.survey === null && !(isLooking && next.source === setup?.source)) {
      void look.start(next, (looked) => setSetup((now) => now && withLooked(now, looked)))
    }
  }
  const change = (next: Setup) => {
    choose(next)
    keep(database, next.beginning.id, draftOf(next))
  }
  return (
    <Dialog
      description={
        setup === null ? (
          <>
            Into <SafeName text={database} />. The file stays on this computer; only its rows are
            sent.
          </>
        ) : (
          <SafeName text={setup.file.name} />
        )
      }
      footer={
        <>
          <Button onClick={setup === null ? onClose : () => choose(null)}>
            {setup === null ? 'Cancel' : 'Choose another file'}
          </Button>
          {setup && target && (
            <Next
              check={check}
              database={database}
              isChanging={isChanging}
              isLeavingOut={isLeavingOut}
              notReady={
                isLooking
                  ? 'The file is being looked through.'
                  : setup.survey === null
                    ? 'The file could not be looked through.'
                    : reading !== null
                      ? 'The columns of the table are being read.'
                      : undefined
              }
              setup={setup}
              target={target}
            />
          )}
        </>
      }
      onClose={onClose}
      open
      persistent={check.isBusy}
      title="Import CSV"
      width="wide"
    >
      {setup === null || target === null ? (
        <ChooseFile database={database} onChosen={choose} />
      ) : (
        <div className="space-y-5">
          {back !== null && (
            <p className="text-muted text-sm" role="status">
              <SafeText text={back} />
            </p>
          )}
          <CheckResult
            check={check}
            rowsEach={target !== null && 'target' in target ? target.rowsEach : null}
            isChanging={isChanging}
            isLeavingOut={isLeavingOut}
            onChanging={setChanging}
            onLeaveOut={setLeavingOut}
            size={setup.file.size}
          />
          <FormatFields onChange={change} setup={setup} />
          <TableFields
            onChange={change}
            onReading={setReading}
            reading={reading}
            setup={setup}
            tables={taken}
          />
          {setup.survey === null ? (
            <Looking look={look} size={setup.file.size} />
          ) : (
            <>
              <ColumnChoices onChange={change} setup={setup} />
              <NullFields onChange={change} setup={setup} survey={setup.survey} />
              <Preview setup={setup} />
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}

type NextProps = {
  setup: Setup
  target: TargetChoice
  database: string
  check: ReturnType<typeof useCheck>
  isLeavingOut: boolean
  isChanging: boolean
  /** Why the file cannot be checked yet. */
  notReady: string | undefined
}

/** First the check of the whole file, then the import. */
function Next({ setup, target, database, check, isLeavingOut, isChanging, notReady }: NextProps) {
  const start = useAct(tableImport.start)
  const byRights = useAtomValue(importRefusalAtom)
  const byTable = useAtomValue(newTableRefusalAtom)
  const { file, source, beginning } = setup
  const { found, isBusy } = check
  if (notReady !== undefined) {
    return (
      <Button disabledReason={notReady} variant="primary">
        Check the file
      </Button>
    )
  }
  if (isBusy) return <Button onClick={check.stop}>Stop</Button>
  if (!found) {
    const why = 'why' in target ? target.why : undefined
    const begin = () => 'target' in target && void check.start(file, source, target.target)
    return (
      <Button disabledReason={why} onClick={begin} variant="primary">
        Check the file
      </Button>
    )
  }
  const left = found.problems.length
  const rows = found.rows - left
  const isNew = setup.there === null
  const held = byRights ?? (isNew ? byTable : undefined) ?? heldBy()
  return (
    <Button disabledReason={held} onClick={() => begin()} variant="primary">
      {left > 0
        ? `Import ${counted(rows, 'row')} of ${formatCount(found.rows)}`
        : `Import ${counted(rows, 'row')}`}
    </Button>
  )

  function heldBy(): string | undefined {
    if (found?.isCutShort) return 'Too many rows do not fit. Change the types, or the file.'
    if (left > 0 && !isLeavingOut)
      return 'Some rows do not fit. Change the types, or leave them out.'
    if (found && found.changes.columns.size > 0 && !isChanging)
      return 'Some values would be written otherwise. Agree to that, or import them as VARCHAR.'
    return undefined
  }

  function begin() {
    if (!found || !('target' in target)) return
    const plan = {
      database,
      file: beginning.id,
      source,
      target: target.target,
      into: target.target.table,
      items: found.rows,
      rowsEach: target.rowsEach,
      leftOut: found.problems.map(({ number }) => number),
    }
    void start({ file, heads: setup.heads }, plan, !isNew)
  }
}

type LookingProps = { look: ReturnType<typeof useLook>; size: number }

/** How far the look through a file is. */
function Looking({ look: { bytes, failure, stop }, size }: LookingProps) {
  if (failure !== null) return <ErrorNote notDone="Nothing was sent." title={failure} />
  const read = bytes ?? 0
  return (
    <section aria-label="Looking through the file" className="space-y-2 text-sm">
      <p role="status">
        Looking through the file for its types: {formatSize(read)} of {formatSize(size)}
      </p>
      <ProgressBar label="Looked through" share={size > 0 ? read / size : 1} />
      <Button onClick={stop} size="small">
        Stop looking
      </Button>
    </section>
  )
}
