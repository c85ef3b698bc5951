import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { hexOf } from '~/lib/bytes'
import { mostParts } from '~/lib/constants'
import { formatTx } from '~/lib/text'
import { textParts } from '~/lib/text-parts'
import { formatMoment } from '~/lib/time'
import { cutText } from '~/lib/visible-text'
import type { EvidenceFile, Rechecked, Unchecked } from '~/proof/check-evidence'
import { fingerprintOf } from '~/proof/public-key'
import { type Judged, toneOf } from '~/proof/verdict'
import { closeEvidence, isApart, type OpenEvidence } from '~/trust/evidence'
import { isAnswered } from '~/trust/recorded-state'
import { Button } from '~/ui/Button'
import { FactLine } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { LongText } from '~/ui/LongText'
import { SafeName, SafeText } from '~/ui/SafeText'
import { evidenceWords, forkKeysOf, forkWords, leftWords, ownKeyWords } from '~/words/evidence'
import { evidenceTitle, type TitlePart } from '~/words/evidence-title'
import { stepWordsOfAudit, stepWordsOfFile, stepWordsOfFork } from '~/words/proof-step'
import { ProofContent } from '../../proof/ProofContent'
import { ProofLadder } from '../../proof/ProofLadder'
import { RefusalNote } from '../../proof/RefusalNote'
import { stepsOfKind } from '../../proof/steps-of-kind'
import { VerdictNote } from '../../proof/VerdictNote'
import { ForkSides } from './ForkSides'
import { OwnRecord } from './OwnRecord'

type Props = { of: Extract<OpenEvidence, { kind: 'checked' }> }

/** What a file of evidence shows and what it cannot; it is also what is printed. */
export function EvidenceReport({ of }: Props) {
  const { evidence, rechecked, own, name, isDescribed, isGiven } = of
  const { outcome, unchecked } = rechecked
  return (
    <article aria-labelledby="evidence-title" className="grid grid-cols-1 gap-5">
      <Head name={name} title={titleOf(of)} />
      <Verdict of={of} />
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
      {of.fork ? (
        <ForkSides isGiven={isGiven} rechecked={rechecked} sides={of.fork} />
      ) : (
        <>
          <OwnRecord evidence={evidence} isGiven={isGiven} own={own} />
          <Content of={of} />
        </>
      )}
      <Steps of={of} />
      <Block title="What could not be checked here">
        <ul className="grid list-disc gap-1.5 ps-5 marker:text-muted">
          {unchecked
            .filter((code) => !isDescribed || !descriptions.has(code))
            .filter((code) => !isGiven || !isAnswered(code, own, of.key))
            .map((code) => (
              <li key={code}>{leftWords(code)}</li>
            ))}
        </ul>
      </Block>
      <Block title="What the file says of itself">
        <Claims of={of} />
      </Block>
    </article>
  )
}

/** Made of what is proven. What the file calls itself stands below, as its own words. */
function titleOf({ evidence, rechecked, subject, isDescribed }: Props['of']) {
  const { outcome, described } = rechecked
  const name = described?.kind === 'table' ? described.schema.table : described?.name
  return evidenceTitle(subject, {
    kind: evidence.kind,
    isRefused: outcome.kind === 'refused',
    container: (isDescribed && name) || null,
  })
}

/** Characters of the name of a file, and of what it calls itself. */
const longestName = 200

function Head({ title, name }: { title: readonly TitlePart[]; name: string }) {
  const close = useAct(closeEvidence)
  return (
    <header className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1">
        <h2 className="font-medium text-lg [overflow-wrap:anywhere]" id="evidence-title">
          Evidence:{' '}
          {title.map((part, at) =>
            typeof part === 'string' ? (
              part
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity beyond their place.
              <code translate="no" className="font-mono" key={at}>
                <SafeName text={part.name} />
              </code>
            ),
          )}
        </h2>
      </div>
      <div className="flex gap-2 print:hidden">
        <Button onClick={() => window.print()}>Print</Button>
        <Button onClick={() => close()}>Close</Button>
      </div>
      <p className="w-full break-all text-muted text-sm">
        Name of the file: <SafeText text={cutText(name, longestName)} />
      </p>
    </header>
  )
}

function Content({ of: { evidence, rechecked, judged, isTooLong } }: Props) {
  const { outcome } = rechecked
  if (isTooLong) {
    return (
      <Block title="Content">
        <p>All of the content was checked. It is too long to be shown here; the file has it.</p>
      </Block>
    )
  }
  if (outcome.kind !== 'ok' || outcome.verified.facts === null) return null
  return (
    <Block title={isVouchedFor(judged) ? 'Proven content' : 'Content of the answer'}>
      <ProofContent facts={outcome.verified.facts} kind={evidence.kind} />
    </Block>
  )
}

function Steps({ of: { evidence, rechecked, judged, isGiven } }: Props) {
  // Someone who knows nothing of the server looks for the verdict first, and prints that.
  const [isOpen, setOpen] = useState(!isGiven)
  const steps = stepsOf(rechecked)
  if (steps.length === 0) return null
  if (!isOpen) {
    return (
      <div className="print:hidden">
        <Button aria-expanded={false} onClick={() => setOpen(true)}>
          Show the proof, step by step
        </Button>
      </div>
    )
  }
  return (
    <Block title="The proof, step by step">
      <p className="text-muted text-sm">Trusted state and signing key come from the file.</p>
      <ProofLadder
        isDoubted={judged.verdict !== 'verified'}
        expected={stepsOfKind(evidence.kind)}
        steps={steps}
        words={stepWords.get(evidence.kind) ?? stepWordsOfFile}
      />
    </Block>
  )
}

const stepWords: ReadonlyMap<string, typeof stepWordsOfFile> = new Map([
  ['audit', stepWordsOfAudit],
  ['fork', stepWordsOfFork],
])

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

/** The result of verifying a file again, at a glance. */
function Verdict({ of: { evidence, rechecked, judged, fork, isGiven, witnesses, forged } }: Props) {
  const [first, second] = fork ?? []
  const { title, text } =
    first && second
      ? forkWords(judged.cause, forkKeysOf([first.party.key, second.party.key]), {
          isApart: isApart(rechecked),
          isGiven,
        })
      : evidenceWords(judged.cause, isGiven)
  return (
    <VerdictNote isLarge isLive title={title} tone={toneOf(judged)}>
      <p>{text}</p>
      {judged.cause === 'altered' && <p>{difference(evidence, rechecked)}</p>}
      {witnesses.length > 0 && (
        <p>
          The state is on a checkpoint signed by{' '}
          {witnesses.map((name, at) => (
            <span key={name}>
              {at > 0 && ', '}
              <SafeName text={name} />
            </span>
          ))}
          .
        </p>
      )}
      {forged.map(({ txId, by }) => (
        <p key={`${txId} ${by}`}>
          The checkpoint of tx {formatTx(txId)} was not used: its signature by{' '}
          <SafeText text={by} /> is wrong.
        </p>
      ))}
    </VerdictNote>
  )
}

/** What the file says, and what was found. */
function difference({ outcome: before }: EvidenceFile, { outcome: now }: Rechecked): string {
  const said = {
    ok: 'that the proof holds',
    refused: 'that the proof was refused',
    unproven: 'that nothing was proven',
  }[before.verdict]
  const found = {
    ok: 'the proof of the content below holds',
    refused: 'the proof is refused, as follows',
    unproven: 'there is no proof in it',
  }[now.kind]
  return `The file says ${said}. This browser finds: ${found}.`
}

/** What surrounds the proof in the file; none of it can be verified. */
function Claims({ of: { evidence, key, isGiven } }: Props) {
  const { context, server, console: build, firstContact, checkedAt, report } = evidence
  const timezone = useAtomValue(timezoneAtom)
  const time = (at: string) => formatMoment(Date.parse(at), timezone)
  return (
    <dl className="grid grid-cols-1 gap-1.5">
      <FactLine name="Calls itself">
        “<SafeText text={cutText(evidence.what, longestName)} />”
      </FactLine>
      <FactLine name="Checked first">{time(checkedAt)}</FactLine>
      <FactLine name="Database">
        <SafeName text={context.db} />
      </FactLine>
      <FactLine name="Server">
        <SafeText text={server.uuid ?? 'did not say its name'} /> at{' '}
        <SafeText text={server.origin} />
      </FactLine>
      <FactLine name="Trusted state">
        {context.trusted ? (
          <>
            tx <SafeText text={formatTx(context.trusted.txId)} />{' '}
            <Hash hash={hexOf(context.trusted.txHash)} what="hash of the trusted state" />
          </>
        ) : (
          'none'
        )}
      </FactLine>
      <FactLine name="First contact">
        {firstContact ? (
          <>
            {time(firstContact.at)}, at tx <SafeText text={formatTx(firstContact.txId)} />
          </>
        ) : (
          'not recorded'
        )}
      </FactLine>
      <FactLine name="Signing key">
        {context.publicKey === null ? (
          'none was pinned'
        ) : (
          <>
            fingerprint{' '}
            <Hash hash={fingerprintOf(context.publicKey)} what="fingerprint of the key" />
          </>
        )}
        <span className="block text-muted text-sm">{ownKeyWords(key, isGiven)}</span>
      </FactLine>
      <FactLine name="Console">
        <SafeText text={`webconsole ${build.version}, build ${build.commit}, ${build.bundle}`} />
      </FactLine>
      {report !== null && (
        <div>
          <dt className="text-muted">Report</dt>
          <dd>
            <pre
              translate="no"
              className="mt-1 overflow-auto rounded border border-line bg-panel px-3 py-2 font-mono text-xs"
            >
              <LongText parts={textParts(report, mostParts)} />
            </pre>
          </dd>
        </div>
      )}
    </dl>
  )
}
