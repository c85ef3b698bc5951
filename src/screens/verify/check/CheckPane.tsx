import { useAtomValue } from 'jotai'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { databaseAtom } from '~/core/session/session'
import { refusalOfDocument, refusalOfTx, txOf } from '~/immudb/object-address'
import { pathTo } from '~/lib/paths'
import { messages } from '~/lib/shared-sentences'
import { formatClock } from '~/lib/time'
import { type Judged, toneOf } from '~/proof/verdict'
import { objectVerdictAtom } from '~/trust/object-verdict'
import { checkById, checksAtom, openProofDrawer } from '~/trust/proof-drawer'
import type { Proof } from '~/trust/verification'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { Field } from '~/ui/Field'
import { DatabaseIcon } from '~/ui/Icon'
import { useNavigate, useSearchParam } from '~/ui/location'
import { SafeName, SafeText } from '~/ui/SafeText'

/** Verifies an object by its number or its id. */
export function CheckPane() {
  const database = useAtomValue(databaseAtom)
  if (database === null) {
    return (
      <EmptyState
        icon={<DatabaseIcon />}
        text="Transactions and documents belong to a database. Choose one at the top."
        title="No database is open"
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="max-w-[680px] text-muted">
        One object of <SafeName text={database} />. Rows are verified on Query, keys on Keys.
      </p>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <TransactionForm />
        <DocumentForm />
      </div>
      <CheckedList />
    </div>
  )
}

/** A transaction by its number; an address that names one fills the field and does no more. */
function TransactionForm() {
  const [linked = ''] = useSearchParam('tx')
  const [document] = useSearchParam('doc')
  const [text, setText] = useState(document === undefined ? linked : '')
  const [error, setError] = useState<string>()
  const check = useAct(checkById)
  const toAddress = useAddress()
  const submit = () => {
    const refusal = refusalOfTx(text)
    setError(refusal)
    if (refusal !== undefined) return
    toAddress({ tx: txOf(text) })
    void check({ kind: 'tx', tx: txOf(text) })
  }
  return (
    <FormCard onSubmit={submit} title="A transaction">
      <Field
        autoComplete="off"
        error={error}
        hint="Header and all entries."
        inputMode="numeric"
        label="Number"
        mono
        onChange={(next) => {
          setText(next)
          setError(undefined)
        }}
        value={text}
      />
    </FormCard>
  )
}

/** A revision of a document; an address that names one fills the fields and does no more. */
function DocumentForm() {
  const [linkedCollection] = useSearchParam('collection')
  const [linkedId] = useSearchParam('doc')
  const [collection, setCollection] = useState(linkedCollection ?? '')
  const [id, setId] = useState(linkedId ?? '')
  const [linkedTx = ''] = useSearchParam('tx')
  const [tx, setTx] = useState(linkedId === undefined ? '' : linkedTx)
  const [isChecked, setChecked] = useState(false)
  const check = useAct(checkById)
  const toAddress = useAddress()
  const errors = {
    collection: collection.trim() === '' ? messages.required : undefined,
    id: refusalOfDocument(id),
    tx: tx.trim() === '' ? undefined : refusalOfTx(tx),
  }
  const submit = () => {
    const isRight = Object.values(errors).every((error) => error === undefined)
    setChecked(!isRight)
    if (!isRight) return
    const wanted = { collection: collection.trim(), id: id.trim().toLowerCase() }
    const written = tx.trim() === '' ? null : txOf(tx)
    const { collection: name, id: doc } = wanted
    toAddress({ collection: name, doc, ...(written && { tx: written }) })
    void check({ kind: 'document', ...wanted, tx: written ?? '0' })
  }
  const shown = (error: string | undefined) => (isChecked ? error : undefined)
  return (
    <FormCard onSubmit={submit} title="A document">
      <Field
        autoComplete="off"
        error={shown(errors.collection)}
        label="Collection"
        onChange={setCollection}
        value={collection}
      />
      <Field
        autoComplete="off"
        error={shown(errors.id)}
        label="Document id"
        mono
        onChange={setId}
        value={id}
      />
      <Field
        autoComplete="off"
        error={shown(errors.tx)}
        hint="Empty for the newest revision."
        inputMode="numeric"
        label="Written in transaction"
        mono
        onChange={setTx}
        value={tx}
      />
    </FormCard>
  )
}

/** What was checked here since the page was opened. */
export function CheckedList() {
  const checks = useAtomValue(checksAtom)
  if (checks.length === 0) return null
  return (
    <section aria-labelledby="checked" className="grid grid-cols-1 gap-2">
      <h2 className="font-medium" id="checked">
        Checked here
      </h2>
      <ul className="rounded border border-line bg-panel">
        {checks.map((proof) => (
          <Line key={`${proof.verification.at} ${proof.verification.what}`} of={proof} />
        ))}
      </ul>
    </section>
  )
}

function Line({ of }: { of: Proof }) {
  const timezone = useAtomValue(timezoneAtom)
  const open = useAct(openProofDrawer)
  const { what, database, at } = of.verification
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-1.5 first:border-t-0">
      <Outcome of={of} />
      <span className="min-w-0 flex-1 break-words">
        <SafeText text={what} /> <span className="text-muted">of</span> <SafeName text={database} />
      </span>
      <span className="text-muted text-sm">{formatClock(at, timezone)}</span>
      <Button
        aria-label={`Show the proof of ${what}`}
        onClick={() => void open(of)}
        size="small"
        variant="quiet"
      >
        Show
      </Button>
    </li>
  )
}

function Outcome({ of }: { of: Proof }) {
  const judged = useAtomValue(objectVerdictAtom)(of)
  const tone = toneOf(judged)
  return <Badge tone={tone}>{outcomes.get(judged.cause) ?? 'Not checked'}</Badge>
}

const outcomes: ReadonlyMap<Judged['cause'], string> = new Map([
  ['whole', 'Verified'],
  ['open', 'In part'],
  ['refused', 'Refused'],
  ['redescribed', 'Described differently'],
  ['none', 'Not provable'],
  ['broken', 'History is broken'],
  ['different', 'Not as shown'],
  ['forgotten', 'Forgotten history'],
  ['first', 'First contact'],
  ['memory', 'First contact'],
])

/** What is to be checked, as an address names it. */
type Named = { tx?: string; collection?: string; doc?: string }

/** Puts what is checked into the address, which then can be passed on, and nothing else. */
function useAddress(): (named: Named) => void {
  const database = useAtomValue(databaseAtom)
  const navigate = useNavigate()
  return (named) =>
    navigate(pathTo('verify', { ...(database && { db: database }), tab: 'check', ...named }), {
      replace: true,
    })
}

type Props = { title: string; children: ReactNode; onSubmit: () => void }

/** Fields and the button that verifies what they name. */
function FormCard({ title, children, onSubmit }: Props) {
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form
      aria-labelledby={id}
      className="grid grid-cols-1 gap-1 rounded border border-line bg-panel px-4 py-3"
      noValidate
      onSubmit={submit}
    >
      <h2 className="mb-1 font-medium" id={id}>
        {title}
      </h2>
      {children}
      <div>
        <Button type="submit" variant="primary">
          Verify
        </Button>
      </div>
    </form>
  )
}
