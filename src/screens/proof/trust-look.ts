import { formatTx } from '~/lib/text'
import { isOfPageAlone, type Trust, verdictOfTrust } from '~/trust/trust'
import { checkedAt, isCompared, type TrustRecord } from '~/trust/trust-record'
import {
  BrokenIcon,
  CheckingIcon,
  ConsistentIcon,
  FirstContactIcon,
  UncheckedIcon,
} from '~/ui/TrustIcons'
import { breakWords } from '~/words/broken-history'
import { confirmedWords } from '~/words/trusted-state'

/** How far a history is known: the words and colours of the chip, and a sentence. */
export type Look = { Icon: typeof BrokenIcon; tone: string; title: string; text: string }

/** @param moment how a time is written */
export function lookOf(trust: Trust, moment: (at: number) => string): Look {
  switch (trust.kind) {
    case 'unchecked':
      return {
        Icon: UncheckedIcon,
        tone: 'text-muted',
        title: 'Not checked',
        text: trust.why ?? 'This history has not been checked yet.',
      }
    case 'checking':
      return {
        Icon: CheckingIcon,
        tone: 'text-muted',
        title: 'Checking',
        text: 'The newest state is being checked.',
      }
    case 'first':
      return { Icon: FirstContactIcon, tone: 'text-text', ...firstWords(trust.record, moment) }
    case 'consistent': {
      const { firstContact, point } = trust.record
      const since = `${moment(firstContact.at)}, beginning with transaction ${formatTx(firstContact.txId)}`
      const isCurrent = verdictOfTrust(trust).verdict === 'verified'
      return {
        Icon: isCurrent ? ConsistentIcon : UncheckedIcon,
        tone: isCurrent ? 'text-verified' : 'text-muted',
        title: isCurrent
          ? `Consistent since tx ${formatTx(firstContact.txId)}`
          : `Consistent up to tx ${formatTx(point.txId)} · not checked since`,
        text: `The history up to transaction ${formatTx(point.txId)} contains every state that this browser recorded since ${since}. Last checked at ${moment(checkedAt(trust.record))}.`,
      }
    }
    case 'broken': {
      const { title, what, todo } = breakWords(trust.broken.kind)
      return {
        Icon: BrokenIcon,
        tone: 'text-error',
        title: `BROKEN: the history ${title}`,
        text: `${what} Found at ${moment(trust.broken.at)}. ${todo}`,
      }
    }
  }
}

const pageOnly =
  'Proofs have held since this page was opened. This browser keeps nothing for it, so nothing earlier was compared.'

/** For a history that no proof has advanced: the same state again proves nothing. */
function firstWords(
  record: TrustRecord,
  moment: (at: number) => string,
): Pick<Look, 'title' | 'text'> {
  const { firstContact, how, checked } = record
  const since = moment(firstContact.at)
  if (isOfPageAlone(record)) return { title: 'First contact', text: pageOnly }
  const isImported = how === 'import'
  if (!isCompared(record)) {
    return isImported
      ? {
          title: 'Imported, not compared',
          text: `You imported this state at ${since}. The server’s state has not been compared with it yet.`,
        }
      : {
          title: 'First contact',
          text:
            record.provenAt > 0
              ? confirmedWords
              : 'Recorded as the server gave it. This browser can now notice changes up to there.',
        }
  }
  if (record.provenAt > 0) {
    return { title: `First contact · unchanged since ${since}`, text: confirmedWords }
  }
  return {
    title: `${isImported ? 'Imported' : 'First contact'} · unchanged since ${since}`,
    text: `At ${moment(checked)} the server reported the state that ${isImported ? 'you imported' : 'it gave'} then. Nothing has been proven since: a proof comes with the next transaction, or when you verify something.`,
  }
}
