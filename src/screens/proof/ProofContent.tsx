import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { timezoneAtom } from '~/core/page-view'
import { bytesToBase64, decodeUtf8, hexToBytes } from '~/lib/bytes'
import { counted, formatCount } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { beginning } from '~/lib/visible-text'
import type {
  AuditFacts,
  DocumentFacts,
  EntryFacts,
  GetFacts,
  RowFacts,
  StateFacts,
  TxFacts,
} from '~/proof/kernel/proven-facts'
import type { Kind } from '~/proof/kernel/verify'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Fact, Facts } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { JsonTree } from '~/ui/JsonTree'
import { SafeName, SafeText } from '~/ui/SafeText'
import { ValueView } from '~/ui/ValueView'
import { entryName } from './entry-name'
import { ProvenTx } from './ProvenTx'
import { RowContent, WrittenIn } from './RowContent'

type Props = { kind: Kind; facts: object }

/** What is proven, made of the proven bytes. Facts and the kind they belong to go together. */
export function ProofContent({ kind, facts }: Props): ReactNode {
  switch (kind) {
    case 'row':
      return <RowContent facts={facts as RowFacts} />
    case 'get':
      return <KeyContent facts={facts as GetFacts} />
    case 'tx':
    case 'write':
      return <TxContent facts={facts as TxFacts} />
    case 'document':
      return <DocumentContent facts={facts as DocumentFacts} />
    case 'state':
      return <StateContent facts={facts as StateFacts} />
    case 'audit':
      return <StateContent facts={facts as AuditFacts} />
  }
  return null
}

/**
 * The transaction that a proven history ends with. How many entries an audit counted is not shown:
 * evidence may hold its last step only.
 */
function StateContent({ facts }: { facts: StateFacts | AuditFacts }) {
  return (
    <Facts>
      <Fact name="Transaction">
        <ProvenTx id={facts.txId} />
      </Fact>
      <Fact name="Hash">
        <Hash hash={facts.alh} what="hash of the transaction" />
      </Fact>
    </Facts>
  )
}

/** A proven document. */
function DocumentContent({ facts }: { facts: DocumentFacts }) {
  const json = JSON.stringify(facts.document, (_, value: unknown) =>
    isBeyondJson(value) ? nameOf(value) : value,
  )
  return (
    <div className="grid grid-cols-1 gap-3">
      <Facts>
        <Fact name="Document">
          <code translate="no" className="font-mono [overflow-wrap:anywhere]">
            {facts.documentId}
          </code>
        </Fact>
        <WrittenIn facts={facts} />
      </Facts>
      <JsonTree label="The document in the proof" text={json} />
      {json !== JSON.stringify(facts.document) && (
        <p className="text-muted text-sm">
          JSON has no NaN, Infinity or −0. Where a number of this document is one, it is shown as
          text.
        </p>
      )}
    </div>
  )
}

/** A number that JSON would write as null, or as another number. */
function isBeyondJson(value: unknown): value is number {
  return typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
}

const nameOf = (value: number) => (Object.is(value, -0) ? '-0' : String(value))

/** A proven key: its value, or the reference that it is. */
function KeyContent({ facts }: { facts: GetFacts }) {
  const zone = useAtomValue(timezoneAtom)
  const { meta, tx, ts } = facts
  return (
    <div className="grid grid-cols-1 gap-3">
      <Facts>
        <Fact name="Key">
          <Bytes of={facts.key} />
        </Fact>
        <Fact name="Written in">
          <ProvenTx id={tx} />, {formatMoment(Number(ts) * 1_000, zone)}
        </Fact>
        {meta.expiresAt !== null && (
          <Fact name="Expires">{formatMoment(Number(meta.expiresAt) * 1_000, zone)}</Fact>
        )}
        {facts.kind === 'hidden' && (
          <Fact name="Hash of the value">
            <Hash hash={facts.valueHash} what="hash of the value" />
          </Fact>
        )}
        {facts.kind === 'reference' && (
          <Fact name="Refers to">
            <Bytes of={facts.referencedKey} />
            {facts.referencedAtTx === '0' ? (
              ', as it is at present'
            ) : (
              <>
                , as written in <ProvenTx id={facts.referencedAtTx} />
              </>
            )}
          </Fact>
        )}
      </Facts>
      {facts.kind === 'value' && (
        <ValueView name="the value in the proof" value={bytesToBase64(bytesOf(facts.value))} />
      )}
      {facts.kind === 'hidden' && (
        <p className="text-muted text-sm">
          Not shown: it may hold a session ID. Its hash is proven, and evidence keeps only the hash.
        </p>
      )}
      {facts.kind === 'reference' && (
        <p className="text-muted text-sm">The reference alone. The value has a proof of its own.</p>
      )}
    </div>
  )
}

function bytesOf(digits: string): Uint8Array {
  return hexToBytes(digits) ?? new Uint8Array()
}

function Bytes({ of }: { of: string }) {
  const text = decodeUtf8(bytesOf(of))
  return (
    <span className="font-mono [overflow-wrap:anywhere]">
      {text === null ? `hex ${of}` : <SafeName text={text} />}
    </span>
  )
}

/** A proven transaction: its header and its entries. */
function TxContent({ facts }: { facts: TxFacts }) {
  const zone = useAtomValue(timezoneAtom)
  const { entries } = facts
  return (
    <div className="grid gap-3">
      <Facts>
        <Fact name="Transaction">
          <ProvenTx id={facts.id} />
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
            values from before <ProvenTx id={facts.truncatedTxID} /> may have been deleted
          </Fact>
        )}
        {facts.extra !== '' && (
          <Fact name="Extra">
            <code translate="no" className="font-mono [overflow-wrap:anywhere]">
              <SafeText text={facts.extra} />
            </code>
          </Fact>
        )}
      </Facts>
      {entries ? (
        <Entries entries={entries} />
      ) : (
        <p className="text-muted text-sm">The answer did not list the entries.</p>
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
  const { kind, text } = entryName(hexToBytes(key) ?? new Uint8Array())
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
