import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { reopenImportAtom } from '~/atoms/tables/import'
import { importDraftAtom } from '~/atoms/tables/import-drafts'
import { readBeginning, UnreadableFile } from '~/atoms/tables/import-file'
import { pendingText } from '~/atoms/tables/import-outcome'
import { committedText } from '~/atoms/tables/import-progress'
import {
  findImportsAtom,
  forgetImportAtom,
  type ImportRecord,
  isSameFile,
} from '~/atoms/tables/import-records'
import { readThereAtom } from '~/atoms/tables/import-target'
import { sentence } from '~/core/session/failure-words'
import { draftOwnerAtom } from '~/core/storage/drafts'
import { formatCount } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { FileDrop } from '~/ui/FileDrop'
import { SafeName } from '~/ui/SafeText'
import { type Begun, firstSetup, type Setup, withDraft } from './setup'

// Outside React: storage.

type Props = {
  database: string
  onChosen: (setup: Setup, back: string | null) => void
}

type Chosen = Begun & { file: File; record: ImportRecord }

/** Chooses the file, and shows the imports that were left before their end. */
export function ChooseFile({ database, onChosen }: Props) {
  const { records, find, forget } = useUnfinished(database)
  const reopen = useSetAtom(reopenImportAtom)
  const chosenBefore = useChosenBefore(database)
  const [again, setAgain] = useState<Chosen | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const choices = useRef(0)
  const choose = async (file: File) => {
    choices.current += 1
    const mine = choices.current
    setFailure(null)
    setAgain(null)
    try {
      const beginning = await readBeginning(file)
      const { setup, back } = await chosenBefore(firstSetup(file, beginning))
      // Not those of the list, which may still be on their way or older than another tab's.
      const record = (await find()).find(({ plan }) => isSameFile(plan.file, beginning.id))
      // Another file may have been chosen meanwhile.
      if (mine !== choices.current) return
      if (record) setAgain({ file, record, setup, back })
      else onChosen(setup, back)
    } catch (error) {
      if (mine !== choices.current) return
      setFailure(error instanceof UnreadableFile ? error.message : sentence(error))
    }
  }
  return (
    <div className="space-y-4">
      <FileDrop
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        action="Choose file"
        label="CSV file"
        onFile={(file) => void choose(file)}
      >
        or drop it here. Fields may be separated by commas, semicolons, tabs or bars.
      </FileDrop>
      {failure !== null && <ErrorNote title={failure} />}
      {again && (
        <Again
          onContinue={() =>
            void reopen(again.file, again.record).then((why) => why && setFailure(why))
          }
          onStartOver={() => onChosen(again.setup, again.back)}
          record={again.record}
        />
      )}
      {!again && records.length > 0 && <Unfinished onForget={forget} records={records} />}
    </div>
  )
}

type AgainProps = { record: ImportRecord; onContinue: () => void; onStartOver: () => void }

function Again({ record: { plan, progress }, onContinue, onStartOver }: AgainProps) {
  return (
    <section aria-label="Unfinished import of this file" className="space-y-2">
      <p>
        This file was imported into <SafeName text={plan.target.table} /> up to row{' '}
        {formatCount(progress.row)} of {formatCount(plan.rows)}. {committedText(progress)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onContinue} variant="primary">
          Continue after row {formatCount(progress.row)}
        </Button>
        <Button onClick={onStartOver}>Start over</Button>
      </div>
      <p className="text-muted text-sm">
        “Start over” imports all rows again. Rows that are in the table stay there.
      </p>
    </section>
  )
}

type UnfinishedProps = {
  records: readonly ImportRecord[]
  onForget: (record: ImportRecord) => void
}

function Unfinished({ records, onForget }: UnfinishedProps) {
  return (
    <section aria-labelledby="import-unfinished">
      <h3 className="pb-1 font-medium" id="import-unfinished">
        Unfinished imports
      </h3>
      <p className="pb-1 text-muted text-sm">Choose the same file again to continue one.</p>
      <ul className="divide-y divide-line">
        {records.map((record) => (
          <li
            className="flex items-center gap-3 py-2"
            key={JSON.stringify([record.plan.file, record.plan.target.table])}
          >
            <p className="min-w-0 flex-1 text-sm">
              <SafeName text={record.plan.file.name} /> into{' '}
              <SafeName text={record.plan.target.table} />: {committedText(record.progress)}
              {record.progress.pending && ` ${pendingText(record.progress.pending)}`}
            </p>
            <Button
              aria-label={`Forget the import of ${visibleText(record.plan.file.name)}`}
              onClick={() => onForget(record)}
              size="small"
            >
              Forget
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Gives what was chosen for a file in this tab before, in place of what is guessed. */
function useChosenBefore(database: string) {
  const kept = useAtomValue(importDraftAtom)
  const readThere = useSetAtom(readThereAtom)
  return async (setup: Setup): Promise<Begun> => {
    const draft = kept(database, setup.beginning.id)
    if (draft === null) return { setup, back: null }
    // A table that cannot be read now can be chosen again.
    const there = draft.there === null ? null : await readThere(draft.there).catch(() => null)
    return withDraft(setup, draft, there)
  }
}

/** What this browser remembers of imports into the database. */
function useUnfinished(database: string) {
  const owner = useAtomValue(draftOwnerAtom)
  const find = useSetAtom(findImportsAtom)
  const forgetOne = useSetAtom(forgetImportAtom)
  const [records, setRecords] = useState<readonly ImportRecord[]>([])
  useEffect(() => {
    let isOver = false
    void find(database).then((found) => !isOver && setRecords(found))
    return () => {
      isOver = true
    }
  }, [database, find])
  const forget = (record: ImportRecord) => {
    setRecords(records.filter((one) => one !== record))
    if (owner) void forgetOne(owner, record.plan)
  }
  return { records, find: () => find(database), forget }
}
