import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense } from 'react'
import { technicalDetails } from '~/atoms/failure'
import { closeProofAtom, proofDrawerAtom } from '~/atoms/proof-drawer'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { fetchedLater } from '~/ui/fetched-later'

const ProofDrawer = fetchedLater(() =>
  import('~/screens/proof/ProofDrawer').then((module) => module.ProofDrawer),
)

/** The drawer with a proof, over whatever screen it was asked for on. */
export function Proofs() {
  const drawer = useAtomValue(proofDrawerAtom)
  if (!drawer) return null
  return (
    <Boundary
      fallback={(error, retry) => <Missing error={error} onRetry={retry} />}
      resetKey={drawer.what}
    >
      <Suspense fallback={null}>
        <ProofDrawer />
      </Suspense>
    </Boundary>
  )
}

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const close = useSetAtom(closeProofAtom)
  return (
    <Dialog
      footer={<Button onClick={close}>Close</Button>}
      onClose={close}
      open
      title="The proof could not be shown"
    >
      <ErrorNote
        details={technicalDetails(error)}
        notDone="A part of the console could not be fetched. Nothing was verified."
        onRetry={onRetry}
        title="The page is incomplete."
      />
    </Dialog>
  )
}
