import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { repeatProofAtom } from '~/atoms/proof-drawer'
import { acceptSchemaAtom, schemaChangeAtom } from '~/atoms/schema-change'
import type { Verification } from '~/atoms/verification'
import { Button } from '~/ui/Button'
import { SafeText } from '~/ui/SafeText'

/** The pinned description of the table beside the one that the server gives now. */
export function SchemaChange({ verification }: { verification: Verification }) {
  const change = useAtomValue(useAtomValue(schemaChangeAtom)(verification))
  const accept = useSetAtom(acceptSchemaAtom)
  const repeat = useSetAtom(repeatProofAtom)
  const [isBusy, setBusy] = useState(false)
  if (!change) return null
  const take = async () => {
    setBusy(true)
    await accept(verification)
    await repeat()
    setBusy(false)
  }
  return (
    <section aria-label="Description of the table" className="grid gap-2 text-sm">
      <div className="grid gap-3 xs:grid-cols-2">
        <Columns of={change.pinned} title="As first seen" />
        <Columns of={change.claimed} title="As the server says now" />
      </div>
      <div>
        <Button busy={isBusy} onClick={() => void take()} size="small">
          Accept the new description
        </Button>
      </div>
    </section>
  )
}

function Columns({ title, of }: { title: string; of: readonly string[] }) {
  return (
    <div className="min-w-0">
      <h4 className="text-muted">{title}</h4>
      <ul className="grid gap-0.5 font-mono">
        {of.map((line) => (
          <li className="break-words" key={line}>
            <SafeText text={line} />
          </li>
        ))}
      </ul>
    </div>
  )
}
