import { useSetAtom } from 'jotai'
import { checkImportAtom, decideImportAtom, leaveOutTakenAtom } from '~/atoms/tables/import'
import type { ImportStop } from '~/atoms/tables/import-state'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'

/** Why an import stopped, and what the operator can do about just that. */
export function StopNote({ stop }: { stop: ImportStop }) {
  const leaveOut = useSetAtom(leaveOutTakenAtom)
  switch (stop.kind) {
    case 'paused':
      return <p className="text-muted text-sm">Paused. “Continue” sends the next rows.</p>
    case 'held':
    case 'elsewhere':
      return <ErrorNote notDone="Nothing more was sent." title={stop.why} />
    case 'refused':
      return (
        <div className="space-y-2">
          <ErrorNote
            details={stop.details}
            notDone="The rows of this transaction are not stored. “Continue” sends them again."
            title={stop.text}
          />
          {stop.taken && (
            <Button onClick={() => void leaveOut()} size="small">
              Leave out {counted(stop.taken.numbers.length, 'row')} and continue
            </Button>
          )}
        </div>
      )
    case 'unknown':
      return <UnknownNote stop={stop} />
  }
}

function UnknownNote({ stop }: { stop: Extract<ImportStop, { kind: 'unknown' }> }) {
  const check = useSetAtom(checkImportAtom)
  const decide = useSetAtom(decideImportAtom)
  return (
    <div className="space-y-2">
      <ErrorNote
        advice={stop.advice}
        details={stop.details}
        onRetry={() => void check()}
        retryLabel="Check now"
        title={stop.text}
        tone="unknown"
      />
      <p className="text-sm" role="status">
        {stop.finding !== null && <SafeText text={stop.finding} />}
      </p>
      {stop.mustDecide && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void decide(true)} size="small">
            They are committed: continue after them
          </Button>
          <Button onClick={() => void decide(false)} size="small">
            They are not: send them again
          </Button>
        </div>
      )}
    </div>
  )
}
