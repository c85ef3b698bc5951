import { useSetAtom } from 'jotai'
import { use, useState } from 'react'
import { repeatProofAtom } from '~/atoms/trust/proof-drawer'
import {
  acceptSchemaAtom,
  type SchemaChange as Change,
  schemaChangeAtom,
} from '~/atoms/trust/schema-change'
import type { Verification } from '~/atoms/trust/verification'
import { Button } from '~/ui/Button'
import { join } from '~/ui/join'
import { SafeText } from '~/ui/SafeText'

/** The pinned description of the table beside the one that the server gives now. */
export function SchemaChange({ verification }: { verification: Verification }) {
  const compare = useSetAtom(schemaChangeAtom)
  const [change] = useState(() => compare(verification))
  return <Descriptions change={change} verification={verification} />
}

type Props = { change: Promise<Change | null>; verification: Verification }

function Descriptions({ change: pending, verification }: Props) {
  const change = use(pending)
  const accept = useSetAtom(acceptSchemaAtom)
  const repeat = useSetAtom(repeatProofAtom)
  const [isBusy, setBusy] = useState(false)
  const [why, setWhy] = useState<string | null>(null)
  if (!change) return null
  const take = async () => {
    setBusy(true)
    const refused = await accept(verification)
    setWhy(refused)
    if (refused === null) await repeat()
    setBusy(false)
  }
  return (
    <section aria-label="Description of the table" className="grid gap-2 text-sm">
      <div className="grid gap-3 xs:grid-cols-2">
        <Lines of={change.pinned} other={change.claimed} title="As recorded here" />
        <Lines of={change.claimed} other={change.pinned} title="As the server says now" />
      </div>
      <div>
        <Button busy={isBusy} onClick={() => void take()} size="small">
          Accept the new description
        </Button>
        {why && (
          <p className="mt-2 text-error" role="alert">
            {why}
          </p>
        )}
      </div>
    </section>
  )
}

type LinesProps = { title: string; of: readonly string[]; other: readonly string[] }

function Lines({ title, of, other }: LinesProps) {
  return (
    <div className="min-w-0">
      <h4 className="text-muted">{title}</h4>
      <ul className="grid gap-0.5 font-mono">
        {of.map((line) => (
          <li
            className={join('break-words', !other.includes(line) && 'font-medium text-warning')}
            key={line}
          >
            <SafeText text={line} />
          </li>
        ))}
      </ul>
    </div>
  )
}
