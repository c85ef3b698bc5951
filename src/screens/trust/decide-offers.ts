import type { Decision } from '~/atoms/trust/decisions'
import { type Break, isObjectBreak } from '~/atoms/trust/record'
import { isObjectKind } from '~/atoms/trust/verification'

export type Choice = Decision | 'accept'

export type Offer = { choice: Choice; title: string; text: string; action: string }

export const keep: Offer = {
  choice: 'keep',
  title: 'Keep the trusted state and go on reading',
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
  text: 'What was found wrong is asked for again. The alarm ends only if it is proven now, and the newest state fits the trusted state.',
  action: 'Check it once more',
}

const end: Offer = {
  choice: 'end',
  title: 'End the alarm',
  text: 'What was found wrong cannot be asked for again by itself. The alarm ends on your word, if the newest state fits the trusted state. Run a deep audit afterwards.',
  action: 'End the alarm',
}

const endUnproven: Offer = {
  ...end,
  text: 'What was found wrong can be neither proven nor refuted now. The alarm ends on your word, if the newest state fits the trusted state.',
}

const forget: Offer = {
  choice: 'forget',
  title: 'Forget the trusted state',
  text: 'The history as the server shows it now becomes a first contact, compared with nothing from before. What was found wrong and the report of an audit go as well. Its incidents stay, and a line in the log of this browser.',
  action: 'Forget the state',
}

const accept: Offer = {
  choice: 'accept',
  title: 'Accept this server',
  text: 'It may answer at this address from now on, beside the others. Databases of it without a trusted state here begin with a first contact; the trusted states of other servers stay. A pinned signing key does not carry over: signatures of this server are checked only if its own key is pinned. You can revoke this on Verify.',
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
 * Whether a choice ends an alarm on the operator's word alone, so that the log is to say why: nothing
 * else tells later why it was ended.
 */
export function needsReason(choice: Choice): boolean {
  return choice === 'end' || choice === 'forget' || choice === 'accept'
}
