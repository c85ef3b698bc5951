import { useAtom, useAtomValue } from 'jotai'
import { type FormEvent, useCallback, useState } from 'react'
import { type Draft, wantsFormFocusAtom } from '~/atoms/keys/drafts'
import {
  changeDraft,
  isRepetition,
  previewOf,
  readDraft,
  reasonAgainstShowing,
  setDraftFormat,
} from '~/atoms/keys/edit-draft'
import { checkSave, saveDraft, saveStateAtom } from '~/atoms/keys/key-write'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { byteFormats } from '~/lib/byte-formats'
import { numberFormats } from '~/lib/number-formats'
import { exactSize } from '~/lib/size'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { isBusy } from '~/lib/write-state'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { FormatChoice } from '~/ui/FormatChoice'
import { TextArea } from '~/ui/TextArea'
import { WriteNote } from '~/ui/WriteNote'
import { useKeysAddress } from './address'
import { KeyConflict } from './KeyConflict'
import { KeyName } from './KeyName'
import { TypedField } from './TypedField'
import { focusPane, useDrafts } from './use-drafts'

const beingSaved = 'It is being saved.'
const sentAlready = 'It was sent as it is here.'

/** Writes a value, and the key when it is a new one. */
export function EntryForm() {
  const { database, go } = useKeysAddress()
  const { draft, discard, reasonAgainstDiscard } = useDrafts()
  const state = useAtomValue(saveStateAtom)
  const save = useAct(saveDraft)
  const refusal = useAtomValue(writeRefusalAtom)
  const check = useAct(checkSave)
  const change = useAct(changeDraft)
  const [isTried, setTried] = useState(false)
  const form = useWantedFocus()
  if (!draft) return null
  const reading = readDraft(draft)
  const { keyError, value, valueError, size, target } = reading
  const isWriting = isBusy(state)
  const isSame = state.kind !== 'unknown' && isRepetition(draft, value)
  const fixed = isWriting ? beingSaved : state.kind === 'unknown' ? sentAlready : undefined
  const open = (stored: string | null) => {
    if (stored === null) return
    go({ key: stored, revision: '' })
    focusPane()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (reading.isComplete && refusal === undefined && !isSame) void save().then(open)
  }
  return (
    <form className="mx-auto grid max-w-[1000px] gap-3 p-4" noValidate onSubmit={submit} ref={form}>
      <h2 className="text-lg [overflow-wrap:anywhere]">
        {draft.key === null ? (
          'Set a key'
        ) : (
          <>
            New value for{' '}
            <span className="font-mono">
              <KeyName of={draft.key} />
            </span>
          </>
        )}
      </h2>
      <Ground draft={draft} />
      {draft.key === null && (
        <KeyField
          draft={draft}
          error={isTried || draft.keyText !== '' ? keyError : null}
          fixed={fixed}
        />
      )}
      <Checkbox
        checked={draft.target !== null}
        disabled={fixed !== undefined}
        hint="Reading it gives the other key’s value, the newest or that of one transaction. A reference never expires."
        label="Refer to another key"
        onChange={(isOn) =>
          change({ target: isOn ? { text: '', format: 'text', atTx: '' } : null })
        }
      />
      {draft.target === null ? (
        <>
          <ValueField draft={draft} error={valueError} fixed={fixed} size={size} />
          <Expiry draft={draft} error={reading.expiryError} fixed={fixed} />
        </>
      ) : (
        <TargetField
          error={isTried || draft.target.text !== '' ? reading.targetError : null}
          fixed={fixed}
          txError={reading.atTxError}
          target={draft.target}
        />
      )}
      {state.kind === 'unknown' && (
        <p className="text-muted text-sm">
          Locked until it is known whether this was stored. Check, or save again.
        </p>
      )}
      <div className="grid grid-cols-1 gap-3 empty:hidden">
        <WriteNote
          database={database}
          notDone="Nothing was stored."
          notKnown="this was stored"
          onCheck={() => void check().then(open)}
          state={state}
        />
        {state.kind === 'conflict' && (
          <KeyConflict
            isNew={state.isNew}
            onDiscard={discard}
            onStored={open}
            seenIn={state.seenIn}
            stored={state.stored}
            target={target}
            yours={value}
          />
        )}
      </div>
      {state.kind !== 'conflict' && (
        <div className="flex justify-end gap-2">
          <Button disabledReason={reasonAgainstDiscard} onClick={discard}>
            Cancel
          </Button>
          <Button
            busy={isWriting}
            disabledReason={
              refusal ?? (isSame ? 'Nothing was changed: this is what is stored.' : undefined)
            }
            type="submit"
            variant="primary"
          >
            {state.kind === 'unknown' ? 'Save once more' : 'Save'}
          </Button>
        </div>
      )}
    </form>
  )
}

/** What the new value is based on, and what saving it does. */
function Ground({ draft: { base, isTooLarge } }: { draft: Draft }) {
  return (
    <p className="text-muted text-sm">
      {base.kind === 'nothing' && 'Stored only if there is no live key of this name yet.'}
      {base.kind === 'something' && 'The value there cannot be read; this replaces it.'}
      {base.kind === 'revision' &&
        `A new revision, stored only if the key is still as it was in tx ${formatTx(base.tx)}.`}
      {base.kind === 'revision' &&
        isTooLarge &&
        ' The present value is too large to be edited here.'}
      {base.kind === 'revision' && base.target !== null && (
        <>
          {' '}
          The key is a reference to <KeyName of={base.target} />; this puts a value in its place and
          leaves that key alone.
        </>
      )}
    </p>
  )
}

/** `fixed`: why nothing can be changed at present. */
type FieldProps = { draft: Draft; error: string | null; fixed: string | undefined }

function KeyField({ draft, error, fixed }: FieldProps) {
  const change = useAct(changeDraft)
  return (
    <TypedField
      error={error}
      fixed={fixed}
      formatLabel="Format of the new key"
      label="Key"
      onChange={({ text, format }) => change({ keyText: text, keyFormat: format })}
      typed={{ text: draft.keyText, format: draft.keyFormat }}
    />
  )
}

function ValueField({ draft, error, fixed, size }: FieldProps & { size: number }) {
  const change = useAct(changeDraft)
  const setFormat = useAct(setDraftFormat)
  return (
    <div>
      <TextArea
        autoComplete="off"
        exact
        error={draft.text === '' && draft.format === 'json' ? undefined : (error ?? undefined)}
        hint={exactSize(size)}
        label="Value"
        mono
        onChange={(text) => change({ text })}
        readOnly={fixed !== undefined}
        rows={10}
        value={draft.text}
      />
      <FormatChoice
        formats={byteFormats}
        label="Format of the new value"
        more={numberFormats}
        onChange={setFormat}
        preview={(format) => previewOf(draft, format)}
        reasonAgainst={(format) => fixed ?? reasonAgainstShowing(draft, format)}
        value={draft.format}
      />
    </div>
  )
}

type TargetProps = Omit<FieldProps, 'draft'> & {
  target: NonNullable<Draft['target']>
  txError: string | null
}

function TargetField({ target, error, txError, fixed }: TargetProps) {
  const change = useAct(changeDraft)
  return (
    <>
      <TypedField
        error={error}
        fixed={fixed}
        formatLabel="Format of the key that it refers to"
        hint="A key with a value, not another reference."
        label="Refers to"
        onChange={(typed) => change({ target: { ...target, ...typed } })}
        typed={target}
      />
      <Field
        autoComplete="off"
        error={txError ?? undefined}
        hint="Leave it empty for the newest value. A bound reference always shows what that transaction set."
        inputMode="numeric"
        label="Bound to transaction"
        mono
        onChange={(atTx) => change({ target: { ...target, atTx } })}
        readOnly={fixed !== undefined}
        value={target.atTx}
      />
    </>
  )
}

function Expiry({ draft: { base, keepsExpiry, expiry }, error, fixed }: FieldProps) {
  const change = useAct(changeDraft)
  const timezone = useAtomValue(timezoneAtom)
  const kept = base.kind === 'revision' ? base.expiresAt : null
  return (
    <>
      {kept !== null && (
        <Checkbox
          checked={keepsExpiry}
          disabled={fixed !== undefined}
          hint="Clear it to let the new value never expire, or to set another time."
          label={`Keep the expiry, ${formatMoment(Number(kept) * 1_000, timezone)}`}
          onChange={(next) => change({ keepsExpiry: next })}
        />
      )}
      {(kept === null || !keepsExpiry) && (
        <Field
          autoComplete="off"
          error={error ?? undefined}
          hint="Empty for no expiry. A time, such as 2030-12-31 23:59, 31 Dec 2030 or in 5 minutes."
          label="Expires at (UTC)"
          mono
          onChange={(next) => change({ expiry: next })}
          readOnly={fixed !== undefined}
          spellCheck={false}
          value={expiry}
        />
      )}
    </>
  )
}

/** Gives the focus to the first field of the form that was just asked for, once it is there. */
function useWantedFocus() {
  const [isWanted, setWanted] = useAtom(wantsFormFocusAtom)
  return useCallback(
    (form: HTMLFormElement | null) => {
      if (!form || !isWanted) return
      form.querySelector<HTMLElement>('input:not([type=checkbox]), textarea')?.focus()
      setWanted(false)
    },
    [isWanted, setWanted],
  )
}
