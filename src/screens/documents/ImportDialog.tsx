import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import {
  cancelImportAtom,
  checkImportAtom,
  continueImportAtom,
  type DocumentImport,
  documentImportAtom,
  forgetImportAtom,
  importWords,
  importWriteAtom,
  openLines,
  startImportAtom,
} from '~/atoms/documents/import'
import { type ImportFile, readImportFile } from '~/atoms/documents/import-file'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import type { Collection } from '~/immudb/collection'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { FileDrop } from '~/ui/FileDrop'
import { readChosen } from '~/ui/file'
import { SafeName, SafeText } from '~/ui/SafeText'
import { WriteNote } from '~/ui/WriteNote'
import { Receipt } from '../proof/Receipt'
import { useDocumentsAddress } from './address'

/** Opens the import of a file into a collection. */
export function ImportButton({ of }: { of: Collection }) {
  const { database } = useDocumentsAddress()
  const [isOpen, setOpen] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  const running = useAtomValue(documentImportAtom)
  const isOfThis = running?.collection.name === of.name && running.database === database
  const isRunning = running?.state === 'running'
  const other =
    isRunning && !isOfThis ? `A file is being imported into ${running.collection.name}.` : undefined
  return (
    <>
      <Button
        disabledReason={isOfThis ? undefined : (reason ?? other)}
        onClick={() => setOpen(true)}
        size="small"
      >
        {isOfThis && isRunning ? 'Importing…' : 'Import NDJSON'}
      </Button>
      {isOpen && <ImportDialog of={of} onClose={() => setOpen(false)} />}
    </>
  )
}

const sizeLimit = 134_217_728

function ImportDialog({ of, onClose }: { of: Collection; onClose: () => void }) {
  const { database } = useDocumentsAddress()
  const last = useAtomValue(documentImportAtom)
  const forget = useSetAtom(forgetImportAtom)
  const start = useSetAtom(startImportAtom)
  const cancel = useSetAtom(cancelImportAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const [file, setFile] = useState<ImportFile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const shown = last?.collection.name === of.name && last.database === database ? last : null
  const isRunning = shown?.state === 'running'
  const read = async (chosen: File) => {
    setReading(true)
    setProblem(null)
    setFile(null)
    const found = await readChosen(chosen, sizeLimit, 'The file is larger than 128 MiB. Split it.')
    if ('problem' in found) setProblem(found.problem)
    else setFile(await readImportFile(chosen.name, found.text, of))
    setReading(false)
  }
  const reason =
    refusal ??
    (file === null
      ? 'Choose a file first.'
      : file.problemCount > 0
        ? 'Correct the file first.'
        : file.documents.length === 0
          ? 'The file has no documents.'
          : undefined)
  const close = () => {
    // What became of an import stays to be read until it is understood.
    if (shown?.state === 'complete') forget()
    onClose()
  }
  return (
    <Dialog
      description="One document in each line. Nothing is sent before the whole file was looked through. Each transaction takes at most 500 documents."
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
          {shown === null && (
            <Button
              disabledReason={reason}
              onClick={() => file && void start(of, file)}
              variant="primary"
            >
              {file && file.documents.length > 0
                ? `Import ${counted(file.documents.length, 'document')}`
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
          <FileDrop
            accept=".ndjson,.jsonl,.json,application/x-ndjson"
            action="Choose a file"
            busy={isReading}
            label="NDJSON file"
            onFile={(chosen) => void read(chosen)}
          >
            or drop an NDJSON file here
          </FileDrop>
          {problem !== null && <p className="text-error text-sm">{problem}</p>}
          {file && <Preview file={file} of={of} />}
        </div>
      )}
    </Dialog>
  )
}

function Preview({ file, of }: { file: ImportFile; of: Collection }) {
  const { documents, problems, problemCount, withId, warned, warnings } = file
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <p role="status">
        <SafeName text={file.name} />: {counted(documents.length, 'document')}
        {problemCount > 0 && `, ${counted(problemCount, 'line')} that cannot be imported`}.
      </p>
      {withId > 0 && (
        <p>
          {counted(withId, 'document has', 'documents have')} a field {of.idField}. Their old ids
          are left out: the server makes new ones.
        </p>
      )}
      <Listed
        items={problems.map(({ line, reason }) => ({ line, text: reason }))}
        more={problemCount - problems.length}
        tone="text-error"
      />
      {warned > 0 && <p>{counted(warned, 'document')} will not be stored exactly as written:</p>}
      <Listed items={warnings} more={warned - warnings.length} tone="text-warning" />
    </div>
  )
}

type ListedProps = {
  items: readonly { line: number; text: string }[]
  more: number
  tone: string
}

function Listed({ items, more, tone }: ListedProps) {
  if (items.length === 0) return null
  return (
    <ul className={`grid max-h-48 gap-1 overflow-auto ${tone}`}>
      {items.map(({ line, text }) => (
        <li className="break-words [overflow-wrap:anywhere]" key={line}>
          Line {line}: <SafeText text={text} />
        </li>
      ))}
      {more > 0 && <li>{formatCount(more)} more.</li>}
    </ul>
  )
}

/** How far an import is, and exactly what is committed when it stops. */
function Progress({ of }: { of: DocumentImport }) {
  const write = useAtomValue(importWriteAtom)
  const check = useSetAtom(checkImportAtom)
  const goOn = useSetAtom(continueImportAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const { state, done, file, database, committed } = of
  const open = openLines(of)
  const last = committed.at(-1)
  return (
    <div className="grid grid-cols-1 gap-3 text-sm">
      {state === 'running' && (
        <p className="flex flex-wrap items-center gap-2">
          <progress
            aria-label="Documents imported"
            className="h-1.5 w-40"
            max={file.documents.length}
            value={done}
          />
          {formatCount(done)} of {counted(file.documents.length, 'document')}
        </p>
      )}
      <ul className="grid gap-1" role="status">
        {state === 'complete' && <li>Complete.</li>}
        {state === 'stopped' && <li>The import stopped half-way.</li>}
        {importWords(of).map((text) => (
          <li key={text}>{text}</li>
        ))}
        {state === 'stopped' && open && (
          <li>
            {write.kind === 'unknown'
              ? `Not known: lines ${open.from} to ${open.to}. All of them are committed, or none.`
              : `Not committed: lines ${open.from} to ${open.to}, all of them.`}
          </li>
        )}
        {state === 'stopped' && <li>Later lines were not sent.</li>}
      </ul>
      {state === 'stopped' && (
        <WriteNote
          notDone="Nothing of these lines was stored."
          notKnown="these lines were stored"
          onCheck={() => void check()}
          state={write}
        />
      )}
      {last && state !== 'running' && (
        <Receipt database={database} says={`The last transaction is in the history`} tx={last.tx} />
      )}
      {state === 'stopped' && (
        <div>
          <Button
            disabledReason={
              refusal ??
              (write.kind === 'unknown'
                ? 'Find out first what became of the lines that were sent.'
                : undefined)
            }
            onClick={() => void goOn()}
          >
            Continue from line {file.documents[done]?.line ?? ''}
          </Button>
        </div>
      )}
    </div>
  )
}
