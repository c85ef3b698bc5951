import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { type DocumentPlan, documentImport } from '~/atoms/documents/import'
import { chosenOf, type ImportFile, readImportFile } from '~/atoms/documents/import-file'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { findUpload, type UploadRecord } from '~/core/upload-records'
import type { Collection } from '~/immudb/collection'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { FileDrop } from '~/ui/FileDrop'
import { readChosenBytes } from '~/ui/file'
import { SafeName } from '~/ui/SafeText'
import { ImportedBefore, UnfinishedImports } from '../upload/KnownUploads'
import { UploadDialog } from '../upload/UploadDialog'
import { useDocumentsAddress } from './address'
import { type ImportChoices, noChoices, Preview, whyNotYet } from './ImportPreview'

const sizeLimit = 134_217_728

type Props = { of: Collection; onClose: () => void }

/** Imports a file of documents: first what is in it, then how far it is. */
export function ImportDialog({ of, onClose }: Props) {
  const run = useAtomValue(documentImport.runAtom)
  if (run === null) return <ChooseDocuments of={of} onClose={onClose} />
  return <UploadDialog onClose={onClose} run={run} upload={documentImport} />
}

type Chosen = {
  file: ImportFile
  /** The same as a collection with another field for ids has it. */
  readAs: (idField: string) => Promise<ImportFile>
  /** It was imported before, and what becomes of it now is not decided. */
  before: UploadRecord<DocumentPlan> | null
}

function ChooseDocuments({ of, onClose }: Props) {
  const { database } = useDocumentsAddress()
  const where = { kind: 'documents', database, into: of.name } as const
  const find = useAct(findUpload<DocumentPlan>)
  const start = useAct(documentImport.start)
  const reopen = useAct(documentImport.reopen)
  const refusal = useAtomValue(writeRefusalAtom)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [choices, setChoices] = useState<ImportChoices>(noChoices)
  const [problem, setProblem] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const read = async (picked: File) => {
    setReading(true)
    setProblem(null)
    setChosen(null)
    setChoices(noChoices)
    const tooLarge = 'The file is larger than 128 MiB. Split it.'
    const found = await readChosenBytes(picked, sizeLimit, tooLarge)
    if ('problem' in found) setProblem(found.problem)
    else {
      const readAs = (idField: string) =>
        readImportFile(picked.name, found.bytes, { ...of, idField })
      const file = await readAs(of.idField)
      setChosen({ file, readAs, before: await find(where, file) })
    }
    setReading(false)
  }
  // What was sent is found again by what was left out of it.
  const goOn = async ({ file, readAs }: Chosen, record: UploadRecord<DocumentPlan>) => {
    const { idField, leavesWarned } = record.plan
    const same = idField === of.idField ? file : await readAs(idField)
    setProblem(await reopen(chosenOf(same, leavesWarned), record))
  }
  const leavesWarned = choices.warned === 'leave out'
  const sent = chosen && chosenOf(chosen.file, leavesWarned)
  const count = sent?.documents.length ?? 0
  const reason =
    refusal ??
    (chosen === null
      ? 'Choose a file first.'
      : chosen.before !== null
        ? 'This file was imported before: decide first.'
        : (whyNotYet(chosen.file, choices) ??
          (count === 0 ? 'No document is left to import.' : undefined)))
  const begin = () => {
    if (sent === null) return
    const { name, size, checksum } = sent
    const file = { name, size, checksum }
    const plan = { database, into: of.name, file, items: count, leftOut: [], leavesWarned }
    void start(sent, { ...plan, idField: of.idField })
  }
  return (
    <Dialog
      description="One document in each line, or a JSON array of them. Nothing is sent before the whole file was checked. Up to 500 documents are one transaction, stored whole or not at all; if one is refused, those before it stay."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button disabledReason={reason} onClick={begin} variant="primary">
            {count > 0 ? `Import ${counted(count, 'document')}` : 'Import'}
          </Button>
        </>
      }
      onClose={onClose}
      open
      title={
        <>
          Import into{' '}
          <span className="font-mono">
            <SafeName text={of.name} />
          </span>
        </>
      }
      width="wide"
    >
      <div className="grid grid-cols-1 gap-3">
        <FileDrop
          accept=".ndjson,.jsonl,.json,application/x-ndjson,application/json"
          action="Choose a file"
          busy={isReading}
          label="NDJSON file"
          onFile={(picked) => void read(picked)}
        >
          or drop an NDJSON or JSON file here
        </FileDrop>
        {problem !== null && <p className="text-error text-sm">{problem}</p>}
        {chosen?.before && (
          <ImportedBefore
            onContinue={() => chosen.before && void goOn(chosen, chosen.before)}
            onStartOver={() => setChosen({ ...chosen, before: null })}
            record={chosen.before}
            words={documentImport.words}
          />
        )}
        {chosen?.before === null && (
          <Preview choices={choices} file={chosen.file} of={of} onChoose={setChoices} />
        )}
        {chosen === null && <UnfinishedImports where={where} words={documentImport.words} />}
      </div>
    </Dialog>
  )
}
