import { useAtomValue } from 'jotai'
import { type FormEvent, useRef, useState } from 'react'
import { beforeFirst, type Resolved, typedMoment } from '~/atoms/compare/moments'
import { ownMomentsAtom } from '~/atoms/moments/moments'
import { timezoneAtom } from '~/core/page-view'
import { databaseAtom } from '~/core/session/session'
import { momentForms } from '~/immudb/moment'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { ChevronDownIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Menu, type MenuEntry } from '~/ui/Menu'
import { TxLink } from '~/ui/TxLink'
import { useOneColumn } from '~/ui/use-narrow'
import { useNaming } from '../moments/use-naming'

/** The state of a moment: being looked up, known, or a sentence why there is none. */
export type Looked = {
  /** As an address has it. */
  text: string
  found: Resolved | null
  problem: unknown
}

type Props = {
  from: Looked
  to: Looked
  /** What the last visit saw; null when that is not known. */
  lastVisit: string | null
  /** Nothing has to be chosen: the two can be compared, or are being looked up. */
  isSettled: boolean
  onChange: (change: { from?: string; to?: string | undefined; at?: undefined }) => void
  /** Takes the newest transaction as the end. */
  onNow: () => void
}

/**
 * Chooses the two moments. On a phone they fold to a line while their comparison is shown, because
 * the form would take half of the screen.
 */
export function Moments(props: Props) {
  const { from, to, isSettled, onChange } = props
  const isOneColumn = useOneColumn()
  const [isEdited, setEdited] = useState(false)
  // What was pressed is gone with its part, so the focus moves to the part that replaces it.
  const isSwitched = useRef(false)
  const takeFocus = (element: HTMLElement | null) => {
    if (!isSwitched.current || !element) return
    isSwitched.current = false
    element.focus()
  }
  const edit = (isNow: boolean) => {
    isSwitched.current = isOneColumn
    setEdited(isNow)
  }
  if (isOneColumn && isSettled && !isEdited) {
    return (
      <p className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 text-sm">
        <span className="min-w-0 flex-1">
          From <Named looked={from} /> to <Named looked={to} />
        </span>
        <Button aria-label="Edit the moments" onClick={() => edit(true)} ref={takeFocus}>
          Edit
        </Button>
      </p>
    )
  }
  const change: Props['onChange'] = (to) => {
    edit(false)
    onChange(to)
  }
  return <Form {...props} fieldRef={takeFocus} onChange={change} />
}

/** A moment within a sentence. */
function Named({ looked: { found } }: { looked: Looked }) {
  const database = useAtomValue(databaseAtom) ?? ''
  if (!found) return '…'
  if (found.tx === '0') return 'the empty database'
  return (
    <>
      {found.isAbout && 'about '}
      <TxLink database={database} id={found.tx} />
    </>
  )
}

type FormProps = Props & { fieldRef: (field: HTMLInputElement | null) => void }

/** What was typed is read when it is sent. */
function Form({ from, to, lastVisit, onChange, onNow, fieldRef }: FormProps) {
  const [typed, setTyped] = useState<{ from?: string; to?: string }>({})
  const [problems, setProblems] = useState<{ from?: string; to?: string }>({})
  const choose = (change: Parameters<typeof onChange>[0]) => {
    setTyped({})
    setProblems({})
    onChange({ ...change, ...('to' in change ? { at: undefined } : {}) })
  }
  const zone = useAtomValue(timezoneAtom)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = (name: 'from' | 'to') =>
      typed[name] === undefined ? undefined : typedMoment(typed[name], zone)
    const [first, second] = [read('from'), read('to')]
    setProblems({
      ...(first === null ? { from: momentForms } : {}),
      ...(second === null ? { to: momentForms } : {}),
    })
    if (first === null || second === null) return
    choose({ ...(first ? { from: first } : {}), ...(second ? { to: second } : {}) })
  }
  const own = useAtomValue(ownMomentsAtom)
  const known = (pick: (moment: string) => void): MenuEntry[] =>
    [
      ...(lastVisit === null
        ? []
        : [{ name: 'Your last visit', txId: lastVisit, isImported: false }]),
      ...own,
    ].map(({ name, txId, isImported }) => {
      const mark = isImported ? ', from a file, not checked' : ''
      return entry(name, `tx ${formatTx(txId)}${mark}`, () => pick(`tx:${txId}`))
    })
  const naming = useNaming()
  const nameOf = ({ found }: Looked): MenuEntry[] =>
    found && found.tx !== '0'
      ? [entry(`Name tx ${formatTx(found.tx)}…`, undefined, () => naming.open(found.tx))]
      : []
  const fromEntries: MenuEntry[] = [
    ...known((moment) => choose({ from: moment })),
    entry('Before the first transaction', undefined, () => choose({ from: beforeFirst })),
    ...nameOf(from),
  ]
  const toEntries: MenuEntry[] = [
    entry('Now', undefined, () => {
      onNow()
      choose({ to: undefined })
    }),
    ...known((moment) => choose({ to: moment })),
    ...nameOf(to),
  ]
  return (
    <>
      {naming.dialog}
      <form
        aria-label="Moments"
        className="grid shrink-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 px-4 pt-3 pb-2 xs:grid-cols-[minmax(0,280px)_auto_minmax(0,280px)_auto] xs:justify-start"
        onSubmit={submit}
      >
        <End
          entries={fromEntries}
          fieldRef={fieldRef}
          label="From"
          looked={from}
          onType={(text) => setTyped({ ...typed, from: text })}
          problem={problems.from}
          typed={typed.from}
        />
        <span className="pt-6">
          <Button
            onClick={() => choose({ from: to.text, to: from.text })}
            title="Swap the two moments"
            variant="quiet"
          >
            Swap
          </Button>
        </span>
        <End
          entries={toEntries}
          label="To"
          looked={to}
          onType={(text) => setTyped({ ...typed, to: text })}
          problem={problems.to}
          typed={typed.to}
        />
        <span className="pt-6">
          <Button type="submit" variant="primary">
            Compare
          </Button>
        </span>
      </form>
    </>
  )
}

function entry(label: string, detail: string | undefined, onSelect: () => void): MenuEntry {
  return { kind: 'action', label, onSelect, ...(detail === undefined ? {} : { detail }) }
}

type EndProps = {
  label: 'From' | 'To'
  looked: Looked
  typed: string | undefined
  problem: string | undefined
  entries: readonly MenuEntry[]
  onType: (text: string) => void
  fieldRef?: (field: HTMLInputElement | null) => void
}

function End({ label, looked, typed, problem, entries, onType, fieldRef }: EndProps) {
  return (
    <div className="flex min-w-0 items-start gap-1">
      <div className="min-w-0 flex-1">
        <Field
          autoComplete="off"
          error={problem}
          hint={looked.found ? <Stands found={looked.found} /> : undefined}
          label={label}
          mono
          onChange={onType}
          placeholder="42 or 2026-11-21 09:00"
          ref={fieldRef}
          spellCheck={false}
          value={typed ?? written(looked.text)}
        />
      </div>
      <span className="pt-6">
        <Menu
          entries={entries}
          label={`${label}: moments`}
          trigger={<IconButton icon={<ChevronDownIcon />} label={`${label}: choose a moment`} />}
        />
      </span>
    </div>
  )
}

/** A moment as someone types it: `42`, or a time with its zone. */
function written(text: string): string {
  return text.startsWith('tx:') ? text.slice(3) : text.replace('T', ' ').replace(/Z$/, ' UTC')
}

/** The transaction that a moment stands for, and when it was committed. */
function Stands({ found: { tx, ts, isAbout } }: { found: Resolved }) {
  const database = useAtomValue(databaseAtom) ?? ''
  const zone = useAtomValue(timezoneAtom)
  if (tx === '0') return 'the empty database, before the first transaction'
  return (
    <>
      {isAbout && 'about '}
      <TxLink database={database} id={tx} />
      {ts !== null && ` · ${formatMoment(Number(ts) * 1_000, zone)}`}
      {isAbout && ' The clock of the server stepped back here.'}
    </>
  )
}
