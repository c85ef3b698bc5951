import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { longestName } from '~/atoms/moments/moments'
import { nameMoment, nameProblemAtom, notKept } from '~/atoms/moments/naming'
import { useAct } from '~/core/act'
import { openIdAtom } from '~/core/session/session'
import { formatTx } from '~/lib/text'
import { AskDialog } from '~/ui/AskDialog'
import { Field } from '~/ui/Field'
import { showToast } from '~/ui/toast'

export type NameMomentProps = { naming: string; onClose: () => void }

/** Asks for the name; the server proves first that the transaction is of the trusted history. */
export function NameDialog({ naming: tx, onClose }: NameMomentProps) {
  const id = useAtomValue(openIdAtom)
  const problemOf = useAtomValue(nameProblemAtom)
  const name = useAct(nameMoment)
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const problem = problemOf(text, id)
  const prove = async () => {
    setTried(true)
    setRefusal(undefined)
    if (problem !== undefined) return false
    const why = await name(text, tx).catch(() => notKept)
    if (why !== null) {
      setRefusal(why)
      return false
    }
    showToast({ kind: 'success', text: `tx ${formatTx(tx)} is named “${text.trim()}”.` })
    return true
  }
  return (
    <AskDialog
      action="Prove and name it"
      description="The server proves first that it belongs to the trusted history. Verify lists all named moments."
      mayLeave
      onAction={prove}
      onClose={onClose}
      title={`Name tx ${formatTx(tx)}`}
      width="small"
    >
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
    </AskDialog>
  )
}
