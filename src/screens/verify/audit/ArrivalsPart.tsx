import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { formatSize } from '~/lib/size'
import { counted, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import type { TimeZoneChoice } from '~/lib/time-zone'
import {
  type ArrivalsCost,
  type ArrivalsState,
  areArrivalsCheckedAtom,
  arrivalsAtom,
  checkArrivals,
  estimateArrivals,
  pauseArrivals,
  restartArrivals,
  resumeArrivals,
} from '~/trust/audit/arrivals'
import { trustAtom } from '~/trust/trust'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { GuideLink } from '~/ui/GuideLink'
import { WarningIcon } from '~/ui/Icon'
import { Sentence } from '~/ui/Sentence'
import { Skeleton } from '~/ui/Skeleton'
import { AuditBar } from '../../proof/AuditBar'

/** The check of every transaction as it arrives: whether it is on, and how far it is. */
export function ArrivalsPart() {
  const isOn = useAtomValue(areArrivalsCheckedAtom)
  const turn = useAct(checkArrivals)
  const measure = useAct(estimateArrivals)
  const [isAsked, setAsked] = useState(false)
  const [cost, setCost] = useState<Cost>(null)
  const ask = () => {
    setCost(null)
    setAsked(true)
    measure().then(setCost, () => setCost('unknown'))
  }
  return (
    <section
      aria-labelledby="arrivals-title"
      className="grid grid-cols-1 justify-items-start gap-2 rounded-lg border border-line bg-panel px-4 py-3 print:hidden"
    >
      <h3 className="font-medium" id="arrivals-title">
        Check every transaction as it arrives: {isOn ? 'on' : 'off'}
      </h3>
      <p className="text-muted text-sm">
        Headers and digests, while the console is visible. Finds a tree that differs from the chain.{' '}
        <GuideLink to="verify-arrivals">What this check is for</GuideLink>
      </p>
      {isOn && <Standing />}
      {isOn ? (
        <Button onClick={() => void turn(false)} size="small">
          Turn off
        </Button>
      ) : (
        <Button onClick={ask} size="small">
          Turn on…
        </Button>
      )}
      {isAsked && <ArrivalsDialog cost={cost} onClose={() => setAsked(false)} />}
    </section>
  )
}

function Standing() {
  const state = useAtomValue(arrivalsAtom)
  const isBroken = useAtomValue(trustAtom).kind === 'broken'
  const zone = useAtomValue(timezoneAtom)
  const pause = useAct(pauseArrivals)
  const resume = useAct(resumeArrivals)
  const restart = useAct(restartArrivals)
  return (
    <div className="grid w-full grid-cols-1 gap-2 text-sm">
      {state.kind === 'reading' && (
        <AuditBar first={state.txId} last={state.last} txId={state.txId} />
      )}
      {/* Each number on the way would be read aloud. */}
      <p className="flex gap-2" {...(state.kind !== 'reading' && { role: 'status' })}>
        {state.kind === 'stopped' && (
          <span className="flex h-5 shrink-0 items-center text-warning">
            <WarningIcon />
          </span>
        )}
        <Sentence text={isBroken ? brokenWords : wordsOf(state, zone)} />
      </p>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {state.kind === 'reading' && (
          <Button onClick={() => void pause()} size="small">
            Pause
          </Button>
        )}
        {!isBroken && (state.kind === 'paused' || (state.kind === 'stopped' && !state.saved)) && (
          <Button onClick={() => void resume()} size="small">
            Continue
          </Button>
        )}
        {!isBroken && state.kind === 'stopped' && state.saved && (
          <Button onClick={() => void restart()} size="small">
            Start at the trusted state
          </Button>
        )}
      </div>
    </div>
  )
}

const brokenWords =
  'This history is broken. Nothing more is read until the alarm ends: choose “Resolve…” in the red bar.'

function wordsOf(state: ArrivalsState, zone: TimeZoneChoice): string {
  switch (state.kind) {
    case 'waiting':
      return 'Waiting for the next state.'
    case 'reading':
      return `Reading: transaction ${formatTx(state.txId)} of ${formatTx(state.last)}.${state.words ? ` ${state.words}` : ''}`
    case 'done':
      return BigInt(state.to) < BigInt(state.first)
        ? `Nothing new since the trusted state, tx ${formatTx(state.to)}.`
        : `Read: transactions ${formatTx(state.first)} to ${formatTx(state.to)}, last on ${formatMoment(state.at, zone)}. Tree and chain agree there.`
    case 'paused':
      return 'Paused in this tab.'
    case 'elsewhere':
      return 'Another tab of this browser reads them.'
    case 'stopped':
      return `${state.words} ${state.advice}`.trim()
  }
}

/** Null while it is measured. */
type Cost = ArrivalsCost | 'unknown' | null

type Props = { cost: Cost; onClose: () => void }

/** Says what the check of new transactions costs, before it is turned on. */
function ArrivalsDialog({ cost, onClose }: Props) {
  const turn = useAct(checkArrivals)
  const turnOn = () => {
    void turn(true)
    onClose()
  }
  return (
    <AskDialog
      action="Turn on"
      onAction={turnOn}
      onClose={onClose}
      refusal={cost === null ? 'The cost is still being measured.' : undefined}
      title="Check every transaction as it arrives?"
    >
      {cost === null ? (
        <Skeleton label="Measuring the cost" lines={3} />
      ) : (
        <ul className="grid list-disc gap-1.5 ps-5 text-sm marker:text-muted">
          {costWords(cost).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </AskDialog>
  )
}

function costWords(cost: ArrivalsCost | 'unknown'): string[] {
  const where =
    'In one visible tab, while you are logged in. Set for this database, in this browser.'
  if (cost === 'unknown') {
    return [
      'The cost could not be measured: the server did not answer.',
      'Later: one call for up to 1,000 new transactions.',
      where,
    ]
  }
  const { transactions, calls, bytes, each } = cost
  const now =
    transactions === '0'
      ? 'Now: nothing to read. It begins with the next transaction.'
      : `Now: ${counted(BigInt(transactions), 'transaction')} since the last check, about ${counted(calls, 'call')} and ${formatSize(bytes)}.`
  const size =
    each === null ? '' : `, about ${formatSize(each)} for each, as the newest transactions show`
  return [now, `Later: one call for up to 1,000 new transactions${size}.`, where]
}
