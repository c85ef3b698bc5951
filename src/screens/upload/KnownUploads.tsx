import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { useAct } from '~/core/act'
import { draftOwnerAtom } from '~/core/drafts'
import { timezoneAtom } from '~/core/page-view'
import { committedText, type ItemWords, pendingText } from '~/core/upload-progress'
import {
  begunUploadsAtom,
  findBegun,
  forgetUpload,
  isInto,
  type UploadInto,
  type UploadRecord,
} from '~/core/upload-records'
import { formatCount } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { SafeName, SafeText } from '~/ui/SafeText'

// Outside React: storage.

type AgainProps = {
  record: UploadRecord
  words: ItemWords
  onContinue: () => void
  onStartOver: () => void
}

/** The chosen file was imported before, to its end or not. */
export function ImportedBefore({ record, words, onContinue, onStartOver }: AgainProps) {
  const { plan, progress, endedAt, isOfOlder } = record
  const timezone = useAtomValue(timezoneAtom)
  const isComplete = progress.item >= plan.items && progress.pending === null
  return (
    <section
      aria-label={
        endedAt === undefined ? 'Unfinished import of this file' : 'This file was imported before'
      }
      className="space-y-2"
    >
      <p>
        This browser imported this file into <SafeName text={plan.into} /> before
        {endedAt !== undefined && `, until ${formatMoment(endedAt, timezone)}`}, up to {words.one}{' '}
        {formatCount(progress.item)} of {formatCount(plan.items)}. {reportOf(record, words)}
      </p>
      <div className="flex flex-wrap gap-2">
        {!isComplete && !isOfOlder && (
          <Button onClick={onContinue} variant="primary">
            Continue after {words.one} {formatCount(progress.item)}
          </Button>
        )}
        <Button onClick={onStartOver}>Start over</Button>
      </div>
      <p className="text-muted text-sm">
        “Start over” imports the whole file again. What is committed stays, so {words.many} may be
        stored twice.
      </p>
    </section>
  )
}

function reportOf({ progress, holder, isOfOlder }: UploadRecord, words: ItemWords): string {
  const open = progress.pending === null ? '' : ` ${pendingText(progress.pending, words)}`
  const left = holder === null ? '' : ' Its page was left while it ran, or another tab runs it.'
  const older = isOfOlder ? ' An older version of this console began it; it cannot go on here.' : ''
  return `${committedText(progress, words)}${open}${left}${older}`
}

type UnfinishedProps = { where: UploadInto; words: ItemWords }

/** What this browser remembers of imports that are not at their end. */
export function UnfinishedImports({ where, words }: UnfinishedProps) {
  const owner = useAtomValue(draftOwnerAtom)
  const records = useUnfinished(where)
  const forget = useAct(forgetUpload)
  if (records.length === 0) return null
  return (
    <section aria-labelledby="import-unfinished">
      <h3 className="pb-1 font-medium" id="import-unfinished">
        Unfinished imports
      </h3>
      <p className="pb-1 text-muted text-sm">Choose the same file again to continue one.</p>
      <ul className="divide-y divide-line">
        {records.map((record) => (
          <li
            className="flex items-center gap-3 py-2"
            key={JSON.stringify([record.plan.file, record.plan.into])}
          >
            <p className="min-w-0 flex-1 text-sm">
              <SafeText text={record.plan.file.name} /> into <SafeText text={record.plan.into} />:{' '}
              {reportOf(record, words)}
            </p>
            <Button
              aria-label={`Forget the import of ${visibleText(record.plan.file.name)}`}
              onClick={() => owner && void forget(owner, record)}
              size="small"
            >
              Forget
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The unfinished imports that this browser remembers. */
export function useUnfinished(where: UploadInto): readonly UploadRecord[] {
  const find = useAct(findBegun)
  const all = useAtomValue(begunUploadsAtom)
  useEffect(() => {
    void find()
  }, [find])
  return all.filter((record) => isInto(record, where))
}
