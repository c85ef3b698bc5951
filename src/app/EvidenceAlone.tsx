import { useEffect } from 'react'
import { technicalDetails } from '~/atoms/storage/failure'
import { EvidencePane } from '~/screens/verify/evidence/EvidencePane'
import { Button } from '~/ui/Button'
import { Logo } from '~/ui/Logo'
import { portalContainerId } from '~/ui/portal-container'
import { SectionBoundary } from '~/ui/SectionBoundary'

/**
 * The one page that is there for everybody: it verifies files of evidence, and needs neither a
 * login nor a server once it is open.
 */
export function EvidenceAlone({ onLeave }: { onLeave: () => void }) {
  useEffect(() => {
    document.title = 'Evidence · webconsole'
    document.getElementById('content')?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-(--header-height) shrink-0 items-center justify-between gap-3 border-line border-b bg-panel px-4 print:hidden">
        <Logo height={24} />
        <Button onClick={onLeave}>Back to the console</Button>
      </header>
      <main className="min-h-0 grow overflow-auto outline-none" id="content" tabIndex={-1}>
        <div className="mx-auto max-w-[908px] p-4 xs:p-6">
          <h1 className="mb-2 font-medium text-xl print:hidden">Check an evidence file</h1>
          <SectionBoundary details={technicalDetails} what="The evidence">
            <EvidencePane />
          </SectionBoundary>
        </div>
      </main>
      <div id={portalContainerId} />
    </div>
  )
}
