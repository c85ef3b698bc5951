import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { timezoneAtom } from '~/core/page-view'
import { formatTx } from '~/lib/text'
import { formatClock } from '~/lib/time'
import { visibleText } from '~/lib/visible-text'
import { isTrustOpenAtom, type Trust, trustAtom, verdictOfTrust } from '~/trust/trust'
import { checkedAt, isCompared } from '~/trust/trust-record'
import { cx } from '~/ui/cx'
import {
  BrokenIcon,
  CheckingIcon,
  ConsistentIcon,
  FirstContactIcon,
  UncheckedIcon,
} from '~/ui/TrustIcons'
import { confirmedWords } from '~/words/trusted-state'

type Look = { icon: ReactNode; words: string; tone: string; says: string }

/** How far the history of the open database is known; opens what is known of it. */
export function TrustChip() {
  const trust = useAtomValue(trustAtom)
  const timezone = useAtomValue(timezoneAtom)
  const open = useSetAtom(isTrustOpenAtom)
  const { icon, words, tone, says } = lookOf(trust, (at) => formatClock(at, timezone))
  return (
    <button
      aria-haspopup="dialog"
      aria-label={`Trust: ${words}`}
      className={cx(
        'inline-flex h-11 w-11 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded border font-medium text-sm hover:bg-hover xs:h-7 xs:w-8 md:w-auto md:px-2',
        tone,
      )}
      data-trust={trust.kind}
      onClick={() => open(true)}
      title={visibleText(says)}
      type="button"
    >
      {icon}
      <span className="hidden md:inline">{words}</span>
    </button>
  )
}

function lookOf(trust: Trust, clock: (at: number) => string): Look {
  switch (trust.kind) {
    case 'unchecked':
      return {
        icon: <UncheckedIcon />,
        words: 'Not checked',
        tone: 'border-transparent text-muted xs:border-line',
        says: trust.why ?? 'The history of this database has not been checked yet.',
      }
    case 'checking':
      return {
        icon: <CheckingIcon />,
        words: 'Checking',
        tone: 'border-transparent text-muted xs:border-line',
        says: 'The newest state is being checked.',
      }
    case 'first':
      return {
        icon: <FirstContactIcon />,
        tone: 'border-transparent xs:border-line',
        ...firstWords(trust, clock),
      }
    case 'consistent': {
      const { firstContact, point } = trust.record
      const upTo = `up to tx ${formatTx(point.txId)}`
      if (verdictOfTrust(trust).verdict !== 'verified') {
        return {
          icon: <UncheckedIcon />,
          words: `Consistent ${upTo} · not checked since`,
          tone: 'border-transparent text-muted xs:border-line',
          says: trust.why ?? '',
        }
      }
      return {
        icon: <ConsistentIcon />,
        words: `Consistent since tx ${formatTx(firstContact.txId)}`,
        tone: 'border-transparent text-verified xs:border-verified/45',
        says: `The history ${upTo} contains every state that this browser recorded since. Last checked at ${clock(checkedAt(trust.record))}.`,
      }
    }
    case 'broken':
      return {
        icon: <BrokenIcon />,
        words: 'BROKEN',
        tone: 'border-error bg-error-tint text-error',
        says: 'Something was found wrong. The red bar says what.',
      }
  }
}

function firstWords(
  { record, why }: Extract<Trust, { kind: 'first' }>,
  clock: (at: number) => string,
): Pick<Look, 'words' | 'says'> {
  const isImported = record.how === 'import'
  // A proof against the state that the server itself gave confirms only that state.
  if (!isImported && record.provenAt > 0 && record.moved === 0) {
    return { words: 'First contact', says: why ?? confirmedWords }
  }
  if (isCompared(record)) {
    const says = `The same state since ${clock(record.firstContact.at)}. Nothing has been proven since.`
    return { words: isImported ? 'Imported' : 'First contact', says: why ?? says }
  }
  const says = isImported
    ? 'You imported this state. The server’s state has not been compared with it yet.'
    : 'This browser has just begun to follow the history of this database; there was nothing to compare it with.'
  return { words: isImported ? 'Imported, not compared' : 'First contact', says: why ?? says }
}
