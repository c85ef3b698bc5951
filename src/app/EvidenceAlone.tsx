import { useEffect } from 'react'
import { technicalDetails } from '~/atoms/failure'
import { EvidencePane } from '~/screens/verify/evidence/EvidencePane'
import { Button } from '~/ui/Button'
import { Logo } from '~/ui/Logo'
import { overlayRoomId } from '~/ui/overlay-room'
import { Part } from '~/ui/Part'

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
          <Part details={technicalDetails} what="The evidence">
            <EvidencePane />
          </Part>
        </div>
      </main>
      <div id={overlayRoomId} />
    </div>
  )
}
