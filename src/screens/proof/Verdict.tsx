import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense, use, useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { formatTx, listOf } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import type { Tone } from '~/proof/verdict'
import { type Judged, toneOf } from '~/proof/verdict'
import { gapOf, labelOf, notesOf, objectVerdictAtom, olderThanSent } from '~/trust/object-verdict'
import { acceptSchema, type SchemaChange as Change, readSchemaChange } from '~/trust/pins'
import { repeatProof } from '~/trust/proof-drawer'
import { isOfOneTransaction, type Proof, type Verification } from '~/trust/verification'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { SafeName, SafeText } from '~/ui/SafeText'
import { oldTxWords } from '~/words/shown'
import { ProvenTx } from './ProvenTx'
import { RefusalNote } from './RefusalNote'
import { VerdictNote } from './VerdictNote'

/** What came of the check, in one look. */
export function Verdict({ proof }: { proof: Proof }) {
  const { verification, notes = [] } = proof
  const gap = gapOf(proof)
  const { outcome } = verification
  const judged = useAtomValue(objectVerdictAtom)(proof)
  const { cause } = judged
  const tone = toneOf(judged)
  if (outcome.kind === 'refused') return <Refusal verification={verification} />
  if (cause === 'different' || cause === 'outdated')
    return <Different judged={judged} proof={proof} tone={tone} />
  if (cause === 'broken') return <InBrokenHistory tone={tone} verification={verification} />
  if (cause === 'forgotten') return <OfForgotten of={verification} tone={tone} />
  if (cause === 'none') {
    return (
      <Note title="This cannot be proven" tone={tone}>
        <SafeText
          text={outcome.kind === 'unproven' ? outcome.why : 'The answer contains no proof.'}
        />
      </Note>
    )
  }
  const { title, says } = words.get(cause) ?? inPart
  return (
    <VerdictNote isLive title={title} tone={tone}>
      {says !== '' && <p>{says}</p>}
      {gap !== null && (
        <p>
          <SafeText text={`${capital(gap)}.`} />
        </p>
      )}
      <p className="text-muted">
        <Checked verification={verification} />
        <Notes of={[...notes, ...notesOf(verification)]} />
      </p>
    </VerdictNote>
  )
}

function Notes({ of }: { of: readonly string[] }) {
  return of.length > 0 && <SafeText text={of.map((note) => ` ${note}`).join('')} />
}

const inPart = { title: 'Verified in part', says: '' }

/** What is verified, and what holds in itself and was compared with nothing that was recorded. */
const words: ReadonlyMap<Judged['cause'], typeof inPart> = new Map([
  ['whole', { title: 'Verified in this browser', says: '' }],
  ['open', inPart],
  [
    'first',
    {
      title: 'First contact',
      says: 'Consistent in itself; nothing was known to compare it with.',
    },
  ],
  [
    'memory',
    {
      title: 'First contact',
      says: 'Consistent in itself. This browser keeps nothing for this page: it was compared only with what the server said since the page was opened.',
    },
  ],
  [
    'late',
    {
      title: 'Not checked',
      says: 'Consistent in itself. The storage of this browser had not answered, so it was not compared with earlier records. Verify it again.',
    },
  ],
])

/** A proof against a forgotten history says nothing about the one that is followed now. */
function OfForgotten({ of, tone }: { of: Verification; tone: Tone }) {
  return (
    <Note title="Of a history that was forgotten" tone={tone}>
      This proof is of a history that was forgotten since, or of another server. Verify it again.{' '}
      <Checked verification={of} />
    </Note>
  )
}

type DifferentProps = { proof: Proof; judged: Judged; tone: Tone }

/** What differs is listed below, with both values. */
function Different({ proof, judged, tone }: DifferentProps) {
  const { notes = [] } = proof
  const old = olderThanSent(judged)
  const parts = (judged.parts ?? []).filter(({ name }) => !(old && name === 'what was sent'))
  const names = listOf([...new Set(parts.map(labelOf))])
  // The name of a column or a field is written as it is.
  const isOwnName = parts[0]?.group !== 'object' && parts[0]?.label === undefined
  const { verification } = proof
  const isSent = verification.shown.sentAfter !== undefined
  const isOutdated = judged.cause === 'outdated'
  const why = isSent
    ? notAsSent
    : isOutdated
      ? writtenSince
      : isOfOneTransaction(verification)
        ? notAsShown
        : notAsReadBefore
  const title = isOutdated
    ? 'Written again since'
    : isSent
      ? 'Not what was sent'
      : 'Not what was shown'
  const says = [
    ...(parts.length > 0 ? [`${isOwnName ? names : capital(names)}: ${why}`] : []),
    ...(old ? [`${capital(oldTxWords(formatTx(old.named), formatTx(old.before)))}.`] : []),
    ...notes,
  ]
  return (
    <Note tone={tone} title={title}>
      <SafeText text={says.join(' ')} />
    </Note>
  )
}

const capital = (text: string) =>
  text.startsWith('immudb ') ? text : `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

const notAsShown =
  'the screen did not show what is stored. Both are listed below; save the evidence before you do anything else.'
const notAsReadBefore =
  'the proof is of other content than the screen showed. It was changed in the meantime, or the screen did not show what is stored. Read it again and compare.'
const writtenSince =
  'the newest revision is of a later transaction than what the screen shows. Read it again and verify that.'
const notAsSent =
  'what is stored is not what was sent. Both are listed below; save the evidence before you do anything else.'

type BrokenProps = { verification: Verification; tone: Tone }

/** What holds by itself is not called verified where something else does not. */
function InBrokenHistory({ verification, tone }: BrokenProps) {
  return (
    <Note title="This history is broken" tone={tone}>
      This proof holds, but something else in this history does not. Nothing counts as verified
      until the alarm ends. <Checked verification={verification} />
    </Note>
  )
}

function Refusal({ verification }: { verification: Verification }) {
  if (verification.outcome.kind !== 'refused') return null
  const { reason, step, part, compared } = verification.outcome.refusal
  return (
    <>
      <RefusalNote
        expected={compared.expected ?? null}
        part={part}
        reason={reason}
        received={compared.computed ?? null}
        step={step}
      />
      {reason === 'schema-changed' && <SchemaChange verification={verification} />}
    </>
  )
}

/** When it was checked, against what, and since when that is known. */
function Checked({ verification }: { verification: Verification }) {
  const { at, context, database, basis } = verification
  const zone = useAtomValue(timezoneAtom)
  const { cause } = useAtomValue(objectVerdictAtom)({ verification })
  const isOfNow = cause === 'whole' || cause === 'open'
  const contact = basis && basis !== 'example' && isOfNow ? basis.contact : null
  const trusted = context?.trusted
  return (
    <>
      Checked {formatMoment(at, zone)}
      {trusted && (
        <>
          {' '}
          against <ProvenTx id={trusted.txId} /> of <SafeName text={database} />
        </>
      )}
      .{contact && ` Followed since ${formatMoment(contact.at, zone)}.`}
    </>
  )
}

type NoteProps = { tone: Tone; title: string; children: ReactNode }

function Note({ tone, title, children }: NoteProps) {
  return (
    <VerdictNote isLive title={title} tone={tone}>
      <p>{children}</p>
    </VerdictNote>
  )
}

/** The pinned description of the table beside the one that the server gives now. */
function SchemaChange({ verification }: { verification: Verification }) {
  const compare = useAct(readSchemaChange)
  const [change] = useState(() => compare(verification))
  return (
    <Suspense>
      <Descriptions change={change} verification={verification} />
    </Suspense>
  )
}

type Props = { change: Promise<Change | null>; verification: Verification }

function Descriptions({ change: pending, verification }: Props) {
  const change = use(pending)
  const accept = useAct(acceptSchema)
  const repeat = useAct(repeatProof)
  const [isBusy, setBusy] = useState(false)
  const [why, setWhy] = useState<string | null>(null)
  if (!change) return null
  const take = async () => {
    setBusy(true)
    const refused = await accept(verification)
    setWhy(refused)
    if (refused === null) await repeat()
    setBusy(false)
  }
  return (
    <section aria-label="Description of the table" className="grid gap-2 text-sm">
      <div className="grid gap-3 xs:grid-cols-2">
        <Lines of={change.pinned} other={change.claimed} title="As recorded here" />
        <Lines of={change.claimed} other={change.pinned} title="As the server says now" />
      </div>
      <div>
        <Button busy={isBusy} onClick={() => void take()} size="small">
          Accept the new description
        </Button>
        {why && (
          <p className="mt-2 text-error" role="alert">
            {why}
          </p>
        )}
      </div>
    </section>
  )
}

type LinesProps = { title: string; of: readonly string[]; other: readonly string[] }

function Lines({ title, of, other }: LinesProps) {
  return (
    <div className="min-w-0">
      <h4 className="text-muted">{title}</h4>
      <ul className="grid gap-0.5 font-mono">
        {of.map((line) => (
          <li
            className={cx('break-words', !other.includes(line) && 'font-medium text-warning')}
            key={line}
          >
            <SafeText text={line} />
          </li>
        ))}
      </ul>
    </div>
  )
}
