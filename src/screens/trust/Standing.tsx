import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import type { Trust } from '~/atoms/trust'
import { forgottenWhy } from '~/atoms/trust-shown'
import { timezoneAtom } from '~/atoms/view'
import { breakWords } from '~/lib/break-words'
import { formatMoment, formatTx } from '~/lib/text'
import { join } from '~/ui/join'
import {
  BrokenIcon,
  CheckingIcon,
  ConsistentIcon,
  FirstContactIcon,
  UncheckedIcon,
} from '~/ui/TrustIcons'

/** How far the history is known, in a word and a sentence. */
export function Standing({ trust }: { trust: Trust }) {
  const timezone = useAtomValue(timezoneAtom)
  const { icon, tone, title, text } = lookOf(trust, (at) => formatMoment(at, timezone))
  const why = 'why' in trust ? trust.why : null
  return (
    <section aria-label="State" className="flex gap-3">
      <span className={join('mt-0.5 shrink-0', tone)}>{icon}</span>
      <div className="grid min-w-0 gap-1">
        <p className={join('font-medium text-lg', tone)}>{title}</p>
        <p>{text}</p>
        {why !== null && why !== forgottenWhy && trust.kind !== 'unchecked' && (
          <p className="text-warning">The newest state could not be checked: {why}</p>
        )}
      </div>
    </section>
  )
}

type Look = { icon: ReactNode; tone: string; title: string; text: string }

function lookOf(trust: Trust, moment: (at: number) => string): Look {
  switch (trust.kind) {
    case 'unchecked':
      return {
        icon: <UncheckedIcon size={20} />,
        tone: 'text-muted',
        title: 'Not checked',
        text: trust.why ?? 'The history of this database was not checked so far.',
      }
    case 'checking':
      return {
        icon: <CheckingIcon size={20} />,
        tone: 'text-muted',
        title: 'Checking',
        text: 'The newest state is being checked.',
      }
    case 'first':
      return {
        icon: <FirstContactIcon size={20} />,
        tone: 'text-text',
        title: 'First contact',
        text: 'The state was taken as the server gave it. From now on this browser notices if the history before this point changes.',
      }
    case 'consistent': {
      const { firstContact, point, checked } = trust.record
      const since = `the first contact at ${moment(firstContact.at)} with transaction ${formatTx(firstContact.txId)}`
      const isCurrent = trust.why === null
      return {
        icon: isCurrent ? <ConsistentIcon size={20} /> : <UncheckedIcon size={20} />,
        tone: isCurrent ? 'text-verified' : 'text-muted',
        title: isCurrent
          ? `Consistent since tx ${formatTx(firstContact.txId)}`
          : `Consistent up to tx ${formatTx(point.txId)} · not checked since`,
        text: `Nothing up to transaction ${formatTx(point.txId)} was rewritten, inserted or removed since ${since}. Verified by this browser at ${moment(checked)}.`,
      }
    }
    case 'broken': {
      const { title, what, todo } = breakWords(trust.broken.kind)
      return {
        icon: <BrokenIcon size={20} />,
        tone: 'text-error',
        title: `BROKEN: the history ${title}`,
        text: `${what} Found at ${moment(trust.broken.at)}. ${todo}`,
      }
    }
  }
}
