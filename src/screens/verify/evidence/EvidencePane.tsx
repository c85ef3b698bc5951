import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { useAct } from '~/core/act'
import { technicalDetails } from '~/core/session/failure-words'
import { cutText } from '~/lib/visible-text'
import {
  closeEvidence,
  evidenceAtom,
  type OpenEvidence,
  openEngine,
  openEvidence,
} from '~/trust/evidence'
import { givenTrustAtom } from '~/trust/given-trust'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { FileDrop } from '~/ui/FileDrop'
import { focusContent } from '~/ui/focus-content'
import { Logo } from '~/ui/Logo'
import { portalContainerId } from '~/ui/portal-container'
import { SafeText } from '~/ui/SafeText'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { VerifyPageOffer } from '../../proof/VerifyPageOffer'
import { EvidenceReport } from './EvidenceReport'
import { GivenTrust } from './GivenTrust'

// Outside React: the document's title and focus.

// With the pane at once: the server may be gone when a file comes.
openEngine()

/** Verifies a saved proof again. Needs neither a login nor a server. */
export function EvidencePane() {
  const open = useAtomValue(evidenceAtom)
  const given = useAtomValue(givenTrustAtom)
  const read = useAct(openEvidence)
  return (
    <div className="grid max-w-[860px] grid-cols-1 gap-4">
      {given === null && (
        <p className="max-w-[680px] text-muted print:hidden">
          Verifies a saved proof again, in this browser alone: no server, no login.
        </p>
      )}
      <FileDrop
        accept="application/json,.json"
        action={open.kind === 'none' ? 'Choose a file…' : 'Choose another file…'}
        busy={open.kind === 'reading'}
        label="Evidence file"
        onFile={(file) => void read(file)}
      >
        or drop it here.
      </FileDrop>
      {given !== null && <GivenTrust given={given} />}
      {open.kind === 'reading' && <Reading of={open} />}
      {open.kind === 'unreadable' && (
        <ErrorNote
          notDone={`Nothing of the file “${cutText(open.name, longestName)}” was verified.`}
          title={open.error}
        />
      )}
      {open.kind === 'checked' && <EvidenceReport of={open} />}
      {given === null && open.kind === 'none' && <VerifyPageOffer />}
    </div>
  )
}

/** Characters of the name of a file. */
const longestName = 200

/** A file that is being checked, however long that takes. */
function Reading({ of: { name, progress } }: { of: Extract<OpenEvidence, { kind: 'reading' }> }) {
  const cancel = useAct(closeEvidence)
  const share = progress?.step === 'reading' ? Math.round(progress.share * 100) : null
  const isChecking = progress?.step === 'checking'
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded border border-line bg-panel px-4 py-3">
      <p className="min-w-0 flex-1 break-all" role="status">
        {isChecking ? 'Checking the proof in' : 'Reading'} “
        <SafeText text={cutText(name, longestName)} />”{share !== null && ` (${share} %)`}…
      </p>
      <Button onClick={() => cancel()} size="small">
        Cancel
      </Button>
    </div>
  )
}

type PageProps = {
  /** Absent where there is no console to go back to. */
  onLeave?: () => void
  /** Stands above the place for a file. */
  children?: ReactNode
}

/**
 * The one page that everyone can open: it verifies files of evidence. Once open, it needs neither a
 * login nor a server.
 */
export function EvidencePage({ onLeave, children }: PageProps) {
  useEffect(() => {
    document.title = 'Evidence · webconsole'
    focusContent()
  }, [])
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-(--header-height) shrink-0 items-center justify-between gap-3 border-line border-b bg-panel px-4 print:hidden">
        <Logo height={24} />
        {onLeave && <Button onClick={onLeave}>Back to the console</Button>}
      </header>
      <main className="min-h-0 grow overflow-auto outline-none" id="content" tabIndex={-1}>
        <div className="mx-auto max-w-[908px] p-4 xs:p-6">
          <h1 className="mb-2 font-medium text-xl print:hidden">Check an evidence file</h1>
          {children}
          <SectionBoundary details={technicalDetails} what="The evidence">
            <EvidencePane />
          </SectionBoundary>
        </div>
      </main>
      <div id={portalContainerId} />
    </div>
  )
}
