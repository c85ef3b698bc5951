import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { TxEntry } from '~/api/transactions'
import { keyValuesAtom } from '~/atoms/transactions/transaction'
import { sentence } from '~/core/session/failure-words'
import { keyToAddress } from '~/immudb/key-address'
import { base64ToBytes, bytesToBase64, bytesToHex, decodeUtf8, looksLikeText } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { formatSize } from '~/lib/size'
import { beginning } from '~/lib/visible-text'
import { type KeyContent, keyContent } from '~/proof/stored-entry'
import { saidLeaf } from '~/trust/questions'
import { Button } from '~/ui/Button'
import { Link } from '~/ui/Link'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { TxLink } from '~/ui/TxLink'
import { ValueView } from '~/ui/ValueView'
import { textOf } from '../proof/entry-name'
import { CollectionPart } from './CollectionPart'
import { DocumentEntry } from './DocumentEntry'
import { Card, Digest, type EntryProps, HistoryButton } from './EntryCard'
import { CollectionIndexEntry, TableIndexEntry } from './IndexEntry'
import { RowEntry } from './RowEntry'

/** An entry in the form that fits its kind. */
export function EntryBody(props: EntryProps) {
  const { stored } = props.of
  switch (stored.kind) {
    case 'key':
      return <KeyEntry {...props} name={stored.key} />
    case 'sorted-set':
      return (
        <Card {...props} kind="Sorted set" name={textOf(stored.set)} said={[]}>
          <p className="text-sm [overflow-wrap:anywhere]">
            Score <span className="font-mono">{String(stored.score)}</span> for the key{' '}
            <KeyLink database={props.database} of={stored.key} />
            {stored.atTx > 0n && (
              <>
                {' '}
                as of <TxLink database={props.database} id={String(stored.atTx)} />
              </>
            )}
            .{' '}
            <Link
              className="text-primary underline"
              to={pathTo('keys', {
                db: props.database,
                kind: 'set',
                key: keyToAddress(bytesToBase64(stored.set)),
              })}
            >
              Show the set
            </Link>
          </p>
        </Card>
      )
    case 'row':
      return <RowEntry {...props} tableId={stored.tableId} />
    case 'document':
      return <DocumentEntry {...props} collectionId={stored.collectionId} id={stored.id} />
    case 'collection-catalogue':
      return <CollectionPart {...props} part={stored.of} />
    case 'index-entry':
      return <TableIndexEntry {...props} indexId={stored.indexId} tableId={stored.tableId} />
    case 'document-index-entry':
      return (
        <CollectionIndexEntry
          {...props}
          collectionId={stored.collectionId}
          indexId={stored.indexId}
        />
      )
    default:
      return (
        <Card {...props} kind="Other" name={`entry ${props.of.number}`} said={[]}>
          <Digest entry={props.of.entry} />
        </Card>
      )
  }
}

function KeyLink({ database, of }: { database: string; of: Uint8Array }) {
  const key = keyToAddress(bytesToBase64(of))
  return (
    <Link
      className="font-mono text-primary underline [overflow-wrap:anywhere]"
      to={pathTo('keys', { db: database, key })}
    >
      <SafeName text={beginning(textOf(of), 300)} />
    </Link>
  )
}

/** What the server cannot send in one answer. */
const largestAnswer = 4_194_304

function KeyEntry(props: EntryProps & { name: Uint8Array }) {
  const { database, tx, of, values, name } = props
  const { entry } = of
  const stored = values?.byKey.get(entry.key)
  const content = stored === undefined ? null : keyContent(base64ToBytes(stored))
  const isReference = content?.kind === 'reference'
  const isAlone = content === null && (values?.tooLarge.includes('keys') ?? false)
  return (
    <Card
      {...props}
      actions={<HistoryButton of={{ kind: 'key', database, key: bytesToBase64(name) }} />}
      kind={isReference ? 'Reference' : 'Key'}
      name={textOf(name)}
      // A value that is read alone is not among those that are compared.
      said={isAlone ? [saidLeaf('the value', '')] : []}
      title={<KeyLink database={database} of={name} />}
    >
      {entry.isDeleted ? null : content ? (
        <Content content={content} database={database} name={textOf(name)} />
      ) : !values ? (
        <p className="text-muted text-sm">Reading…</p>
      ) : values.tooLarge.includes('keys') && entry.vLen < largestAnswer ? (
        <LargeValue database={database} entry={entry} name={name} tx={tx} />
      ) : (
        <Withheld entry={entry} />
      )}
    </Card>
  )
}

function Withheld({ entry }: { entry: TxEntry }) {
  const why =
    entry.vLen >= largestAnswer
      ? 'The value is more than the server sends over HTTP (4 MiB).'
      : entry.expiresAt !== null
        ? 'The server does not send values that have expired.'
        : 'The server does not send this value.'
  return (
    <>
      <p className="text-sm">{why}</p>
      <Digest entry={entry} />
    </>
  )
}

type ContentProps = { database: string; content: KeyContent; name: string }

function Content({ database, content, name }: ContentProps) {
  if (content.kind === 'value') return <Value name={name} value={content.value} />
  return (
    <p className="text-sm [overflow-wrap:anywhere]">
      Shows the value of <KeyLink database={database} of={content.key} />
      {content.atTx > 0n && (
        <>
          {' '}
          as of <TxLink database={database} id={String(content.atTx)} />
        </>
      )}
    </p>
  )
}

/** Bytes of a value that are shown at once. */
const previewBytes = 300

/** The beginning of a value, and all of it when asked for. */
function Value({ value, name }: { value: Uint8Array; name: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = value.length > previewBytes
  if (isWhole) return <ValueView name={beginning(name, 60)} value={bytesToBase64(value)} />
  const shown = shownStart(value)
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-1 text-sm">
      <span className="min-w-0 max-w-full whitespace-pre-wrap font-mono [overflow-wrap:anywhere]">
        {value.length === 0 ? (
          <span className="text-muted">empty</span>
        ) : (
          <SafeText lines text={shown} />
        )}
        {isLong && '…'}
      </span>
      {isLong && (
        <Button onClick={() => setWhole(true)} size="small">
          Show whole value ({formatSize(value.length)})
        </Button>
      )}
    </div>
  )
}

function shownStart(value: Uint8Array): string {
  const last = Math.min(previewBytes, value.length)
  // A letter may have been cut in two.
  const ends = value.length > last ? [last, last - 1, last - 2, last - 3] : [last]
  for (const end of ends) {
    const start = value.subarray(0, end)
    const text = decodeUtf8(start)
    if (text !== null && looksLikeText(start)) return text
  }
  return `0x${bytesToHex(value.subarray(0, 100))}`
}

type LargeProps = { database: string; tx: string; entry: TxEntry; name: Uint8Array }

/** A value that is read alone, because all of the transaction's are more than one answer takes. */
function LargeValue({ database, tx, entry, name }: LargeProps) {
  const [isAsked, setAsked] = useState(false)
  if (isAsked) return <AskedValue database={database} entry={entry} name={name} tx={tx} />
  return (
    <p className="flex flex-wrap items-center gap-3 text-sm">
      The values of this transaction together are more than one answer takes.
      <Button onClick={() => setAsked(true)} size="small">
        Read this value ({formatSize(entry.vLen)})
      </Button>
    </p>
  )
}

function AskedValue({ database, tx, entry, name }: LargeProps) {
  const key = bytesToBase64(name)
  const { data, error, isFetching, refetch } = useAtomValue(
    useAtomValue(keyValuesAtom)(database, tx, key),
  )
  if (data === null) return <Withheld entry={entry} />
  if (data) return <Content content={data} database={database} name={textOf(name)} />
  if (!error || isFetching) return <p className="text-muted text-sm">Reading…</p>
  return (
    <p className="flex flex-wrap items-center gap-3 text-error text-sm">
      <Sentence text={sentence(error)} />
      <Button onClick={() => void refetch()} size="small">
        Try again
      </Button>
    </p>
  )
}
