import { useAct } from '~/core/act'
import type { Upload, UploadStop } from '~/core/upload'
import { capital } from '~/core/upload-progress'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'

type Props = { upload: Upload; stop: UploadStop }

/** Why an import stopped, and what the operator can do about just that. */
export function StopNote({ upload, stop }: Props) {
  const leaveOut = useAct(upload.leaveOut)
  const { one, many } = upload.words
  switch (stop.kind) {
    case 'paused':
      return <p className="text-muted text-sm">Paused. “Continue” sends the next {many}.</p>
    case 'held':
    case 'elsewhere':
      return <ErrorNote notDone="Nothing more was sent." title={stop.why} />
    case 'refused': {
      const [line, ...others] = stop.leavable?.lines ?? []
      return (
        <div className="space-y-2">
          <ErrorNote details={stop.details} notDone={stop.notDone} title={stop.text} />
          {line !== undefined && (
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => void leaveOut()} size="small">
                Leave out{' '}
                {others.length === 0
                  ? `line ${formatCount(line)}`
                  : counted(others.length + 1, one, many)}{' '}
                and continue
              </Button>
              {stop.leavable?.isRefused && (
                <Button onClick={() => void leaveOut(true)} size="small">
                  Leave out every refused {one}
                </Button>
              )}
            </div>
          )}
        </div>
      )
    }
    case 'unknown':
      return <UnknownNote stop={stop} upload={upload} />
  }
}

type UnknownProps = { upload: Upload; stop: Extract<UploadStop, { kind: 'unknown' }> }

function UnknownNote({ upload, stop }: UnknownProps) {
  const check = useAct(upload.check)
  const decide = useAct(upload.decide)
  const { many } = upload.words
  const reason =
    stop.finding === null ? `Check first what became of the ${many} that were sent.` : undefined
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
        <>
          <p className="text-sm text-warning">
            {capital(many)} that the server still commits are stored twice if they are sent again.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button disabledReason={reason} onClick={() => void decide(true)} size="small">
              They are committed: continue after them
            </Button>
            <Button disabledReason={reason} onClick={() => void decide(false)} size="small">
              They are not: send them again
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
