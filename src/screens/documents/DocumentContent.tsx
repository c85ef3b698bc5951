import { useAtomValue } from 'jotai'
import type { DocumentState } from '~/atoms/documents/document'
import { unreadableDocument } from '~/atoms/revisions/history'
import { asOfTxAtom } from '~/core/history/as-of'
import { type DocumentFields, documentJson, hasLargeNumber } from '~/immudb/document-json'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import { TxLink } from '~/ui/TxLink'
import { ValueView } from '~/ui/ValueView'
import { useDocumentsAddress } from './address'

export function Content({ state }: { state: DocumentState }) {
  const { database, revision } = useDocumentsAddress()
  const tx = useAtomValue(asOfTxAtom)
  const then = tx !== null && revision === '' ? `At tx ${formatTx(tx)} ` : ''
  switch (state.kind) {
    case 'absent':
      return (
        <p>
          {revision === ''
            ? 'The collection never had a document with this id.'
            : 'The server reports no such revision of this document.'}
        </p>
      )
    case 'not-yet':
      return (
        <p>
          {then}this document did not exist yet. It was first written in{' '}
          <TxLink database={database} id={state.first} />.
        </p>
      )
    case 'deleted':
      return (
        <p>
          {then === '' ? 'This' : `${then}this`} document was deleted: it is no longer listed or
          found. Its history has the revisions before.
        </p>
      )
    case 'hidden':
      return <p>{unreadableDocument[state.why]}</p>
    case 'live':
      return <Json document={state.document} />
  }
}

function Json({ document }: { document: DocumentFields }) {
  return (
    <section aria-label="Content" className="grid grid-cols-1 gap-2">
      <ValueView
        name="the document"
        value={bytesToBase64(encodeUtf8(documentJson(document, '')))}
      />
      {hasLargeNumber(document) && (
        <p className="text-muted text-sm">
          It has numbers above 2^53. immudb stores numbers as doubles, so they may differ from what
          was sent.
        </p>
      )}
    </section>
  )
}
