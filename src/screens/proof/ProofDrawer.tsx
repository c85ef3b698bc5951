import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useAct } from '~/core/act'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { factsAlone } from '~/proof/shown'
import { describeProof } from '~/trust/audit/deep-audit'
import { writeEvidenceFile } from '~/trust/evidence-file'
import { isDescriptionOpen, knownOfObject, objectVerdictAtom } from '~/trust/object-verdict'
import { closeProof, proofDrawerAtom, repeatProof } from '~/trust/proof-drawer'
import type { Proof } from '~/trust/verification'
import { seenOfProofAtom } from '~/trust/witnesses'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { GuideLink } from '~/ui/GuideLink'
import { RefreshIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Sheet } from '~/ui/Sheet'
import { Skeleton } from '~/ui/Skeleton'
import { limitsOf } from '~/words/proof-step'
import { CodeButton } from '../code/CodeButton'
import { ProofContent } from './ProofContent'
import { ProofLadder } from './ProofLadder'
import { ProvenIn } from './ProvenTx'
import { callOfProof } from './proof-call'
import { ReadDescription } from './ReadDescription'
import { SeenByWitnesses } from './SeenByWitnesses'
import { stepsOfKind } from './steps-of-kind'
import { Unequal } from './Unequal'
import { Verdict } from './Verdict'
import { VerifyPageOffer } from './VerifyPageOffer'

/** The proof of one object beside the screen it was asked for on. */
export function ProofDrawer() {
  const drawer = useAtomValue(proofDrawerAtom)
  const close = useAct(closeProof)
  const repeat = useAct(repeatProof)
  if (!drawer) return null
  const { state, what, request } = drawer
  const again = request && (
    <Button
      busy={state.kind === 'asking'}
      icon={<RefreshIcon />}
      onClick={() => void repeat()}
      variant="quiet"
    >
      Verify again
    </Button>
  )
  return (
    <Sheet
      footer={
        <>
          {state.kind === 'here' && <SaveEvidence proofs={state.proofs} />}
          {state.kind === 'here' && state.proofs[0] && <ProofCode proof={state.proofs[0]} />}
          {again}
        </>
      }
      onClose={close}
      open
      side="right"
      title={
        <>
          Proof of <SafeText text={what} />
        </>
      }
    >
      <div className="grid grid-cols-1 gap-8 px-4 py-4">
        <SectionBoundary details={technicalDetails} what="The proof">
          {state.kind === 'asking' && <Skeleton label="Verifying" lines={6} />}
          {state.kind === 'failed' && (
            <ErrorNote
              details={state.details}
              notDone="Nothing was verified. This says nothing about what is stored."
              onRetry={() => void repeat()}
              title={state.text}
            />
          )}
          {state.kind === 'here' &&
            state.proofs.map((proof, index, { length }) => (
              <Numbered
                count={length}
                key={proof.verification.what}
                number={index + 1}
                proof={proof}
              />
            ))}
        </SectionBoundary>
      </div>
    </Sheet>
  )
}

type NumberedProps = { proof: Proof; number: number; count: number }

/** What is proven in two steps has two proofs, one below the other. */
function Numbered({ proof, number, count }: NumberedProps) {
  return (
    <section aria-label={proof.verification.what} className="grid grid-cols-1 gap-3">
      {count > 1 && (
        <h2 className="font-medium text-lg">
          {number}. <SafeText text={proof.verification.what} />
        </h2>
      )}
      <ProofBody hasLimits={number === count} proof={proof} />
    </section>
  )
}

/** The same verified read from a program, where SDKs have it. */
function ProofCode({ proof: { verification } }: { proof: Proof }) {
  const open = useAtomValue(databaseAtom)
  const { database, what } = verification
  // The code logs in to the open database.
  const call = database === open ? callOfProof(verification) : null
  return call && <CodeButton call={() => call} size="normal" what={what} />
}

function SaveEvidence({ proofs }: { proofs: readonly Proof[] }) {
  const write = useAct(writeEvidenceFile)
  return (
    <SaveButton
      details={technicalDetails}
      saved={<VerifyPageOffer />}
      text="Save evidence"
      write={() => Promise.all(proofs.map(({ verification }) => write(verification)))}
    />
  )
}

/** What a proof of this kind says and what it does not. */
export function ProofLimits({ kind }: { kind: string }) {
  const { proves, not } = limitsOf(kind)
  return (
    <div className="grid gap-2 text-sm">
      <h3 className="font-medium text-base">Proven</h3>
      <p>{proves}</p>
      <h3 className="mt-1 font-medium text-base">Not proven</h3>
      <ul className="grid list-disc gap-1 ps-5 marker:text-muted">
        {not.map((one, index) => (
          <li key={one}>
            {one}
            {index < not.length - 1 ? ';' : '.'}
          </li>
        ))}
      </ul>
      <p>
        <GuideLink to="verify-means">More in the guide</GuideLink>
      </p>
    </div>
  )
}

/** One check from its verdict to what it leaves open. */
function ProofBody({ proof, hasLimits }: { proof: Proof; hasLimits: boolean }) {
  const { verification } = proof
  const { outcome, kind } = verification
  const verdictOn = useAtomValue(objectVerdictAtom)
  // What a screen shows beside it changes nothing about what is proven.
  const { cause } = verdictOn({ verification: { ...verification, shown: factsAlone } })
  const isDoubted = cause !== 'whole' && cause !== 'open'
  const steps =
    outcome.kind === 'ok'
      ? outcome.verified.steps
      : outcome.kind === 'refused'
        ? outcome.refusal.steps
        : []
  const facts = outcome.kind === 'ok' ? outcome.verified.facts : null
  const close = useAct(closeProof)
  const describe = useAct(describeProof)
  const seen = useAtomValue(seenOfProofAtom)(verification)
  const canRepeat = useAtomValue(proofDrawerAtom)?.request
  const isUndescribed = canRepeat && cause === 'open' && isDescriptionOpen(knownOfObject(proof))
  // The recorded example belongs to no database of this server.
  const place =
    verification.basis === 'example' ? null : { database: verification.database, onLeave: close }
  // What an answer left out is not among what it proves.
  const limited = kind === 'tx' && facts && !('entries' in facts) ? 'header' : kind
  return (
    <div className="grid grid-cols-1 gap-5">
      <ProvenIn value={place}>
        <Verdict proof={proof} />
        {isUndescribed && <ReadDescription database={verification.database} read={describe} />}
        <Unequal isDoubted={isDoubted} of={proof} />
        <SeenByWitnesses of="transaction" onLeave={close} seen={seen} />
        {facts && (
          <ProofPart title={isDoubted ? 'Content of the answer' : 'What is proven'}>
            <ProofContent facts={facts} kind={kind} />
          </ProofPart>
        )}
      </ProvenIn>
      {steps.length > 0 && (
        <ProofPart title={isDoubted ? 'How it was checked' : 'How it is proven'}>
          <ProofLadder
            isDoubted={verdictOn(proof).verdict !== 'verified'}
            expected={stepsOfKind(kind)}
            steps={steps}
          />
        </ProofPart>
      )}
      {hasLimits && outcome.kind === 'ok' && !isDoubted && <ProofLimits kind={limited} />}
    </div>
  )
}

function ProofPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <h3 className="font-medium text-base">{title}</h3>
      {children}
    </section>
  )
}
