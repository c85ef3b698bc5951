import { useSetAtom } from 'jotai'
import { type ReactNode, Suspense } from 'react'
import { closeEvidenceAtom, type OpenEvidence } from '~/atoms/trust/evidence'
import { leftWords } from '~/lib/evidence-words'
import { rungWordsOfAudit, rungWordsOfFile } from '~/lib/rung-words'
import type { Rechecked, Unchecked } from '~/proof/check-evidence'
import type { Judged } from '~/proof/verdict'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { ProofLadder } from '~/ui/proof/ProofLadder'
import { RefusalNote } from '~/ui/proof/RefusalNote'
import { SafeText } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { rungsOf } from '../../proof/rungs'
import { Claims } from './Claims'
import { OwnRecord } from './OwnRecord'
import { Verdict } from './Verdict'

const loadContent = () => import('../../proof/ProofContent').then((part) => part.ProofContent)

const ProofContent = fetchedLater(loadContent)

/** Fetches what is needed for any file, since nobody may answer any more when one comes. */
export function openContent(): void {
  loadContent().catch(() => {})
}

type Props = { of: Extract<OpenEvidence, { kind: 'checked' }> }

/** What a file of evidence shows and what it cannot; it is also what is printed. */
export function EvidenceReport({ of }: Props) {
  const { evidence, rechecked, own, name, isDescribed, judged } = of
  const { outcome, unchecked } = rechecked
  return (
    <article aria-labelledby="evidence-title" className="grid grid-cols-1 gap-5">
      <Head name={name} what={evidence.what} />
      <Verdict evidence={evidence} judged={judged} rechecked={rechecked} />
      {outcome.kind === 'refused' && (
        <RefusalNote
          expected={outcome.refusal.compared.expected ?? null}
          isOfFile
          part={outcome.refusal.part}
          reason={outcome.refusal.reason}
          received={outcome.refusal.compared.computed ?? null}
          step={outcome.refusal.step}
        />
      )}
      <OwnRecord evidence={evidence} own={own} />
      <Content of={of} />
      <Steps of={of} />
      <Block title="What could not be checked here">
        <ul className="grid list-disc gap-1.5 ps-5 marker:text-muted">
          {unchecked
            .filter((code) => !isDescribed || !descriptions.has(code))
            .map((code) => (
              <li key={code}>{leftWords(code)}</li>
            ))}
        </ul>
      </Block>
      <Block title="What the file says of itself">
        <Claims evidence={evidence} ownKey={of.key} />
      </Block>
    </article>
  )
}

function Head({ what, name }: { what: string; name: string }) {
  const close = useSetAtom(closeEvidenceAtom)
  return (
    <header className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1">
        <h2
          className="break-words font-medium text-lg [overflow-wrap:anywhere]"
          id="evidence-title"
        >
          Evidence: <SafeText text={what} />
        </h2>
        <p className="break-all text-muted text-sm">
          <SafeText text={name} />
        </p>
      </div>
      <div className="flex gap-2 print:hidden">
        <Button onClick={() => window.print()}>Print</Button>
        <Button onClick={() => close()}>Close</Button>
      </div>
    </header>
  )
}

function Content({ of: { evidence, rechecked, judged, isTooLong } }: Props) {
  const { outcome } = rechecked
  if (isTooLong) {
    return (
      <Block title="Content">
        <p>The content was checked whole. It is too long to be shown here; the file has it.</p>
      </Block>
    )
  }
  if (outcome.kind !== 'ok' || outcome.verified.facts === null) return null
  return (
    <Block title={isVouchedFor(judged) ? 'Proven content' : 'Content of the answer'}>
      <Suspense fallback={<Skeleton />}>
        <ProofContent facts={outcome.verified.facts} kind={evidence.kind} />
      </Suspense>
    </Block>
  )
}

function Steps({ of: { evidence, rechecked, judged } }: Props) {
  const steps = stepsOf(rechecked)
  if (steps.length === 0) return null
  return (
    <Block title="The proof, step by step">
      <p className="text-muted text-sm">Trusted state and signing key come from the file.</p>
      <ProofLadder
        isDoubted={judged.verdict !== 'verified'}
        rungs={rungsOf(evidence.kind)}
        steps={steps}
        words={evidence.kind === 'audit' ? rungWordsOfAudit : rungWordsOfFile}
      />
    </Block>
  )
}

/** Whether the content belongs to a history that this browser knows. */
function isVouchedFor({ verdict }: Judged): boolean {
  return verdict === 'verified' || verdict === 'verified-in-part'
}

/** What an audit in this browser can tell of a table or collection, unlike the file. */
const descriptions: ReadonlySet<Unchecked> = new Set<Unchecked>(['names', 'collection'])

function stepsOf({ outcome }: Rechecked) {
  if (outcome.kind === 'ok') return outcome.verified.steps
  return outcome.kind === 'refused' ? outcome.refusal.steps : []
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-2.5">
      <h3 className="font-medium print:break-after-avoid">{title}</h3>
      {children}
    </section>
  )
}
