import { useAtomValue, useSetAtom } from 'jotai'
import {
  checkImportAtom,
  continueImportAtom,
  isChecked,
  leaveOutAtom,
} from '~/atoms/documents/import'
import type { DocumentImport } from '~/atoms/documents/import-file'
import { importWriteAtom } from '~/atoms/documents/import-state'
import { importWords, openLines, unknownWords } from '~/atoms/documents/import-words'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { WriteNote } from '~/ui/WriteNote'
import { Receipt } from '../proof/Receipt'

/** How far an import is, and exactly what is committed when it stops. */
export function Progress({ of }: { of: DocumentImport }) {
  const write = useAtomValue(importWriteAtom)
  const check = useSetAtom(checkImportAtom)
  const goOn = useSetAtom(continueImportAtom)
  const leaveOut = useSetAtom(leaveOutAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const { state, done, sent, file, database, committed } = of
  const open = openLines(of)
  const isOneRefused = write.kind === 'refused' && sent === 1
  const mayRepeat = write.kind === 'unknown' && isChecked(write)
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
      <div className="grid gap-1" role="status">
        {state === 'complete' && <p>Complete.</p>}
        {state === 'stopped' && <p>The import stopped half-way.</p>}
        {importWords(of).map((text) => (
          <p key={text}>{text}</p>
        ))}
        {state === 'stopped' && open && (
          <p>
            {write.kind === 'unknown'
              ? unknownWords(open)
              : open.from === open.to
                ? `Not committed: line ${open.from}.`
                : `Not committed: lines ${open.from} to ${open.to}, all of them.`}
          </p>
        )}
        {state === 'stopped' && <p>Later lines were not sent.</p>}
      </div>
      {state === 'stopped' && (
        <WriteNote
          notDone="Nothing of these lines was stored."
          notKnown="these lines were stored"
          onCheck={() => void check()}
          state={write}
        />
      )}
      {committed && state !== 'running' && (
        <Receipt database={database} of="import" tx={committed.lastTx} />
      )}
      {state === 'stopped' && mayRepeat && open && (
        <p className="text-warning">
          If the server still commits lines {open.from} to {open.to}, sending them again stores them
          twice.
        </p>
      )}
      {state === 'stopped' && (
        <div className="flex flex-wrap gap-2">
          {isOneRefused && open && (
            <>
              <Button
                disabledReason={refusal}
                onClick={() => void leaveOut(false)}
                variant="primary"
              >
                Leave out line {open.from} and continue
              </Button>
              <Button disabledReason={refusal} onClick={() => void leaveOut(true)}>
                Leave out every refused line
              </Button>
            </>
          )}
          <Button
            disabledReason={
              refusal ??
              (write.kind === 'unknown' && !mayRepeat
                ? 'Check first what became of the lines that were sent.'
                : undefined)
            }
            onClick={() => void goOn(mayRepeat)}
          >
            {mayRepeat ? 'Send again from' : isOneRefused ? 'Try again from' : 'Continue from'} line{' '}
            {file.documents[done]?.line ?? ''}
          </Button>
        </div>
      )}
    </div>
  )
}
