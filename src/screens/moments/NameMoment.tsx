import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useId, useState } from 'react'
import { longestName } from '~/atoms/moments/moments'
import { nameMomentAtom, nameProblemAtom, notKept } from '~/atoms/moments/naming'
import { openIdAtom } from '~/core/session/session'
import { formatTx } from '~/lib/text'
import { Dialog } from '~/ui/Dialog'
import { DialogButtons } from '~/ui/DialogButtons'
import { Field } from '~/ui/Field'
import { showToast } from '~/ui/toast'

export type NameMomentProps = { naming: string; onClose: () => void }

/** Asks for the name; the server proves first that the transaction is of the trusted history. */
export function NameDialog({ naming: tx, onClose }: NameMomentProps) {
  const id = useAtomValue(openIdAtom)
  const problemOf = useAtomValue(nameProblemAtom)
  const name = useSetAtom(nameMomentAtom)
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const form = useId()
  const problem = problemOf(text, id)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setRefusal(undefined)
    if (problem !== undefined || isBusy) return
    setBusy(true)
    const why = await name(text, tx).catch(() => notKept)
    setBusy(false)
    if (why !== null) return setRefusal(why)
    showToast({ kind: 'success', text: `tx ${formatTx(tx)} is named “${text.trim()}”.` })
    onClose()
  }
  return (
    <Dialog
      description="The server proves first that it belongs to the trusted history. Verify lists all named moments."
      footer={
        <DialogButtons action="Prove and name it" busy={isBusy} form={form} onClose={onClose} />
      }
      onClose={onClose}
      open
      persistent={isBusy}
      title={`Name tx ${formatTx(tx)}`}
      width="small"
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <Field
          autoComplete="off"
          error={isTried ? problem : undefined}
          label="Name of the moment"
          maxLength={longestName}
          onChange={setText}
          placeholder="before migration"
          value={text}
        />
        {refusal !== undefined && (
          <p className="text-error text-sm" role="alert">
            Not named. {refusal}
          </p>
        )}
      </form>
    </Dialog>
  )
}
