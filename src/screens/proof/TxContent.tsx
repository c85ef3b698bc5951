import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { timezoneAtom } from '~/atoms/settings/view'
import { storedKey } from '~/immudb/stored-key'
import { counted, formatCount, formatMoment, formatTx } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import type { EntryFacts, TxFacts } from '~/proof/facts'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Fact, Facts } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'

/** A proven transaction: its header and its entries. */
export function TxContent({ facts }: { facts: TxFacts }) {
  const zone = useAtomValue(timezoneAtom)
  const { entries } = facts
  return (
    <div className="grid gap-3">
      <Facts>
        <Fact name="Transaction">
          <span className="font-mono">tx {formatTx(facts.id)}</span>
        </Fact>
        <Fact name="Committed">{formatMoment(Number(facts.ts) * 1_000, zone)}</Fact>
        <Fact name="Entries">{formatCount(facts.nentries)}</Fact>
        <Fact name="Hash">
          <Hash hash={facts.alh} what="hash of the transaction" />
        </Fact>
        <Fact name="Before it">
          <Hash hash={facts.prevAlh} what="hash of the transaction before" />
        </Fact>
        {facts.truncatedTxID !== '0' && (
          <Fact name="Truncation">
            values from before tx {formatTx(facts.truncatedTxID)} may have been deleted
          </Fact>
        )}
        {facts.extra !== '' && (
          <Fact name="Extra">
            <code className="font-mono [overflow-wrap:anywhere]">
              <SafeText text={facts.extra} />
            </code>
          </Fact>
        )}
      </Facts>
      {entries ? (
        <Entries entries={entries} />
      ) : (
        <p className="text-muted text-sm">
          The answer did not list the entries, so nothing is said about them.
        </p>
      )}
    </div>
  )
}

/** Entries shown before more are asked for. */
const page = 20

function Entries({ entries }: { entries: readonly EntryFacts[] }) {
  const [count, setCount] = useState(page)
  return (
    <section aria-label="Entries in the proof" className="grid gap-2">
      <ol className="overflow-hidden rounded border border-line text-sm">
        {entries.slice(0, count).map((entry) => (
          <Entry entry={entry} key={entry.key} />
        ))}
      </ol>
      {entries.length > count && (
        <div className="flex items-center gap-2 text-muted text-sm">
          <Button onClick={() => setCount(count + page * 5)} size="small">
            Show more
          </Button>
          {counted(entries.length - count, 'entry', 'entries')} more
        </div>
      )}
    </section>
  )
}

function Entry({ entry: { key, meta, valueHash } }: { entry: EntryFacts }) {
  const { kind, text } = storedKey(key)
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-t px-3 py-1 first:border-t-0 xs:min-h-8">
      <span className="w-20 text-muted">{kind}</span>
      <span className="min-w-0 flex-1 font-mono [overflow-wrap:anywhere]" title={key}>
        <SafeName text={beginning(text, 200)} />
      </span>
      {meta.deleted && <Badge tone="warning">Deleted</Badge>}
      {meta.expiresAt !== null && <Badge>Expires</Badge>}
      {meta.nonIndexable && <Badge>Not indexed</Badge>}
      <Hash hash={valueHash} what="hash of the value" />
    </li>
  )
}
