import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import { readImportTarget, tableImport } from '~/atoms/tables/import'
import { importDraftAtom } from '~/atoms/tables/import-drafts'
import { type ImportPlan, readBeginning } from '~/atoms/tables/import-file'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { UnreadableFile } from '~/core/upload-progress'
import { findUpload, type UploadRecord } from '~/core/upload-records'
import { ErrorNote } from '~/ui/ErrorNote'
import { FileDrop } from '~/ui/FileDrop'
import { ImportedBefore, UnfinishedImports } from '../../upload/KnownUploads'
import { type Begun, firstSetup, type Setup, withDraft } from './setup'

type Props = {
  database: string
  onChosen: (setup: Setup, back: string | null) => void
}

type Chosen = Begun & { file: File; record: UploadRecord<ImportPlan> }

/** Chooses the file, and shows the imports that were left before their end. */
export function ChooseFile({ database, onChosen }: Props) {
  const where = { kind: 'tables', database } as const
  const find = useAct(findUpload<ImportPlan>)
  const reopen = useAct(tableImport.reopen)
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
      const record = await find(where, beginning.id)
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
        or drop it here. Fields may be separated by commas, semicolons, tabs or bars. For SQL, use
        Script above the editor.
      </FileDrop>
      {failure !== null && <ErrorNote title={failure} />}
      {again && (
        <ImportedBefore
          onContinue={() =>
            void reopen({ file: again.file, heads: [] }, again.record).then(
              (why) => why && setFailure(why),
            )
          }
          onStartOver={() => onChosen(again.setup, again.back)}
          record={again.record}
          words={tableImport.words}
        />
      )}
      {!again && <UnfinishedImports where={where} words={tableImport.words} />}
    </div>
  )
}

/** Gives what was chosen for a file in this tab before, in place of what is guessed. */
function useChosenBefore(database: string) {
  const kept = useAtomValue(importDraftAtom)
  const readThere = useAct(readImportTarget)
  return async (setup: Setup): Promise<Begun> => {
    const draft = kept(database, setup.beginning.id)
    if (draft === null) return { setup, back: null }
    // A table that cannot be read now can be chosen again.
    const there = draft.there === null ? null : await readThere(draft.there).catch(() => null)
    return withDraft(setup, draft, there)
  }
}
