import { useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import { acceptCollectionAtom } from '~/atoms/audit/accept'
import type { Renumbered } from '~/atoms/audit/collections'
import type { AuditReport } from '~/atoms/audit/record'
import { Button } from '~/ui/Button'
import { InfoIcon, WarningIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeName'
import { Section } from './Section'

/** Collections whose number is another one than this browser knew, which no proof tells. */
export function CollectionList({ report }: { report: AuditReport }) {
  const { collections = [] } = report
  if (collections.length === 0) return null
  return (
    <Section title="Collections with another number than before">
      <p className="text-sm">
        Proofs name the collection of a document by a number; which name it goes by is the word of
        the server. Another number means that the collection was deleted and made anew under its
        name, or that the server calls another one by it.
      </p>
      {collections.map((one) => (
        <Collection key={`${one.name} ${one.found}`} of={one} report={report} />
      ))}
    </Section>
  )
}

function Collection({ of, report }: { of: Renumbered; report: AuditReport }) {
  const { name, pinned, found, isAccepted = false } = of
  const text = useRef<HTMLParagraphElement>(null)
  return (
    <div className="flex gap-2 text-sm">
      <span className="flex h-5 shrink-0 items-center">
        {isAccepted ? <InfoIcon className="text-info" /> : <WarningIcon className="text-warning" />}
      </span>
      <div className="grid min-w-0 gap-2 break-words">
        <p ref={text} tabIndex={-1}>
          <b className="font-medium">
            <SafeName text={name} />
          </b>{' '}
          was number {pinned} before, and an audit found number {found}.{' '}
          {isAccepted
            ? 'You accepted the new number.'
            : `Its documents are still held against number ${pinned}. If you know that it was made anew, accept the new number; if not, ask who runs the server.`}
        </p>
        {!isAccepted && <Accept of={of} onDone={() => text.current?.focus()} report={report} />}
      </div>
    </div>
  )
}

type AcceptProps = { of: Renumbered; report: AuditReport; onDone: () => void }

function Accept({ of, report, onDone }: AcceptProps) {
  const accept = useSetAtom(acceptCollectionAtom)
  const [isBusy, setBusy] = useState(false)
  const [why, setWhy] = useState<string | null>(null)
  const take = async () => {
    setBusy(true)
    const refused = await accept(report, of)
    setWhy(refused)
    setBusy(false)
    if (refused === null) onDone()
  }
  return (
    <div className="print:hidden">
      <Button busy={isBusy} onClick={() => void take()} size="small">
        Accept number {of.found}
      </Button>
      {why && (
        <p className="mt-2 text-error" role="alert">
          {why}
        </p>
      )}
    </div>
  )
}
