import type { Break } from '~/atoms/trust-record'
import { RefusalNote } from '~/ui/proof/RefusalNote'
import { SafeText } from '~/ui/SafeText'
import { Back } from './Back'
import { SaveProof } from './SaveProof'

/** What the audit found wrong; the trusted point's record has it, too. */
export function AuditBroken({ broken }: { broken: Break }) {
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
        Found in <SafeText text={what} />. The trusted point stays where it was, and every screen
        says that this history is broken until you have decided what to do.
      </p>
      <div className="flex flex-wrap gap-2">
        {verification && <SaveProof proof={verification} />}
        <Back />
      </div>
    </>
  )
}
