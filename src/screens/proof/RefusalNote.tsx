import { cx } from '~/ui/cx'
import { Hash } from '~/ui/Hash'
import { ErrorIcon, WarningIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { reasonWords } from '~/words/refusal'

type Props = {
  /** The code of the reason, such as `value-mismatch`. */
  reason: string
  /** Where it failed, in the words of the engine. */
  step?: string
  part?: string
  expected?: string | null
  received?: string | null
  /** It is of a file: nobody knows where the answer in it came from. */
  isOfFile?: boolean
}

const otherNumber = {
  what: 'The collection has another number than this browser recorded.',
  means:
    'Only the server says which number a name stands for, so the proof was not checked. The collection was deleted and created again, or the server uses its name for another one.',
  todo: 'If you know of the change, accept the new number in the report of a deep audit that begins with the first transaction.',
}

const ofFile =
  'The answer was wrong when it was saved, or the file was changed since. The file alone does not tell which.'

/** Why an answer was refused: what happened, what it means, what to do. */
export function RefusalNote({ reason, step, part, expected, received, isOfFile }: Props) {
  const isCollection = reason === 'schema-changed' && part === 'collectionId'
  const { what, means, todo } = isCollection ? otherNumber : reasonWords(reason)
  const isMild = reason === 'schema-changed' || reason === 'older-form'
  // A wrong signature has no two hashes to compare: what was signed is the expected one.
  const hasHashes = reason !== 'signature' && (expected || received)
  return (
    <div
      className={cx(
        'flex gap-3 rounded border px-3 py-2.5',
        isMild ? 'border-warning/45 bg-warning-tint' : 'border-error/45 bg-error-tint',
      )}
      role="alert"
    >
      <span className={cx('flex h-5 shrink-0', isMild ? 'text-warning' : 'text-error')}>
        {isMild ? <WarningIcon size={20} /> : <ErrorIcon size={20} />}
      </span>
      <div className="grid min-w-0 gap-1.5">
        <p className="font-medium">{what}</p>
        <p className="text-sm">{isOfFile ? ofFile : means}</p>
        {!isOfFile && <p className="text-sm">{todo}</p>}
        {hasHashes && (
          <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-3 text-sm">
            <dt className="text-muted">Expected</dt>
            <dd>{expected ? <Hash hash={expected} what="expected hash" /> : 'nothing'}</dd>
            <dt className="text-muted">Received</dt>
            <dd>{received ? <Hash hash={received} what="received hash" /> : 'nothing'}</dd>
          </dl>
        )}
        {step !== undefined && (
          <p className="text-muted text-xs">
            Reason{' '}
            <code translate="no" className="break-words font-mono">
              <SafeText text={reason} />
            </code>
            , step{' '}
            <code translate="no" className="break-words font-mono">
              <SafeText text={step} />
            </code>
            {part !== undefined && (
              <>
                , part{' '}
                <code translate="no" className="break-words font-mono">
                  <SafeText text={part} />
                </code>
              </>
            )}
          </p>
        )}
      </div>
    </div>
  )
}
