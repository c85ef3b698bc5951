import type { Break } from '~/atoms/trust/record'
import { RefusalNote } from '~/ui/proof/RefusalNote'
import { SafeText } from '~/ui/SafeText'
import { Back } from './Back'
import { SaveProof } from './SaveProof'

/** What the audit, or something before it, found wrong; the trusted point's record has it, too. */
export function AuditBroken({ broken, isBefore }: { broken: Break; isBefore: boolean }) {
  const { reason, step, part, expected, received, what, verification } = broken
  return (
    <>
      <RefusalNote
        expected={expected || null}
        part={part}
        reason={reason}
        received={received || null}
        step={step}
      />
      <p>
        Found in <SafeText text={what} />.{' '}
        {isBefore
          ? 'No audit was begun: it would have to end at a trusted state that is in doubt. Choose “Decide…” in the red bar first.'
          : 'The trusted state stays where it was, and every screen says that this history is broken until the alarm ends.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {verification && <SaveProof proof={verification} />}
        <Back />
      </div>
    </>
  )
}
