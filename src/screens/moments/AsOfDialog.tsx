import { useAtomValue } from 'jotai'
import { useMemo, useRef, useState } from 'react'
import { ownMomentsAtom } from '~/atoms/moments/moments'
import { useAct } from '~/core/act'
import { asOfAtom, atAtom, chosenTxAtom, resolveTime, writePeriod } from '~/core/history/as-of'
import { presentTxAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { sentence } from '~/core/session/failure-words'
import { type At, momentForms, readTyped } from '~/immudb/moment'
import { formatTx } from '~/lib/text'
import { zoneLabel } from '~/lib/time-zone'
import { type Bound, type Moment, txProblem } from '~/sql/time-travel'
import { AskDialog } from '~/ui/AskDialog'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { GuideLink } from '~/ui/GuideLink'
import { useChangeSearch } from '~/ui/location'
import { SafeName } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { Sentence } from '~/ui/Sentence'
import { bothTimes, momentText } from './moment-text'

const bounds: readonly { value: Bound; label: string; detail: string }[] = [
  { value: 'UNTIL', label: 'Until', detail: 'As it was right after it' },
  { value: 'BEFORE', label: 'Before', detail: 'As it was right before it' },
  { value: 'SINCE', label: 'Since', detail: 'Only rows last written in it or later' },
  { value: 'AFTER', label: 'After', detail: 'Only rows last written later' },
]

export type AsOfDialogProps = { hasPeriods: boolean; onClose: () => void }

/** Chooses the moment that the data screens show. */
export function AsOfDialog({ hasPeriods, onClose }: AsOfDialogProps) {
  const asOf = useAtomValue(asOfAtom)
  const newest = useAtomValue(presentTxAtom)
  const chosen = useAtomValue(chosenTxAtom)
  const find = useAct(resolveTime)
  const change = useChangeSearch()
  const first = useFirst()
  const zone = useAtomValue(timezoneAtom)
  const [bound, setBound] = useState<Bound>(first?.bound ?? 'UNTIL')
  const [typed, setTyped] = useState(first ? writtenAt(first.at) : chosen)
  const [refusal, setRefusal] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  // What is “5 minutes ago” stays so while the form is filled in.
  const [now] = useState(Date.now)
  const read = useMemo(() => readTyped(typed, zone, now), [typed, zone, now])
  const problem = problemOf(typed, read, newest)
  const moment: Moment | null = read && { bound, at: inSql(read) }
  const go = (to: string | undefined) => {
    change({ at: to })
    onClose()
  }
  const apply = async () => {
    if (moment === null) return false
    const to = writePeriod(moment)
    if (moment.at.kind !== 'time' || bound !== 'UNTIL') return change({ at: to })
    const found = await find(to).catch((error: unknown) => ({ problem: sentence(error) }))
    // The dialog was left meanwhile: nothing is to change any more.
    if (field.current === null) return false
    if (!('problem' in found)) return change({ at: to })
    setRefusal(found.problem)
    return false
  }
  return (
    <AskDialog
      action="Apply"
      description={
        <>
          Query, Keys, Documents, Transactions and Compare show the database as it was then.{' '}
          <GuideLink to="time-console">More on time travel</GuideLink>
        </>
      }
      initialFocus={field}
      mayLeave
      more={
        asOf.kind !== 'now' && (
          <span className="me-auto">
            <Button onClick={() => go(undefined)}>Back to now</Button>
          </span>
        )
      }
      onAction={apply}
      onClose={onClose}
      refusal={problem}
      title="As of"
      width="small"
    >
      <div className="grid gap-3">
        {hasPeriods && (
          <Select
            label="Show data"
            labelled
            onChange={(value) =>
              setBound(bounds.find((one) => one.value === value)?.value ?? bound)
            }
            options={bounds}
            value={bound}
            wide
          />
        )}
        <Field
          autoComplete="off"
          error={problem ?? (refusal && <Sentence text={refusal} />)}
          hint={`A number, a date, a time or “5 minutes ago”. Times without a zone are in ${zoneLabel(zone)}.`}
          label="Transaction or time"
          mono
          onChange={(text) => {
            setRefusal(undefined)
            setTyped(text)
          }}
          // What is there is seldom what is wanted, so typing replaces it.
          onFocus={() => field.current?.select()}
          ref={field}
          spellCheck={false}
          value={typed}
        />
      </div>
      {problem === undefined && moment && (
        <p className="text-muted text-sm" role="status">
          Shows {momentText(moment)}.
          {read?.kind === 'time' && <> = {bothTimes(Date.parse(read.text), zone)}</>}
        </p>
      )}
      <NamedOnes onPick={(txId) => go(writePeriod({ bound, at: { kind: 'tx', id: txId } }))} />
    </AskDialog>
  )
}

/** What is chosen at present, as the form has it. */
function useFirst(): Moment | null {
  const at = useAtomValue(atAtom)
  const asOf = useAtomValue(asOfAtom)
  if (asOf.kind === 'period') return asOf.moment
  if (at === null) return null
  const text = at.kind === 'time' ? at.text.slice(0, 19).replace('T', ' ') : ''
  return { bound: 'UNTIL', at: at.kind === 'tx' ? at : { kind: 'time', text } }
}

/** The named moments of the database; a press takes one. */
function NamedOnes({ onPick }: { onPick: (txId: string) => void }) {
  const moments = useAtomValue(ownMomentsAtom)
  if (moments.length === 0) return null
  return (
    <section aria-labelledby="named" className="mt-3 grid gap-1">
      <h3 className="font-medium text-sm" id="named">
        Named moments
      </h3>
      <ul className="grid max-h-48 gap-1 overflow-auto">
        {moments.map(({ name, txId, isImported }) => (
          <li key={name}>
            <button
              className="flex w-full flex-wrap items-center gap-x-2 rounded px-2 py-1.5 text-start text-sm hover:bg-hover"
              onClick={() => onPick(txId)}
              type="button"
            >
              <span className="min-w-0 [overflow-wrap:anywhere]" translate="no">
                <SafeName text={name} />
              </span>
              <span className="font-mono text-muted">tx {formatTx(txId)}</span>
              {isImported && <Badge tone="warning">from a file, not checked</Badge>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Why what was typed is no moment of this database. */
function problemOf(typed: string, read: At | null, newest: string): string | undefined {
  const plain = typed.trim()
  if (read?.kind === 'tx') return txProblem(read.id, newest)
  if (read) return undefined
  return /^\d+$/.test(plain) ? txProblem(plain, newest) : momentForms
}

/** A moment as SQL has it. */
function inSql(at: At): Moment['at'] {
  return at.kind === 'tx' ? at : { kind: 'time', text: at.text.slice(0, 19).replace('T', ' ') }
}

/** As someone would type it. */
const writtenAt = (at: Moment['at']) => (at.kind === 'tx' ? at.id : `${at.text} UTC`)
