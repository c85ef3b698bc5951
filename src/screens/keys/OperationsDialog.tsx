import { useAtomValue } from 'jotai'
import { useCallback, useRef, useState } from 'react'
import { changeOperation, keepOperations, operationsAtom } from '~/atoms/keys/keep-operations'
import { mostOperations, newOperation, readOperations } from '~/atoms/keys/operation-drafts'
import {
  checkOperations,
  forgetOperations,
  operationsStateAtom,
  type StoredOperations,
  sendOperations,
  whyOperationsFixedAtom,
} from '~/atoms/keys/send-operations'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { counted, formatCount, formatTx } from '~/lib/text'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { CheckIcon } from '~/ui/Icon'
import { TxText } from '~/ui/TxText'
import { sendersUnknown } from '~/words/outcome'
import { Receipt } from '../proof/Receipt'
import { OperationFields } from './OperationFields'

/** Collects operations and sends them as one transaction; what is typed is kept. */
export function OperationsDialog({ onClose }: { onClose: () => void }) {
  const state = useAtomValue(operationsStateAtom)
  const drafts = useAtomValue(operationsAtom)
  const keep = useAct(keepOperations)
  const forget = useAct(forgetOperations)
  const send = useAct(sendOperations)
  const check = useAct(checkOperations)
  const refusal = useAtomValue(writeRefusalAtom)
  const [isTried, setTried] = useState(false)
  const { aim, setAim } = useAim()
  const { body, problem } = readOperations(drafts)
  const isStored = state.kind === 'committed'
  const close = () => {
    if (isStored || state.kind === 'refused') forget()
    onClose()
  }
  const submit = () => {
    setTried(true)
    if (body !== null) void send()
    else setAim({ selector: '[aria-invalid=true]' })
  }
  const ask = {
    action: state.kind === 'unknown' ? 'Send once more' : 'Send as one transaction',
    cancel: 'Discard',
    onCancel: () => {
      forget()
      keep([])
      onClose()
    },
  }
  return (
    <AskDialog
      {...(isStored ? { cancel: 'Done' } : ask)}
      description="All of them are stored, or none. Without a condition, what someone else wrote to a key is overwritten."
      more={
        !isStored && (
          <span className="me-auto self-center text-muted text-sm">
            {counted(drafts.length, 'operation')}
          </span>
        )
      }
      onAction={submit}
      onClose={close}
      refusal={refusal ?? (drafts.length === 0 ? 'Add an operation first.' : undefined)}
      title="Several operations in one transaction"
      width="wide"
      write={{
        state,
        notDone: 'Nothing was stored.',
        notKnown: 'these operations were stored',
        onCheck: () => void check(),
      }}
    >
      {isStored ? (
        <Stored value={state.value} />
      ) : (
        <div className="grid grid-cols-1 gap-3" ref={aim}>
          <Operations isTried={isTried} onAdded={setAim} />
          {problem !== null && (
            <p className="text-error text-sm" role="alert">
              {problem}
            </p>
          )}
          {body !== null && <Request body={body} />}
        </div>
      )}
    </AskDialog>
  )
}

function Stored({ value: { id, isFound } }: { value: StoredOperations }) {
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

type OperationsProps = { isTried: boolean; onAdded: (aim: Aim) => void }

function Operations({ isTried, onAdded }: OperationsProps) {
  const drafts = useAtomValue(operationsAtom)
  const keep = useAct(keepOperations)
  const change = useAct(changeOperation)
  const fixed = useAtomValue(whyOperationsFixedAtom)
  const adder = useRef<HTMLButtonElement>(null)
  const remove = useCallback(
    (at: number) => {
      // The button that is pressed goes away with its operation.
      adder.current?.focus()
      change(at, null)
    },
    [change],
  )
  return (
    <>
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
            onAdded({ selector: 'fieldset:last-of-type input' })
          }}
          ref={adder}
          size="small"
        >
          Add an operation
        </Button>
      </div>
    </>
  )
}

type Aim = { selector: string }

/** Gives the focus to something in a form once that is drawn. */
function useAim() {
  const [to, setAim] = useState<Aim>()
  const aim = useCallback(
    (form: HTMLElement | null) => {
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
