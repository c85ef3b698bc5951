import { hexOf } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import type { EvidenceFile } from '~/proof/check-evidence'
import type { OwnState } from '~/trust/recorded-state'
import { Badge } from '~/ui/Badge'
import { Hash } from '~/ui/Hash'
import { SafeName, SafeText } from '~/ui/SafeText'
import { ownStateWords } from '~/words/evidence'

const badges = {
  same: { tone: 'neutral', word: 'Same' },
  different: { tone: 'error', word: 'Different' },
  apart: { tone: 'neutral', word: 'Not comparable' },
  none: { tone: 'neutral', word: 'Unknown here' },
} as const

type Props = {
  evidence: EvidenceFile
  own: OwnState
  /** The reader gave what it is compared with; otherwise this browser keeps it. */
  isGiven: boolean
}

/** A state of a file beside what this browser keeps of the same database. */
export function OwnRecord({ evidence, own, isGiven }: Props) {
  const isImported = !isGiven && own.kind !== 'none' && own.isUncompared === true
  const words = ownStateWords(isImported ? 'imported' : own.kind, isGiven)
  const theirs = own.kind === 'none' ? evidence.context.trusted : own.theirs
  if (!theirs || !words) return null
  const { tone, word } = badges[own.kind]
  return (
    <section
      aria-labelledby="own-record"
      className="grid gap-1.5 rounded border border-line bg-panel px-4 py-3"
    >
      <h3 className="flex flex-wrap items-center gap-2 font-medium" id="own-record">
        {words.title} <Badge tone={tone}>{word}</Badge>
      </h3>
      <p className="text-muted">{words.text}</p>
      <dl className="grid grid-cols-[max-content_1fr] items-center gap-x-4 text-sm">
        {own.kind !== 'none' && !isGiven && (
          <>
            {/* The record here is of a database of this very name. */}
            <dt className="text-muted">Database</dt>
            <dd className="min-w-0 break-all">
              <SafeName text={evidence.context.db} />
            </dd>
          </>
        )}
        <dt className="text-muted">In the file</dt>
        <dd>
          tx <SafeText text={formatTx(theirs.txId)} />{' '}
          <Hash hash={hexOf(theirs.txHash)} what="hash in the file" />
        </dd>
        {own.kind !== 'none' && (
          <>
            <dt className="text-muted">{isGiven ? 'You gave' : 'In this browser'}</dt>
            <dd>
              tx {formatTx(own.txId)}{' '}
              <Hash
                hash={hexOf(own.txHash)}
                what={isGiven ? 'hash that you gave' : 'hash in this browser'}
              />
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
