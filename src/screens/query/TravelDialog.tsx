import { useSetAtom } from 'jotai'
import { type FormEvent, useId, useRef, useState } from 'react'
import { chooseMomentAtom } from '~/atoms/history/state'
import { writtenTime } from '~/lib/time'
import { type Bound, type Moment, txProblem } from '~/sql/time-travel'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { GuideLink } from '~/ui/GuideLink'
import { Select } from '~/ui/Select'
import { momentText } from './moment-text'

const bounds: readonly { value: Bound; label: string; detail: string }[] = [
  { value: 'UNTIL', label: 'Until', detail: 'As it was right after it' },
  { value: 'BEFORE', label: 'Before', detail: 'As it was right before it' },
  { value: 'SINCE', label: 'Since', detail: 'Only rows last written in it or later' },
  { value: 'AFTER', label: 'After', detail: 'Only rows last written later' },
]

const kinds = [
  { value: 'tx', label: 'Transaction' },
  { value: 'time', label: 'Time (UTC)' },
]

type Props = { first: Moment | null; newest: string; onClose: () => void }

/** Any moment of the database: a transaction or a time, and which side of it. */
export function TravelDialog({ first, newest, onClose }: Props) {
  const choose = useSetAtom(chooseMomentAtom)
  const [bound, setBound] = useState<Bound>(first?.bound ?? 'UNTIL')
  const [kind, setKind] = useState(first?.at.kind ?? 'tx')
  const [id, setId] = useState(first?.at.kind === 'tx' ? first.at.id : newest)
  const [time, setTime] = useState(first?.at.kind === 'time' ? first.at.text : now())
  const form = useId()
  const field = useRef<HTMLInputElement>(null)
  const problem = kind === 'tx' ? txProblem(id, newest) : timeProblem(time)
  const at = kind === 'tx' ? { kind, id: plain(id) } : { kind, text: writtenTime(time) ?? time }
  const moment: Moment = { bound, at }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem !== undefined) return
    choose(moment)
    onClose()
  }
  return (
    <Dialog
      description={
        <>
          Each table of a query is read at this moment. Views and catalogues cannot be.{' '}
          <GuideLink to="time-console">More on time travel</GuideLink>
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button disabledReason={problem} form={form} type="submit" variant="primary">
            Apply
          </Button>
        </>
      }
      initialFocus={field}
      onClose={onClose}
      open
      title="Another moment"
      width="small"
    >
      <form className="grid gap-3" id={form} onSubmit={submit}>
        <div className="grid grid-cols-2 gap-3">
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
          <Select
            label="Relative to"
            labelled
            onChange={(value) => setKind(value === 'time' ? 'time' : 'tx')}
            options={kinds}
            value={kind}
            wide
          />
        </div>
        {kind === 'tx' ? (
          <Field
            error={txProblem(id, newest)}
            inputMode="numeric"
            label="Transaction"
            min={1}
            onChange={setId}
            ref={field}
            value={id}
          />
        ) : (
          <Field
            error={timeProblem(time)}
            hint="Such as 2026-11-21 09:00:00; transaction times are exact to the second."
            label="Time in UTC"
            mono
            onChange={setTime}
            ref={field}
            value={time}
          />
        )}
      </form>
      {problem === undefined && (
        <p className="text-muted text-sm" role="status">
          Shows {momentText(moment)}.
        </p>
      )}
    </Dialog>
  )
}

function now(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' ')
}

function plain(id: string): string {
  return /^\d+$/.test(id) ? String(BigInt(id)) : id
}

function timeProblem(time: string): string | undefined {
  return writtenTime(time) === null ? 'Write it as 2026-11-21 09:00:00.' : undefined
}
