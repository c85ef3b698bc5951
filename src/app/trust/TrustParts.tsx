import { useAtomValue, useSetAtom } from 'jotai'
import { technicalDetails } from '~/core/session/failure-words'
import { BrokenBar, PlainBar, SwapBar } from '~/screens/trust/TrustBars'
import { TrustDrawer } from '~/screens/trust/TrustDrawer'
import { serverSwapAtom } from '~/trust/incidents'
import { isTrustOpenAtom, trustAtom } from '~/trust/trust'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { Revisions } from './Revisions'

/** What was found wrong with a history, on every screen. Fetched when the page is idle. */
export function TrustParts() {
  const trust = useAtomValue(trustAtom)
  const isOpen = useAtomValue(isTrustOpenAtom)
  const swap = useAtomValue(serverSwapAtom)
  return (
    <>
      {swap && <SwapBar swap={swap} />}
      {trust.kind === 'broken' && (
        <Boundary
          fallback={(_, retry) => <PlainBar kind={trust.broken.kind} onRetry={retry} />}
          resetKey={`${trust.broken.kind} ${trust.broken.at}`}
        >
          <BrokenBar broken={trust.broken} key={trust.broken.at} record={trust.record} />
        </Boundary>
      )}
      <Revisions />
      {isOpen && (
        <Boundary fallback={(error, retry) => <NotShown error={error} onRetry={retry} />}>
          <TrustDrawer />
        </Boundary>
      )}
    </>
  )
}

function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const setOpen = useSetAtom(isTrustOpenAtom)
  return (
    <div className="fixed inset-x-2 bottom-2 z-dialog mx-auto max-w-[520px] rounded bg-panel shadow-float">
      <ErrorNote
        advice={
          <Button onClick={() => setOpen(false)} size="small">
            Close
          </Button>
        }
        details={technicalDetails(error)}
        onRetry={onRetry}
        title="What is known of the history could not be shown."
      />
    </div>
  )
}
