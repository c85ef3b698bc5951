import { useSetAtom } from 'jotai'
import { technicalDetails } from '~/atoms/failure'
import { evidenceFileAtom } from '~/atoms/trust/evidence-file'
import type { Verification } from '~/atoms/trust/verification'
import { SaveButton } from '~/ui/SaveButton'

/** Saves a verification as one file that can be checked elsewhere. */
export function SaveProof({ proof }: { proof: Verification }) {
  const write = useSetAtom(evidenceFileAtom)
  return (
    <div className="flex flex-wrap gap-2">
      <SaveButton
        details={technicalDetails}
        text="Save evidence"
        write={async () => [await write(proof)]}
      />
    </div>
  )
}
