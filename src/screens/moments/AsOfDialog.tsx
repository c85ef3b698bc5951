import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useId, useRef, useState } from 'react'
import { asOfAtom, atAtom, chosenTxAtom, resolveTimeAtom, writePeriod } from '~/atoms/history/as-of'
import { presentTxAtom } from '~/atoms/history/newest-state'
import { ownMomentsAtom } from '~/atoms/moments/moments'
import { sentence } from '~/atoms/session/failure'
import { timezoneAtom } from '~/atoms/settings/view'
import { formatTx } from '~/lib/text'
import { writtenTime } from '~/lib/time'
import { type Bound, type Moment, txProblem } from '~/sql/time-travel'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { GuideLink } from '~/ui/GuideLink'
import { useChangeSearch } from '~/ui/location'
import { Select } from '~/ui/Select'
import { bothTimes, momentText } from './moment-text'

const bounds: readonly { value: Bound; label: string; detail: string }[] = [
  { value: 'UNTIL', label: 'Until', detail: 'As it was right after it' },
  { value: 'BEFORE', label: 'Before', detail: 'As it was right before it' },
  { value: 'SINCE', label: 'Since', detail: 'Only rows last written in it or later' },
  { value: 'AFTER', label: 'After', detail: 'Only rows last written later' },
]

type Kind = 'tx' | 'time' | 'name'

const kinds: readonly { value: Kind; label: string }[] = [
  { value: 'tx', label: 'Transaction' },
  { value: 'time', label: 'Time (UTC)' },
]
const named = { value: 'name', label: 'Named moment' } as const

export type AsOfDialogProps = { hasPeriods: boolean; onClose: () => void }

/** Chooses the moment that the data screens show. */
export function AsOfDialog({ hasPeriods, onClose }: AsOfDialogProps) {
  const asOf = useAtomValue(asOfAtom)
  const newest = useAtomValue(presentTxAtom)
  const chosen = useAtomValue(chosenTxAtom)
  const find = useSetAtom(resolveTimeAtom)
  const change = useChangeSearch()
  const first = useFirst()
  const [bound, setBound] = useState<Bound>(first?.bound ?? 'UNTIL')
  const [kind, setKind] = useState<Kind>(first?.at.kind ?? 'tx')
  const [id, setId] = useState(first?.at.kind === 'tx' ? first.at.id : chosen)
  const [time, setTime] = useState(first?.at.kind === 'time' ? first.at.text : presentTime())
  const [refusal, setRefusal] = useState<string>()
  const [isFinding, setFinding] = useState(false)
  const form = useId()
  const field = useRef<HTMLInputElement>(null)
  const moments = useAtomValue(ownMomentsAtom)
  const shown = moments.length > 0 ? [...kinds, named] : kinds
  const [pickedName, setPickedName] = useState<string>()
  const picked = moments.find(({ name }) => name === pickedName) ?? moments[0]
  const wantedTx = kind === 'name' ? (picked?.txId ?? '') : id
  const problem = kind === 'time' ? timeProblem(time) : txProblem(wantedTx, newest)
  const at: Moment['at'] =
    kind === 'time'
      ? { kind, text: writtenTime(time) ?? time }
      : { kind: 'tx', id: plain(wantedTx) }
  const moment: Moment = { bound, at }
  const go = (to: string | undefined) => {
    change({ at: to })
    onClose()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (problem !== undefined || isFinding) return
    const to = writePeriod(moment)
    if (kind !== 'time' || bound !== 'UNTIL') return go(to)
    setFinding(true)
    const found = await find(to).catch((error: unknown) => ({ problem: sentence(error) }))
    setFinding(false)
    if ('problem' in found) setRefusal(found.problem)
    else go(to)
  }
  return (
    <Dialog
      description={
        <>
          Query, Keys, Transactions and Compare show the database as it was then.{' '}
          <GuideLink to="time-console">More on time travel</GuideLink>
        </>
      }
      footer={
        <>
          {asOf.kind !== 'now' && (
            <span className="me-auto">
              <Button onClick={() => go(undefined)}>Back to now</Button>
            </span>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            busy={isFinding}
            disabledReason={problem}
            form={form}
            type="submit"
            variant="primary"
          >
            Apply
          </Button>
        </>
      }
      initialFocus={field}
      onClose={onClose}
      open
      title="As of"
      width="small"
    >
      <form className="grid gap-3" id={form} onSubmit={(event) => void submit(event)}>
        <div className={hasPeriods ? 'grid grid-cols-2 gap-3' : 'grid'}>
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
          <Select
            label={hasPeriods ? 'Relative to' : 'Moment'}
            labelled
            onChange={(value) => setKind(shown.find((one) => one.value === value)?.value ?? kind)}
            options={shown}
            value={kind}
            wide
          />
        </div>
        {kind === 'name' && picked && (
          <Select
            label="Named moment"
            labelled
            onChange={setPickedName}
            options={moments.map(({ name, txId }) => ({
              value: name,
              label: name,
              detail: `tx ${formatTx(txId)}`,
            }))}
            value={picked.name}
            wide
          />
        )}
        {kind === 'name' && problem !== undefined && <p className="text-error">{problem}</p>}
        {kind === 'tx' && (
          <Field
            error={problem}
            inputMode="numeric"
            label="Transaction"
            min={1}
            onChange={setId}
            ref={field}
            value={id}
          />
        )}
        {kind === 'time' && (
          <Field
            error={problem ?? refusal}
            hint="Such as 2026-11-21 09:00:00; transaction times are exact to the second."
            label="Time in UTC"
            mono
            onChange={(text) => {
              setRefusal(undefined)
              setTime(text)
            }}
            ref={field}
            value={time}
          />
        )}
      </form>
      {problem === undefined && (
        <p className="text-muted text-sm" role="status">
          Shows {momentText(moment)}.
          {at.kind === 'time' && (
            <>
              {' '}
              That is <Times text={at.text} />.
            </>
          )}
        </p>
      )}
    </Dialog>
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

/** The time as it is read, in UTC and by the user's clock. */
function Times({ text }: { text: string }) {
  const timezone = useAtomValue(timezoneAtom)
  return bothTimes(Date.parse(`${text.replace(' ', 'T')}Z`), timezone)
}

function presentTime(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ')
}

function plain(id: string): string {
  return /^\d+$/.test(id) ? String(BigInt(id)) : id
}

function timeProblem(time: string): string | undefined {
  return writtenTime(time) === null ? 'Write it as 2026-11-21 09:00:00.' : undefined
}
