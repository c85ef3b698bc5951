import { useAtomValue } from 'jotai'
import { useAct } from '~/core/act'
import { technicalDetails } from '~/core/session/failure-words'
import { closeProof, proofDrawerAtom } from '~/trust/proof-drawer'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { lazyWithRetry } from '~/ui/lazy-with-retry'

const ProofDrawer = lazyWithRetry(
  () => import('~/screens/proof/ProofDrawer').then((part) => part.ProofDrawer),
  // The server may send another page by now, so one that found something wrong is not reloaded.
  { isUnasked: true },
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
      <ProofDrawer />
    </Boundary>
  )
}

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const close = useAct(closeProof)
  return (
    <div className="fixed inset-x-2 bottom-2 z-dialog mx-auto max-w-[520px] rounded bg-panel shadow-float">
      <ErrorNote
        advice={
          <Button onClick={close} size="small">
            Close
          </Button>
        }
        details={technicalDetails(error)}
        notDone="A part of the console could not be fetched. If the console was upgraded, save your work and load the page again."
        onRetry={onRetry}
        title="The proof could not be shown."
      />
    </div>
  )
}
