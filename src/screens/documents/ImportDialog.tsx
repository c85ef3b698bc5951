import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import {
  cancelImportAtom,
  forgetImportAtom,
  resumeImportAtom,
  startImportAtom,
} from '~/atoms/documents/import'
import { chosenOf, type ImportFile, readImportFile } from '~/atoms/documents/import-file'
import {
  type EndedImport,
  endKeptImportAtom,
  type ImportRecord,
  keptImportsAtom,
  readEndedImportAtom,
  reviveImportAtom,
} from '~/atoms/documents/import-records'
import { documentImportAtom } from '~/atoms/documents/import-state'
import { keptWords } from '~/atoms/documents/import-words'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import type { Collection } from '~/immudb/collection'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { FileDrop } from '~/ui/FileDrop'
import { readChosenBytes } from '~/ui/file'
import { SafeName } from '~/ui/SafeText'
import { useDocumentsAddress } from './address'
import { Before, type ImportChoices, noChoices, Preview, whyNotYet } from './ImportPreview'
import { Progress } from './ImportProgress'

const sizeLimit = 134_217_728

export function ImportDialog({ of, onClose }: { of: Collection; onClose: () => void }) {
  const { database } = useDocumentsAddress()
  const last = useAtomValue(documentImportAtom)
  const forget = useSetAtom(forgetImportAtom)
  const endKept = useSetAtom(endKeptImportAtom)
  const readEnded = useSetAtom(readEndedImportAtom)
  const revive = useSetAtom(reviveImportAtom)
  const start = useSetAtom(startImportAtom)
  const resume = useSetAtom(resumeImportAtom)
  const cancel = useSetAtom(cancelImportAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const [file, setFile] = useState<ImportFile | null>(null)
  const [before, setBefore] = useState<EndedImport | null>(null)
  const [choices, setChoices] = useState<ImportChoices>(noChoices)
  const [problem, setProblem] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const remembered = useAtomValue(useAtomValue(keptImportsAtom)(database, of.name))
  const shown = last?.collection.name === of.name && last.database === database ? last : null
  const kept = shown === null ? remembered : null
  const isRunning = shown?.state === 'running'
  const read = async (chosen: File) => {
    setReading(true)
    setProblem(null)
    setFile(null)
    setBefore(null)
    setChoices(noChoices)
    const tooLarge = 'The file is larger than 128 MiB. Split it.'
    const found = await readChosenBytes(chosen, sizeLimit, tooLarge)
    if ('problem' in found) setProblem(found.problem)
    else {
      // What was sent is found again by what was left out of it.
      const as = { ...of, idField: kept?.idField ?? of.idField }
      const file = await readImportFile(chosen.name, found.bytes, as)
      if (kept === null) {
        setBefore(await readEnded(database, of.name, file))
        setFile(file)
      } else setProblem(await resume(as, file))
    }
    setReading(false)
  }
  const chosen = file && chosenOf(file, choices.warned === 'leave out')
  const reason =
    refusal ??
    (file === null || chosen === null
      ? 'Choose a file first.'
      : (whyNotYet(file, before, choices) ??
        (chosen.documents.length === 0 ? 'No document is left to import.' : undefined)))
  const goOn = async (from: EndedImport, of: Collection, file: ImportFile) => {
    await revive(database, of.name, from)
    setProblem(await resume({ ...of, idField: from.idField ?? of.idField }, file))
  }
  const close = () => {
    // What became of an import stays to be read until it is understood.
    if (shown?.state === 'complete') forget()
    onClose()
  }
  return (
    <Dialog
      description="One document in each line, or a JSON array of them. Nothing is sent before the whole file was checked. Up to 500 documents are one transaction, stored whole or not at all; if one is refused, those before it stay."
      footer={
        <>
          <Button onClick={close}>{isRunning ? 'Hide' : 'Close'}</Button>
          {isRunning && (
            <Button
              disabledReason={shown.isCancelled ? 'It stops after this transaction.' : undefined}
              onClick={() => cancel()}
            >
              Stop the import
            </Button>
          )}
          {kept !== null && (
            <Button onClick={() => void endKept(database, of.name)}>Import another file</Button>
          )}
          {shown === null && kept === null && (
            <Button
              disabledReason={reason}
              onClick={() => file && void start(of, file, choices.warned === 'leave out')}
              variant="primary"
            >
              {chosen && chosen.documents.length > 0
                ? `Import ${counted(chosen.documents.length, 'document')}`
                : 'Import'}
            </Button>
          )}
          {shown !== null && !isRunning && (
            <Button onClick={() => forget()}>Import another file</Button>
          )}
        </>
      }
      onClose={close}
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
      {shown ? (
        <Progress of={shown} />
      ) : (
        <div className="grid grid-cols-1 gap-3">
          {kept && <Kept of={kept} />}
          <FileDrop
            accept=".ndjson,.jsonl,.json,application/x-ndjson,application/json"
            action="Choose a file"
            busy={isReading}
            label="NDJSON file"
            onFile={(chosen) => void read(chosen)}
          >
            or drop an NDJSON or JSON file here
          </FileDrop>
          {problem !== null && <p className="text-error text-sm">{problem}</p>}
          {file && before && (
            <Before
              choices={choices}
              of={before}
              onChoose={setChoices}
              onContinue={
                before.done < before.file.documents || before.open !== null
                  ? () => void goOn(before, of, file)
                  : undefined
              }
              reason={refusal}
              line={chosenOf(file, before.leavesWarned ?? false).documents[before.done]?.line}
            />
          )}
          {file && <Preview choices={choices} file={file} of={of} onChoose={setChoices} />}
        </div>
      )}
    </Dialog>
  )
}

/** What this browser remembers of an import that the page before did not end. */
function Kept({ of }: { of: ImportRecord }) {
  return (
    <div className="grid gap-1 text-sm" role="status">
      <p>
        {of.holder === null
          ? 'The import stopped half-way.'
          : 'The import was running: its page was closed, or another tab runs it.'}
      </p>
      {keptWords(of).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>
        Choose <SafeName text={of.file.name} /> again to continue.
      </p>
    </div>
  )
}
