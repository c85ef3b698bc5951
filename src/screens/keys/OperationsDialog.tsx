import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useCallback, useId, useRef, useState } from 'react'
import { operationsAtom } from '~/atoms/keys/drafts'
import { changeOperationAtom, keepOperationsAtom } from '~/atoms/keys/keep-operations'
import { mostOperations, newOperation, readOperations } from '~/atoms/keys/operation-drafts'
import {
  checkOperationsAtom,
  forgetOperationsAtom,
  type OperationsState,
  operationsStateAtom,
  sendOperationsAtom,
  whyOperationsFixedAtom,
} from '~/atoms/keys/send-operations'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { databaseAtom } from '~/core/session/session'
import { counted, formatCount, formatTx } from '~/lib/text'
import { isBusy } from '~/lib/write-state'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { Dialog } from '~/ui/Dialog'
import { CheckIcon } from '~/ui/Icon'
import { TxText } from '~/ui/TxText'
import { SlowNote, WriteNote } from '~/ui/WriteNote'
import { sendersUnknown } from '~/words/outcome'
import { Receipt } from '../proof/Receipt'
import { OperationFields } from './OperationFields'
import { showWhole } from './show-whole'

/** Collects operations and sends them as one transaction; what is typed is kept. */
export function OperationsDialog({ onClose }: { onClose: () => void }) {
  const state = useAtomValue(operationsStateAtom)
  const forget = useSetAtom(forgetOperationsAtom)
  const form = useId()
  const close = () => {
    if (isBusy(state)) return
    if (state.kind === 'committed' || state.kind === 'refused') forget()
    onClose()
  }
  const isStored = state.kind === 'committed'
  return (
    <Dialog
      description="All of them are stored, or none. Without a condition, what someone else wrote to a key is overwritten."
      footer={
        isStored ? <Button onClick={close}>Done</Button> : <Actions form={form} onClose={close} />
      }
      onClose={close}
      open
      title="Several operations in one transaction"
      width="wide"
    >
      {isStored ? <Stored value={state.value} /> : <Form id={form} state={state} />}
    </Dialog>
  )
}

type Committed = Extract<OperationsState, { kind: 'committed' }>['value']

function Stored({ value: { id, isFound } }: { value: Committed }) {
  const database = useAtomValue(databaseAtom) ?? ''
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-2" role="status">
        <span className="text-success">
          <CheckIcon />
        </span>
        <span>
          <TxText
            database={database}
            text={
              isFound
                ? `tx ${formatTx(id)} holds exactly these operations. ${sendersUnknown}`
                : `Stored in tx ${formatTx(id)}.`
            }
          />
        </span>
      </p>
      <Receipt database={database} of="operations" tx={id} />
    </div>
  )
}

function Form({ id, state }: { id: string; state: OperationsState }) {
  const drafts = useAtomValue(operationsAtom)
  const keep = useSetAtom(keepOperationsAtom)
  const change = useSetAtom(changeOperationAtom)
  const send = useSetAtom(sendOperationsAtom)
  const check = useSetAtom(checkOperationsAtom)
  const [isTried, setTried] = useState(false)
  const { aim, setAim } = useAim()
  const adder = useRef<HTMLButtonElement>(null)
  const { body, problem } = readOperations(drafts)
  const fixed = useAtomValue(whyOperationsFixedAtom)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (body !== null) void send()
    else setAim({ selector: '[aria-invalid=true]' })
  }
  const remove = useCallback(
    (at: number) => {
      // The button that is pressed goes away with its operation.
      adder.current?.focus()
      change(at, null)
    },
    [change],
  )
  return (
    <form className="grid grid-cols-1 gap-3" id={id} noValidate onSubmit={submit} ref={aim}>
      {drafts.length === 0 && <p className="text-muted">No operation yet. Add the first one.</p>}
      {drafts.map((draft, at) => (
        <OperationFields
          draft={draft}
          fixed={fixed}
          isTried={isTried}
          // biome-ignore lint/suspicious/noArrayIndexKey: an operation is its place; its fields keep nothing themselves.
          key={at}
          number={at + 1}
          onChange={change}
          onRemove={remove}
        />
      ))}
      <div>
        <Button
          disabledReason={
            fixed ??
            (drafts.length < mostOperations
              ? undefined
              : `At most ${formatCount(mostOperations)} are sent in one transaction.`)
          }
          onClick={() => {
            keep([...drafts, newOperation()])
            setAim({ selector: 'fieldset:last-of-type input' })
          }}
          ref={adder}
          size="small"
        >
          Add an operation
        </Button>
      </div>
      {problem !== null && (
        <p className="text-error text-sm" role="alert">
          {problem}
        </p>
      )}
      {body !== null && <Request body={body} />}
      <SlowNote state={state} />
      <div className="empty:hidden" key={state.kind} ref={showWhole}>
        <WriteNote
          notDone="Nothing was stored."
          notKnown="these operations were stored"
          onCheck={() => void check()}
          state={state}
        />
      </div>
    </form>
  )
}

/** Gives the focus to something in a form once that is drawn. */
function useAim() {
  const [to, setAim] = useState<{ selector: string }>()
  const aim = useCallback(
    (form: HTMLFormElement | null) => {
      if (to) form?.querySelector<HTMLElement>(to.selector)?.focus()
    },
    [to],
  )
  return { aim, setAim }
}

/** What is sent, exactly. */
function Request({ body }: { body: object }) {
  const text = JSON.stringify(body, null, 2)
  return (
    <details className="rounded border border-line px-3 py-1.5 text-sm">
      <summary className="font-medium">Request</summary>
      <div className="flex items-center gap-2">
        <span className="font-mono">POST /db/execall</span>
        <CopyButton size="tiny" text={text} what="the request" />
      </div>
      <pre translate="no" className="max-h-60 overflow-auto font-mono text-xs">
        {text}
      </pre>
    </details>
  )
}

function Actions({ form, onClose }: { form: string; onClose: () => void }) {
  const state = useAtomValue(operationsStateAtom)
  const drafts = useAtomValue(operationsAtom)
  const keep = useSetAtom(keepOperationsAtom)
  const forget = useSetAtom(forgetOperationsAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const fixed = useAtomValue(whyOperationsFixedAtom)
  const busy = isBusy(state)
  return (
    <>
      <span className="me-auto self-center text-muted text-sm">
        {counted(drafts.length, 'operation')}
      </span>
      <Button
        disabledReason={busy ? fixed : undefined}
        onClick={() => {
          forget()
          keep([])
          onClose()
        }}
        variant="quiet"
      >
        Discard
      </Button>
      <Button
        busy={busy}
        disabledReason={refusal ?? (drafts.length === 0 ? 'Add an operation first.' : undefined)}
        form={form}
        type="submit"
        variant="primary"
      >
        {state.kind === 'unknown' ? 'Send once more' : 'Send as one transaction'}
      </Button>
    </>
  )
}
