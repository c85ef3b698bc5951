import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { objectVerdictAtom } from '~/atoms/trust/object-verdict'
import type { Proof } from '~/atoms/trust/proof-drawer'
import { ProofLadder } from '~/ui/proof/ProofLadder'
import { ProofLimits } from '~/ui/proof/ProofLimits'
import { ProofContent } from './ProofContent'
import { rungsOf } from './rungs'
import { Verdict } from './Verdict'

/** One check from its verdict to what it leaves open. */
export function ProofBody({ proof, hasLimits }: { proof: Proof; hasLimits: boolean }) {
  const { verification, compared } = proof
  const { outcome, kind } = verification
  const verdictOn = useAtomValue(objectVerdictAtom)
  const { cause } = verdictOn({ verification })
  const isDoubted = cause !== 'whole' && cause !== 'open'
  const steps =
    outcome.kind === 'ok'
      ? outcome.verified.steps
      : outcome.kind === 'refused'
        ? outcome.refusal.steps
        : []
  const facts = outcome.kind === 'ok' ? outcome.verified.facts : null
  // What an answer left out is not among what it proves.
  const limited = kind === 'tx' && facts && !('entries' in facts) ? 'header' : kind
  return (
    <div className="grid grid-cols-1 gap-5">
      <Verdict proof={proof} />
      {facts && (
        <Part title={isDoubted ? 'Content of the answer' : 'What is proven'}>
          <ProofContent compared={compared} facts={facts} kind={kind} />
        </Part>
      )}
      {steps.length > 0 && (
        <Part title={isDoubted ? 'How it was checked' : 'How it is proven'}>
          <ProofLadder
            isDoubted={verdictOn(proof).verdict !== 'verified'}
            rungs={rungsOf(kind)}
            steps={steps}
          />
        </Part>
      )}
      {hasLimits && outcome.kind === 'ok' && !isDoubted && <ProofLimits kind={limited} />}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <h3 className="font-medium text-base">{title}</h3>
      {children}
    </section>
  )
}
