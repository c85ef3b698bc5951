import type { ReactNode } from 'react'
import { beginning } from '~/lib/visible-text'
import { proofSteps } from '~/proof/kernel/steps'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { Hash } from '~/ui/Hash'
import { CloseIcon, TickIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { inputName, type StepWords, stepWords } from '~/words/proof-step'

/** One step as it was checked; hashes are hex digits. */
export type LadderStep = {
  name: string
  result: 'ok' | 'failed' | 'unchecked'
  inputs: Readonly<Record<string, string>>
  computed: string | null
  expected: string | null
}

type Standing = LadderStep['result'] | 'not-reached'

const standings: Record<Standing, { word: string; look: string; mark: ReactNode }> = {
  ok: { word: 'Holds', look: 'border-line text-muted', mark: <TickIcon /> },
  failed: { word: 'Does not hold', look: 'border-error text-error', mark: <CloseIcon /> },
  unchecked: { word: 'Not compared', look: 'border-line text-muted', mark: '–' },
  'not-reached': { word: 'Not reached', look: 'border-line border-dashed text-muted', mark: null },
}

/** For a step of a proof that holds as a whole and was compared with what is trusted. */
const verifiedLook = 'border-verified text-verified'

type Props = {
  steps: readonly LadderStep[]
  /** The steps of a proof that holds; those that are missing were not reached. */
  expected?: readonly string[]
  /** What the proof is linked to is itself in doubt, so that nothing here is verified. */
  isDoubted?: boolean
  /** What the steps are called and say; those of a file do not speak of this browser. */
  words?: (name: string) => StepWords
}

/** The steps of a proof from the content up, each with what went in and what came out. */
export function ProofLadder({ steps, expected = [], isDoubted = false, words = stepWords }: Props) {
  const hasFailed = steps.some(({ result }) => result === 'failed')
  const isLinked = steps.some(({ name, result }) => name === 'link' && result === 'ok')
  const names = proofSteps.filter(
    (name) => steps.some((step) => step.name === name) || (hasFailed && expected.includes(name)),
  )
  const others = steps.map(({ name }) => name).filter((name) => !proofSteps.some((n) => n === name))
  return (
    <ol aria-label="Proof" className="grid grid-cols-1">
      {[...names, ...others].map((name, index, all) => (
        <LadderStep
          isLast={index === all.length - 1}
          isVerified={isLinked && !hasFailed && !isDoubted}
          key={name}
          step={steps.find((step) => step.name === name)}
          words={words(name)}
        />
      ))}
    </ol>
  )
}

type LadderStepProps = {
  step: LadderStep | undefined
  isLast: boolean
  isVerified: boolean
  words: StepWords
}

function LadderStep({ step, isLast, isVerified, words }: LadderStepProps) {
  const standing: Standing = step?.result ?? 'not-reached'
  const { word, mark, look: plain } = standings[standing]
  const look = isVerified && standing === 'ok' ? verifiedLook : plain
  const { title, says, unchecked = says } = words
  return (
    <li className={cx('relative flex gap-3', !isLast && 'pb-4')}>
      {!isLast && <span className="absolute top-6 bottom-0 left-3 w-px bg-line" />}
      <span
        className={cx(
          'flex size-6 shrink-0 items-center justify-center rounded-full border bg-panel',
          look,
        )}
      >
        {mark}
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1 text-sm">
        <p className="flex flex-wrap items-center justify-between gap-x-3">
          <span className="font-medium text-base leading-6">{title}</span>
          <span className={cx('text-xs', look.split(' ').at(-1))}>{word}</span>
        </p>
        {(standing === 'ok' || standing === 'unchecked') && (
          <p className="text-muted">{standing === 'ok' ? says : unchecked}</p>
        )}
        {step && <Hashes step={step} title={title} />}
        {step && Object.keys(step.inputs).length > 0 && <RungInputs inputs={step.inputs} />}
      </div>
    </li>
  )
}

function Hashes({ step, title }: { step: LadderStep; title: string }) {
  const { computed, expected, result } = step
  if (computed === null && expected === null) return null
  return (
    <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-3 gap-y-6 xs:gap-y-0">
      {computed !== null && (
        <>
          <dt className="text-muted">Computed</dt>
          <dd>
            <Hash hash={computed} what={`computed hash, ${title}`} />
          </dd>
        </>
      )}
      {expected !== null && (
        <>
          <dt className="text-muted">Expected</dt>
          <dd className={result === 'failed' ? 'text-error' : undefined}>
            <Hash hash={expected} what={`expected hash, ${title}`} />
          </dd>
        </>
      )}
    </dl>
  )
}

/** Characters of an input that are shown, keys and signatures whole; so is always the copy. */
const shownLength = 160

/** What went into a step, hidden until asked for. */
function RungInputs({ inputs }: { inputs: Readonly<Record<string, string>> }) {
  return (
    <details>
      <summary className="w-max rounded-sm py-3 text-muted hover:text-text xs:py-0.5">
        Inputs
      </summary>
      {/* A hash and its button have 9.5rem on a phone; there the names break. */}
      <dl className="mt-1 grid grid-cols-[auto_minmax(9.5rem,1fr)] gap-x-3 gap-y-0.5 rounded border border-line bg-page px-2.5 py-1.5 text-xs">
        {Object.entries(inputs).map(([name, value]) => (
          <div className="col-span-2 grid grid-cols-subgrid" key={name}>
            <dt className="text-muted leading-5">{inputName(name)}</dt>
            <dd className="min-w-0 leading-5">{showValue(name, value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function showValue(name: string, value: string): ReactNode {
  if (value === '') return <span className="text-muted">none</span>
  if (name === 'terms') return <Terms hashes={value.split(' ')} />
  if (/^[0-9a-f]{64}$/.test(value)) return <Hash hash={value} what={inputName(name)} />
  if (value.length <= shownLength) {
    return (
      <code translate="no" className="font-mono [overflow-wrap:anywhere]">
        <SafeText text={value} value />
      </code>
    )
  }
  return (
    <span className="flex items-start gap-1">
      <code translate="no" className="min-w-0 font-mono [overflow-wrap:anywhere]">
        <SafeText text={`${beginning(value, shownLength)}…`} value />
      </code>
      <CopyButton size="tiny" text={value} what={inputName(name)} />
    </span>
  )
}

function Terms({ hashes }: { hashes: readonly string[] }) {
  return (
    <span className="flex items-start gap-1">
      <ol className="grid">
        {hashes.map((hash, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same hash may come twice.
          <li key={index}>
            <Hash copy={false} hash={hash} />
          </li>
        ))}
      </ol>
      <CopyButton size="tiny" text={hashes.join('\n')} what={inputName('terms')} />
    </span>
  )
}
