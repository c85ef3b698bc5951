import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { acceptServer, acknowledgeBreak, type Decided, type Decision } from '~/trust/decisions'
import { type Break, isObjectBreak } from '~/trust/trust-record'
import { isObjectKind } from '~/trust/verification'
import { AskDialog } from '~/ui/AskDialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { SafeName } from '~/ui/SafeText'
import type { BrokenProps } from './Finding'

/** The operator has seen the finding, types the name of the database, and says how to continue. */
export function DecideDialog({ broken, record, onClose }: BrokenProps & { onClose: () => void }) {
  const database = useAtomValue(databaseAtom) ?? ''
  const [choice, setChoice] = useState<Choice>('keep')
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
    <AskDialog
      action={offer.action}
      busy={isBusy}
      confirm={database}
      confirmLabel="Name of the database"
      description="What you choose is noted in this browser, with your reason."
      isDanger={choice === 'forget' || choice === 'accept'}
      isTyped={reason !== ''}
      mayLeave
      onAction={confirm}
      onClose={onClose}
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
    </AskDialog>
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
      <legend className="sr-only">How to continue</legend>
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

const stillBroken = 'It was checked again, and is still broken.'

/** Why an alarm did not end. */
function failureOf(trust: Decided): string {
  if (trust.unproven !== undefined) {
    return `It could not be proven now. ${trust.unproven} You can end the alarm without a proof.`
  }
  const why = 'why' in trust ? (trust.why ?? null) : null
  return why === null ? stillBroken : `It could not be checked once more. ${why}`
}

/** @param at the moment of the finding that is decided about */
function useDecision(at: number, onDone: () => void) {
  const acknowledge = useAct(acknowledgeBreak)
  const accept = useAct(acceptServer)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [isUnproven, setUnproven] = useState(false)
  const decide = async (choice: Choice, reason: string) => {
    setBusy(true)
    setFailure(null)
    try {
      const trust: Decided = await (choice === 'accept'
        ? accept(reason)
        : acknowledge(choice, reason))
      const isToEnd = choice === 'check' || choice === 'end'
      // Another finding that appears then needs its own decision.
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

type Choice = Decision | 'accept'

type Offer = { choice: Choice; title: string; text: string; action: string }

const keep: Offer = {
  choice: 'keep',
  title: 'Keep the trusted state and continue reading',
  text: 'The bar becomes one line. The history stays marked as broken.',
  action: 'Keep the state',
}

const check: Offer = {
  choice: 'check',
  title: 'Check once more',
  text: 'The alarm ends only if the server shows the trusted state again, or proves that its state continues from it.',
  action: 'Check once more',
}

const checkObject: Offer = {
  choice: 'check',
  title: 'Check it once more',
  text: 'The console asks again for what was found wrong. The alarm ends only if it is proven now and the newest state fits the trusted state.',
  action: 'Check it once more',
}

const end: Offer = {
  choice: 'end',
  title: 'End the alarm',
  text: 'The console cannot ask again for what was found wrong. The alarm ends without a proof of it, if the newest state fits the trusted state. Run a deep audit afterwards.',
  action: 'End the alarm',
}

const endUnproven: Offer = {
  ...end,
  text: 'What was found wrong can be neither proven nor refuted now. The alarm ends without a proof of it, if the newest state fits the trusted state.',
}

const forget: Offer = {
  choice: 'forget',
  title: 'Forget the trusted state',
  text: 'The history that the server shows now becomes a first contact. It is compared with nothing from before. The findings and the report of an audit are removed too. The incidents and a line in the log stay in this browser.',
  action: 'Forget the state',
}

const accept: Offer = {
  choice: 'accept',
  title: 'Accept this server',
  text: 'It may answer at this address from now on, beside the others. Its databases without a trusted state here begin with a first contact. The trusted states of other servers stay. A pinned signing key does not carry over. Signatures of this server are checked only if its own key is pinned. You can revoke this on Verify.',
  action: 'Accept the server',
}

type Known = {
  isRecorded: boolean
  /** It was asked for once more, and could not be proven. */
  isUnproven: boolean
}

/** What can be done about a finding. */
export function offersFor(broken: Break, { isRecorded, isUnproven }: Known): readonly Offer[] {
  if (broken.kind === 'other-server') return [keep, accept]
  const again = againFor(broken, isUnproven)
  return isRecorded ? [keep, ...again, forget] : [keep, ...again]
}

function againFor(broken: Break, isUnproven: boolean): readonly Offer[] {
  if (!isObjectBreak(broken)) return [check]
  if (!broken.verification || !isObjectKind(broken.verification.kind)) return [end]
  return isUnproven ? [checkObject, endUnproven] : [checkObject]
}

/**
 * Whether a choice ends an alarm without a proof. It then needs a reason in the log, because nothing
 * else tells later why the alarm ended.
 */
export function needsReason(choice: Choice): boolean {
  return choice === 'end' || choice === 'forget' || choice === 'accept'
}
