import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'
import { sentence } from '~/atoms/failure'
import { databaseAtom } from '~/atoms/session'
import { acceptServerAtom, acknowledgeBreakAtom, type Decided } from '~/atoms/trust/decisions'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { SafeName } from '~/ui/SafeName'
import { type Choice, keep, needsReason, type Offer, offersFor } from './decide-offers'
import type { BrokenProps } from './Finding'

/** The operator has seen the finding, types the name of the database, and says how to go on. */
export function DecideDialog({ broken, record, onClose }: BrokenProps & { onClose: () => void }) {
  const database = useAtomValue(databaseAtom) ?? ''
  const [choice, setChoice] = useState<Choice>('keep')
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [isReasonless, setReasonless] = useState(false)
  const { decide, isBusy, failure, isUnproven } = useDecision(broken.at, onClose)
  const offers = offersFor(broken, { isRecorded: record !== null, isUnproven })
  const confirm = () => {
    const isMissing = needsReason(choice) && reason.trim() === ''
    setReasonless(isMissing)
    if (!isMissing) void decide(choice, reason.trim())
  }
  const offer = offers.find((one) => one.choice === choice) ?? keep
  return (
    <Dialog
      description="What you choose is noted in this browser, with your reason."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            busy={isBusy}
            disabledReason={typed === database ? undefined : 'Type the name first.'}
            onClick={confirm}
            variant={choice === 'forget' || choice === 'accept' ? 'danger' : 'primary'}
          >
            {offer.action}
          </Button>
        </>
      }
      onClose={onClose}
      open
      persistent={isBusy || reason !== ''}
      title={
        <>
          The history of <SafeName text={database} /> is broken
        </>
      }
    >
      <Choices offers={offers} onChoice={setChoice} value={choice} />
      {failure !== null && (
        <div className="mb-3">
          <ErrorNote title={failure} />
        </div>
      )}
      <Field
        error={isReasonless ? 'Say why, for the log.' : undefined}
        hint={needsReason(choice) ? 'Kept in the log.' : 'Optional. Kept in the log.'}
        label="Reason"
        onChange={(text) => {
          setReason(text)
          setReasonless(false)
        }}
        value={reason}
      />
      <p className="pt-2 pb-3">
        Type{' '}
        <b className="break-all font-medium">
          <SafeName text={database} />
        </b>{' '}
        to confirm.
      </p>
      <Field autoComplete="off" label="Name of the database" onChange={setTyped} value={typed} />
    </Dialog>
  )
}

type ChoicesProps = {
  offers: readonly Offer[]
  value: Choice
  onChoice: (choice: Choice) => void
}

function Choices({ offers, value, onChoice }: ChoicesProps) {
  const name = useId()
  return (
    <fieldset className="mb-4 grid gap-3">
      <legend className="sr-only">How to go on</legend>
      {offers.map(({ choice, title, text }) => (
        <label className="flex gap-2.5" key={choice}>
          <input
            checked={value === choice}
            className="mt-1 size-4 shrink-0 accent-primary"
            name={name}
            onChange={() => onChoice(choice)}
            type="radio"
            value={choice}
          />
          <span>
            <span className="block font-medium">{title}</span>
            <span className="block text-muted text-sm">{text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const stillBroken = 'It was checked once more, and is still broken.'

/** Why an alarm did not end. */
function failureOf(trust: Decided): string {
  if (trust.unproven !== undefined) {
    return `It could not be proven now. ${trust.unproven} You can end the alarm on your word.`
  }
  const why = 'why' in trust ? (trust.why ?? null) : null
  return why === null ? stillBroken : `It could not be checked once more. ${why}`
}

/** @param at the moment of the finding that is decided about */
function useDecision(at: number, onDone: () => void) {
  const acknowledge = useSetAtom(acknowledgeBreakAtom)
  const acceptServer = useSetAtom(acceptServerAtom)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [isUnproven, setUnproven] = useState(false)
  const decide = async (choice: Choice, reason: string) => {
    setBusy(true)
    setFailure(null)
    try {
      const trust: Decided = await (choice === 'accept'
        ? acceptServer(reason)
        : acknowledge(choice, reason))
      const isToEnd = choice === 'check' || choice === 'end'
      // Another finding that is shown then is decided about by itself.
      const isSame = trust.kind === 'broken' && trust.broken.at === at
      if (isToEnd && isSame) {
        setFailure(failureOf(trust))
        setUnproven(trust.unproven !== undefined)
      } else onDone()
    } catch (error) {
      setFailure(`It could not be checked once more. ${sentence(error)}`)
    }
    setBusy(false)
  }
  return { decide, isBusy, failure, isUnproven }
}
