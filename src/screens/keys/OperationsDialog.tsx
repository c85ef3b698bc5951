import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useId, useState } from 'react'
import { operationsAtom } from '~/atoms/keys/drafts'
import { keepOperationsAtom } from '~/atoms/keys/keep-operations'
import {
  mostOperations,
  newOperation,
  type OperationDraft,
  readOperations,
} from '~/atoms/keys/operation-drafts'
import {
  checkOperationsAtom,
  forgetOperationsAtom,
  type OperationsState,
  operationsStateAtom,
  sendOperationsAtom,
} from '~/atoms/keys/send-operations'
import { databaseAtom } from '~/atoms/session/session'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { counted, formatTx } from '~/lib/text'
import { isBusy } from '~/lib/write'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { Dialog } from '~/ui/Dialog'
import { CheckIcon } from '~/ui/Icon'
import { WriteNote } from '~/ui/WriteNote'
import { Receipt } from '../proof/Receipt'
import { OperationFields } from './OperationFields'

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
      description="All of them are stored together, or none is."
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
        {isFound
          ? `tx ${formatTx(id)} holds exactly these operations. Transactions do not say who sent them.`
          : `Stored in tx ${formatTx(id)}.`}
      </p>
      <Receipt database={database} says={`Transaction ${formatTx(id)} is in the history`} tx={id} />
    </div>
  )
}

const beingSent = 'They are being sent.'
const sentAlready = 'They were sent as they are here.'

function Form({ id, state }: { id: string; state: OperationsState }) {
  const drafts = useAtomValue(operationsAtom)
  const keep = useSetAtom(keepOperationsAtom)
  const send = useSetAtom(sendOperationsAtom)
  const check = useSetAtom(checkOperationsAtom)
  const [isTried, setTried] = useState(false)
  const { body, problem } = readOperations(drafts)
  const fixed = isBusy(state) ? beingSent : state.kind === 'unknown' ? sentAlready : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (body !== null) void send()
  }
  const replace = (at: number, next: OperationDraft) =>
    keep(drafts.map((one, index) => (index === at ? next : one)))
  return (
    <form className="grid gap-3" id={id} noValidate onSubmit={submit}>
      {drafts.length === 0 && <p className="text-muted">No operation yet. Add the first one.</p>}
      {drafts.map((draft, at) => (
        <OperationFields
          draft={draft}
          fixed={fixed}
          isTried={isTried}
          // biome-ignore lint/suspicious/noArrayIndexKey: an operation is its place; its fields keep nothing themselves.
          key={at}
          number={at + 1}
          onChange={(next) => replace(at, next)}
          onRemove={() => keep(drafts.filter((_, index) => index !== at))}
        />
      ))}
      <div>
        <Button
          disabledReason={
            fixed ??
            (drafts.length < mostOperations
              ? undefined
              : `A transaction has at most ${mostOperations} entries.`)
          }
          onClick={() => keep([...drafts, newOperation()])}
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
      {state.kind === 'sending' && state.isSlow && (
        <p className="text-warning" role="status">
          The server accepts the request but does not finish it. The console waits and does not send
          it again.
        </p>
      )}
      <WriteNote
        notDone="Nothing was stored."
        notKnown="these operations were stored"
        onCheck={() => void check()}
        state={state}
      />
    </form>
  )
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
      <pre className="max-h-60 overflow-auto font-mono text-xs">{text}</pre>
    </details>
  )
}

function Actions({ form, onClose }: { form: string; onClose: () => void }) {
  const state = useAtomValue(operationsStateAtom)
  const drafts = useAtomValue(operationsAtom)
  const keep = useSetAtom(keepOperationsAtom)
  const forget = useSetAtom(forgetOperationsAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const busy = isBusy(state)
  return (
    <>
      <span className="me-auto self-center text-muted text-sm">
        {counted(drafts.length, 'operation')}
      </span>
      <Button
        disabledReason={busy ? beingSent : undefined}
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
