import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { tablesAtom } from '~/atoms/query/tables'
import { readEntryLimitAtom } from '~/atoms/tables/entry-limit'
import { startImportAtom } from '~/atoms/tables/import'
import { keepImportDraftAtom } from '~/atoms/tables/import-drafts'
import { importRefusalAtom, newTableRefusalAtom } from '~/atoms/users/privileges'
import { counted, formatCount } from '~/lib/text'
import type { TargetChoice } from '~/sql/import-target'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { SafeName, SafeText } from '~/ui/SafeText'
import { CheckResult } from './CheckResult'
import { ChooseFile } from './ChooseFile'
import { ColumnChoices } from './ColumnChoices'
import { FormatFields } from './FormatFields'
import { Preview } from './Preview'
import { draftOf, type Setup, targetOf } from './setup'
import { TableFields } from './TableFields'
import { useCheck } from './use-check'

type Props = { database: string; onClose: () => void }

/** What goes where, looked through and checked before anything is sent. */
export function SetupDialog({ database, onClose }: Props) {
  const [setup, setSetup] = useState<Setup | null>(null)
  const check = useCheck()
  const [isLeavingOut, setLeavingOut] = useState(false)
  const taken = useAtomValue(tablesAtom).data ?? []
  const limit = useAtomValue(useAtomValue(readEntryLimitAtom)(database))
  const target = setup ? targetOf(setup, taken, limit) : null
  const [back, setBack] = useState<string | null>(null)
  const [reading, setReading] = useState<string | null>(null)
  const keep = useSetAtom(keepImportDraftAtom)
  const choose = (next: Setup | null, before: string | null = null) => {
    check.forget()
    setLeavingOut(false)
    setSetup(next)
    setBack(before)
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
              isLeavingOut={isLeavingOut}
              isReading={reading !== null}
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
          <FormatFields onChange={change} setup={setup} />
          <Preview setup={setup} />
          <TableFields
            onChange={change}
            onReading={setReading}
            reading={reading}
            setup={setup}
            tables={taken}
          />
          <ColumnChoices onChange={change} setup={setup} />
          <CheckResult
            check={check}
            isLeavingOut={isLeavingOut}
            onLeaveOut={setLeavingOut}
            size={setup.file.size}
          />
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
  /** The columns of a chosen table are being read. */
  isReading: boolean
}

/** First the check of the whole file, then the import. */
function Next({ setup, target, database, check, isLeavingOut, isReading }: NextProps) {
  const start = useSetAtom(startImportAtom)
  const byRights = useAtomValue(importRefusalAtom)
  const byTable = useAtomValue(newTableRefusalAtom)
  const { file, source, beginning } = setup
  const { found, isBusy } = check
  if (isReading) {
    return (
      <Button disabledReason="The columns of the table are being read." variant="primary">
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
    return undefined
  }

  function begin() {
    if (!found || !('target' in target)) return
    void start(file, {
      database,
      file: beginning.id,
      source,
      target: target.target,
      isNew,
      rows: found.rows,
      rowsEach: target.rowsEach,
      leftOut: found.problems.map(({ number }) => number),
    })
  }
}
