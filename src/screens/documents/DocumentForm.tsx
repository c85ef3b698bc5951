import { useAtom, useAtomValue } from 'jotai'
import { type FormEvent, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { describedCollectionsAtom } from '~/atoms/documents/collections'
import {
  checkDocumentSave,
  type DocumentSaveState,
  documentSaveAtom,
  hasChanged,
  isGone,
  renewDocument,
  saveDocument,
} from '~/atoms/documents/document-write'
import { changeDocument, wantsDocumentFocusAtom } from '~/atoms/documents/drafts'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { readDocumentText } from '~/immudb/document-text'
import { isBusy } from '~/lib/write-state'
import { Button } from '~/ui/Button'
import { SafeName, SafeText } from '~/ui/SafeText'
import { TextEditor } from '~/ui/TextEditor'
import { WriteNote } from '~/ui/WriteNote'
import { useDocumentsAddress } from './address'
import { DocumentConflict } from './DocumentConflict'
import { focusDocument, useDocumentDrafts } from './use-document-drafts'

/** Writes a document as JSON. */
export function DocumentForm() {
  const { go } = useDocumentsAddress()
  const { draft, discard, reasonAgainstDiscard } = useDocumentDrafts()
  const state = useAtomValue(documentSaveAtom)
  const save = useAct(saveDocument)
  const check = useAct(checkDocumentSave)
  const change = useAct(changeDocument)
  const refusal = useAtomValue(writeRefusalAtom)
  const renew = useAct(renewDocument)
  const takeFocus = useWantedFocus()
  const [isTried, setTried] = useState(false)
  const reading = useReading(draft?.text ?? '')
  if (!draft) return null
  const isWriting = isBusy(state)
  const isFixed = isWriting || state.kind === 'unknown'
  const open = (stored: string | null) => {
    if (stored === null) return
    go({ collection: draft.collection, id: stored, revision: '' })
    focusDocument()
  }
  const send = (over?: string) => {
    setTried(true)
    const now = reading.of(draft.text)
    if (now === null || now.kind === 'invalid' || refusal !== undefined) return
    void save(now.json, reading.idField, over).then(open)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const shown = reading.shown
  const isOtherwise = shown?.kind === 'document' && shown.warnings.length > 0
  const isBlank = draft.id === null && draft.text.replace(/[\s{}]/g, '') === ''
  return (
    <form className="grid grid-cols-1 gap-3 p-4" noValidate onSubmit={submit}>
      <h2 className="text-lg [overflow-wrap:anywhere]">
        {draft.id === null ? (
          <>
            New document in{' '}
            <span className="font-mono">
              <SafeName text={draft.collection} />
            </span>
          </>
        ) : (
          <>
            Edit <span className="font-mono">{draft.id}</span>
          </>
        )}
      </h2>
      <p className="text-muted text-sm">
        {draft.id === null
          ? 'The server makes the id. Fields that the collection does not declare are stored as well.'
          : `Writes a new revision of the whole document. Right before, the console checks that revision ${draft.revision} is still the newest; immudb itself cannot check it.`}
      </p>
      <TextEditor
        error={shown?.kind === 'invalid' && (isTried || !isBlank) ? shown.reason : undefined}
        label="Document as JSON"
        language="json"
        onChange={(text) => change({ text })}
        onMount={takeFocus}
        readOnly={isFixed}
        value={draft.text}
      />
      {shown?.kind === 'document' && shown.warnings.length > 0 && (
        <div className="grid gap-1 text-sm text-warning" role="status">
          <p>immudb will not store this exactly as it is written:</p>
          {shown.warnings.map((warning) => (
            <p className="[overflow-wrap:anywhere]" key={warning}>
              <SafeText text={warning} />
            </p>
          ))}
        </div>
      )}
      {state.kind === 'unknown' && (
        <p className="text-muted text-sm">
          Locked until it is known whether this was stored. Check, or save again.
        </p>
      )}
      <WriteNote
        notDone="Nothing was stored."
        notKnown="this was stored"
        onCheck={() => void check().then(open)}
        state={state}
      />
      {mayHaveChanged(state) && draft.id !== null && (
        <DocumentConflict
          id={draft.id}
          isBusy={isWriting}
          onDiscard={discard}
          onSaveOver={send}
          reason={refusal ?? (shown?.kind === 'invalid' ? 'Your text is no document.' : undefined)}
        />
      )}
      {state.kind === 'refused' && state.reason === isGone && (
        <div>
          <Button
            onClick={() => {
              renew()
              go({ id: null, revision: '' })
            }}
            size="small"
          >
            Make it a new document
          </Button>
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Button disabledReason={reasonAgainstDiscard} onClick={discard}>
          Cancel
        </Button>
        <Button busy={isWriting} disabledReason={refusal} type="submit" variant="primary">
          {state.kind === 'unknown'
            ? 'Save once more'
            : isOtherwise
              ? 'Save with these changes'
              : 'Save'}
        </Button>
      </div>
    </form>
  )
}

/** A save whose outcome was not found may have been overtaken. */
function mayHaveChanged(state: DocumentSaveState): boolean {
  if (state.kind === 'unknown') return state.finding !== null && !state.isChecking
  return state.kind === 'refused' && state.reason === hasChanged
}

/** What the typed text says; long texts are read a moment later. */
function useReading(text: string) {
  const { database } = useDocumentsAddress()
  const { draft } = useDocumentDrafts()
  const { data } = useAtomValue(useAtomValue(describedCollectionsAtom)(database))
  const of = data?.find(({ name }) => name === draft?.collection)
  const read = useCallback((typed: string) => (of ? readDocumentText(typed, of) : null), [of])
  const late = useDeferredValue(text)
  const shown = useMemo(() => read(late), [read, late])
  return { of: read, shown, idField: of?.idField ?? '' }
}

/** Gives the focus to the text of the form that was just asked for, once it is there. */
function useWantedFocus() {
  const [isWanted, setWanted] = useAtom(wantsDocumentFocusAtom)
  return (focus: () => void) => {
    if (isWanted) focus()
    setWanted(false)
  }
}
