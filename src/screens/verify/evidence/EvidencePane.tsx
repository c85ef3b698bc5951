import { useAtomValue, useSetAtom } from 'jotai'
import { evidenceAtom, openEngine, openEvidenceAtom } from '~/atoms/trust/evidence'
import { ErrorNote } from '~/ui/ErrorNote'
import { FileDrop } from '~/ui/FileDrop'
import { EvidenceReport, openContent } from './EvidenceReport'

// With the pane at once: the server may be gone when a file comes.
openEngine()
openContent()

/** Verifies a saved proof again. Needs neither a login nor a server. */
export function EvidencePane() {
  const open = useAtomValue(evidenceAtom)
  const read = useSetAtom(openEvidenceAtom)
  return (
    <div className="grid max-w-[860px] grid-cols-1 gap-4">
      <p className="max-w-[680px] text-muted print:hidden">
        Any verification of this console can be saved as a file. Here such a file is verified once
        more, step by step, in this browser alone: nothing is sent, no server is asked, no login is
        needed.
      </p>
      <FileDrop
        accept="application/json,.json"
        action={open.kind === 'none' ? 'Choose a file…' : 'Choose another file…'}
        busy={open.kind === 'reading'}
        label="Evidence file"
        onFile={(file) => void read(file)}
      >
        or drop an evidence file here.
      </FileDrop>
      {open.kind === 'unreadable' && (
        <ErrorNote notDone={`Nothing of ${open.name} was verified.`} title={open.error} />
      )}
      {open.kind === 'checked' && <EvidenceReport of={open} />}
    </div>
  )
}
