import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { timezoneAtom } from '~/atoms/settings/view'
import type { ComparedPart } from '~/atoms/trust/proof-drawer'
import { bytesToBase64 } from '~/lib/base64'
import { hexToBytes } from '~/lib/hex'
import { formatMoment, formatTx } from '~/lib/text'
import { decodeUtf8 } from '~/lib/utf8'
import type {
  AuditFacts,
  DocumentFacts,
  GetFacts,
  RowFacts,
  StateFacts,
  TxFacts,
} from '~/proof/facts'
import type { Kind } from '~/proof/verify'
import { Fact, Facts } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { JsonTree } from '~/ui/JsonTree'
import { SafeName } from '~/ui/SafeName'
import { ValueView } from '~/ui/ValueView'
import { RowContent } from './RowContent'
import { TxContent } from './TxContent'
import { WrittenIn } from './WrittenIn'

type Props = {
  kind: Kind
  facts: object
  /** What a screen had shown of the same. */
  compared?: readonly ComparedPart[] | undefined
}

/** What is proven, made of the proven bytes. Facts and the kind they belong to go together. */
export function ProofContent({ kind, facts, compared }: Props): ReactNode {
  switch (kind) {
    case 'row':
      return <RowContent compared={compared} facts={facts as RowFacts} />
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
        <span className="font-mono">tx {formatTx(facts.txId)}</span>
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
          <code className="font-mono [overflow-wrap:anywhere]">{facts.documentId}</code>
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
          <span className="font-mono">tx {formatTx(tx)}</span>,{' '}
          {formatMoment(Number(ts) * 1_000, zone)}
        </Fact>
        {meta.expiresAt !== null && (
          <Fact name="Expires">{formatMoment(Number(meta.expiresAt) * 1_000, zone)}</Fact>
        )}
        {facts.kind === 'reference' && (
          <Fact name="Refers to">
            <Bytes of={facts.referencedKey} />
            {facts.referencedAtTx === '0'
              ? ', as it is at present'
              : `, as written in tx ${formatTx(facts.referencedAtTx)}`}
          </Fact>
        )}
      </Facts>
      {facts.kind === 'value' ? (
        <ValueView name="the value in the proof" value={bytesToBase64(bytesOf(facts.value))} />
      ) : (
        <p className="text-muted text-sm">
          This is the proof of the reference alone. The value behind it has its own.
        </p>
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
