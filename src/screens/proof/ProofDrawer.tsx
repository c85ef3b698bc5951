import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense } from 'react'
import { technicalDetails } from '~/atoms/failure'
import { evidenceFileAtom } from '~/atoms/trust/evidence-file'
import {
  closeProofAtom,
  type Proof,
  proofDrawerAtom,
  repeatProofAtom,
} from '~/atoms/trust/proof-drawer'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { fetchedLater } from '~/ui/fetched-later'
import { RefreshIcon } from '~/ui/Icon'
import { Part } from '~/ui/Part'
import { SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { Skeleton } from '~/ui/Skeleton'
import { ProofBody } from './ProofBody'

const Sheet = fetchedLater(() => import('~/ui/Sheet').then((module) => module.Sheet))

/** The proof of one object beside the screen it was asked for on. */
export function ProofDrawer() {
  const drawer = useAtomValue(proofDrawerAtom)
  const close = useSetAtom(closeProofAtom)
  const repeat = useSetAtom(repeatProofAtom)
  if (!drawer) return null
  const { state, what, question } = drawer
  const again = question && (
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
        <Part details={technicalDetails} what="The proof">
          <Suspense fallback={<Skeleton />}>
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
          </Suspense>
        </Part>
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

function SaveEvidence({ proofs }: { proofs: readonly Proof[] }) {
  const write = useSetAtom(evidenceFileAtom)
  return (
    <SaveButton
      details={technicalDetails}
      text="Save evidence"
      write={() => Promise.all(proofs.map(({ verification }) => write(verification)))}
    />
  )
}
