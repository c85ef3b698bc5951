import { useAtomValue } from 'jotai'
import { unreadableDocument } from '~/atoms/revisions/history'
import { type DocumentThen, documentsAtom } from '~/atoms/transactions/transaction'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { documentJson } from '~/immudb/document-json'
import { bytesToHex } from '~/lib/bytes'
import { openProofDrawer } from '~/trust/proof-drawer'
import { documentQuestion, saidLeaf } from '~/trust/questions'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { SafeName } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { type Change, ChangeTable } from './ChangeTable'
import { Card, Digest, type EntryProps, HistoryButton } from './EntryCard'

type Props = EntryProps & { collectionId: number; id: Uint8Array }

/** A document with its fields before and after, as its audit has them. */
export function DocumentEntry(props: Props) {
  const { database, tx, of, collectionId } = props
  const id = bytesToHex(props.id)
  const { data, error, isFetching, refetch } = useAtomValue(
    useAtomValue(documentsAtom)(database, tx, String(collectionId), id),
  )
  const open = useAct(openProofDrawer)
  const place = data ? data.collection : `collection ${collectionId}`
  const more = data
    ? {
        onVerify: () => {
          const question = documentQuestion({ ...shownThen(data), database, id, tx })
          void open({ what: question.what, questions: [question] })
        },
        actions: (
          <HistoryButton of={{ kind: 'document', database, collection: data.collection, id }} />
        ),
      }
    : {}
  return (
    <Card
      {...props}
      {...more}
      kind="Document"
      name={id}
      said={data === null ? [saidLeaf('the collection', '', 'that no collection has it')] : []}
      title={
        <>
          <SafeName text={place} /> <SafeName text={id} />
        </>
      }
    >
      {data ? (
        <Fields of={data} />
      ) : data === null ? (
        <>
          <p className="text-sm">
            No collection of today has this document. Its collection may have been deleted.
          </p>
          <Digest entry={of.entry} />
        </>
      ) : error && !isFetching ? (
        <>
          <p className="flex flex-wrap items-center gap-2 text-error text-sm">
            <Sentence text={sentence(error)} />
            <Button onClick={() => void refetch()} size="small">
              Try again
            </Button>
          </p>
          <Digest entry={of.entry} />
        </>
      ) : (
        <p className="text-muted text-sm">Reading…</p>
      )}
    </Card>
  )
}

/** A document as its fields are drawn, with what no proof covers. */
function shownThen({ collection, now, before }: DocumentThen) {
  const { author, document, isDeleted } = now
  const said = [
    saidLeaf('the revision number', now.revision),
    ...(before === null ? [] : [saidLeaf('what it was before', '')]),
  ]
  return { collection, seconds: null, author, document, isDeleted, said }
}

function Fields({ of: { now, before } }: { of: DocumentThen }) {
  const isFirst = before === null || before.isDeleted
  const isAlone = isFirst || before.hidden !== null
  const side = now.isDeleted || now.hidden ? 'before' : isAlone ? 'after' : 'both'
  return (
    <>
      <span className="flex flex-wrap items-center gap-2 text-muted text-sm">
        {!now.isDeleted && <Badge tone="info">{isFirst ? 'Inserted' : 'Changed'}</Badge>}
        Revision {now.revision}
        {now.author !== '' && (
          <span>
            by <SafeName text={now.author} />
          </span>
        )}
      </span>
      {now.hidden && <p className="text-sm">{unreadableDocument[now.hidden]}</p>}
      {before?.hidden && (
        <p className="text-muted text-sm">
          Revision {before.revision}: {unreadableDocument[before.hidden]}
        </p>
      )}
      <ChangeTable
        changes={fieldsOf(before?.document ?? null, now.document)}
        missing="not there"
        noun="field"
        side={side}
        unknown="not known"
      />
    </>
  )
}

/** Characters of a field that are written in one line. */
const lineLength = 60

type Content = Readonly<Record<string, unknown>> | null

function fieldsOf(before: Content, now: Content): Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})])
  return [...names].map((name) => {
    const [was, is] = [textOf(before, name), textOf(now, name)]
    const isChanged = before !== null && now !== null && was !== is
    return { id: name, name, type: '', isKey: false, before: was, after: is, isChanged }
  })
}

/** A field as JSON; null when the document lacks it. */
function textOf(document: Content, name: string): string | null {
  if (!document || !Object.hasOwn(document, name)) return null
  const short = documentJson(document[name])
  return short.length <= lineLength ? short : documentJson(document[name], '')
}
