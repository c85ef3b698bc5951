import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'
import { sentence } from '~/atoms/failure'
import { databaseAtom } from '~/atoms/session'
import { acceptServerAtom, acknowledgeBreakAtom, type Decision } from '~/atoms/trust-decisions'
import { type Break, isObjectBreak } from '~/atoms/trust-record'
import { isObjectKind } from '~/atoms/verification'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { SafeText } from '~/ui/SafeText'
import type { BrokenProps } from './BrokenBar'

type Choice = Decision | 'accept'

type Offer = { choice: Choice; title: string; text: string; action: string }

const keep: Offer = {
  choice: 'keep',
  title: 'Keep the trusted point and go on reading',
  text: 'The bar becomes one line. The history stays marked as broken.',
  action: 'Keep the point',
}

const check: Offer = {
  choice: 'check',
  title: 'Check once more',
  text: 'The alarm ends only if the server proves that it goes on from the trusted point.',
  action: 'Check once more',
}

const checkObject: Offer = {
  choice: 'check',
  title: 'Check it once more',
  text: 'What was found wrong is asked for again. The alarm ends only if it is proven now, and the newest state goes on from the trusted point.',
  action: 'Check it once more',
}

const end: Offer = {
  choice: 'end',
  title: 'End the alarm',
  text: 'An audit found it, and what it found cannot be asked for again by itself. The alarm ends on your word, if the newest state goes on from the trusted point. Run the audit again afterwards.',
  action: 'End the alarm',
}

const forget: Offer = {
  choice: 'forget',
  title: 'Forget the trusted point',
  text: 'The history as the server shows it now becomes a first contact: nothing of before is compared any more. A line in the log of this browser stays.',
  action: 'Forget the point',
}

const accept: Offer = {
  choice: 'accept',
  title: 'Accept this server',
  text: 'It may answer at this address from now on, beside the old one. Its history begins with a first contact; the points of the old server stay.',
  action: 'Accept the server',
}

/** The operator has seen the finding, types the name of the database, and says how to go on. */
export function DecideDialog({ broken, record, onClose }: BrokenProps & { onClose: () => void }) {
  const database = useAtomValue(databaseAtom) ?? ''
  const offers = offersFor(broken, record !== null)
  const [choice, setChoice] = useState<Choice>('keep')
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const { decide, isBusy, failure } = useDecision(onClose)
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
            onClick={() => void decide(choice, reason)}
            variant={choice === 'forget' || choice === 'accept' ? 'danger' : 'primary'}
          >
            {offer.action}
          </Button>
        </>
      }
      onClose={onClose}
      open
      title={
        <>
          The history of <SafeText text={database} /> is broken
        </>
      }
    >
      <Choices offers={offers} onChoice={setChoice} value={choice} />
      {failure !== null && (
        <div className="mb-3">
          <ErrorNote title={failure} />
        </div>
      )}
      <Field hint="Kept with the decision." label="Reason" onChange={setReason} value={reason} />
      <p className="pt-2 pb-3">
        Type{' '}
        <b className="break-all font-medium">
          <SafeText text={database} />
        </b>{' '}
        to confirm.
      </p>
      <Field autoComplete="off" label="Name of the database" onChange={setTyped} value={typed} />
    </Dialog>
  )
}

function offersFor(broken: Break, isRecorded: boolean): readonly Offer[] {
  if (broken.kind === 'other-server') return [keep, accept]
  const again = !isObjectBreak(broken)
    ? check
    : broken.verification && isObjectKind(broken.verification.kind)
      ? checkObject
      : end
  return isRecorded ? [keep, again, forget] : [keep, again]
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

function useDecision(onDone: () => void) {
  const acknowledge = useSetAtom(acknowledgeBreakAtom)
  const acceptServer = useSetAtom(acceptServerAtom)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const decide = async (choice: Choice, reason: string) => {
    setBusy(true)
    setFailure(null)
    try {
      const trust = await (choice === 'accept' ? acceptServer(reason) : acknowledge(choice, reason))
      const isToEnd = choice === 'check' || choice === 'end'
      if (isToEnd && trust.kind === 'broken') setFailure(stillBroken)
      else onDone()
    } catch (error) {
      setFailure(`It could not be checked once more. ${sentence(error)}`)
    }
    setBusy(false)
  }
  return { decide, isBusy, failure }
}
