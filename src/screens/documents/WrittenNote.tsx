import { useAtomValue } from 'jotai'
import { writtenDocumentAtom } from '~/atoms/documents/document-write'
import { Boundary } from '~/ui/Boundary'
import { CheckIcon } from '~/ui/Icon'
import { TxText } from '~/ui/TxText'
import { Receipt } from '../proof/Receipt'
import { useDocumentsAddress } from './address'

/** What the last write did, as long as its document is open. */
export function Written() {
  const { database, collection, id } = useDocumentsAddress()
  const written = useAtomValue(writtenDocumentAtom)
  const isIts =
    written?.id === id && written?.collection === collection && written?.database === database
  if (!written || !isIts) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-4">
      <p className="flex items-center gap-2 text-sm" role="status">
        <span className="text-success">
          <CheckIcon />
        </span>
        <span>
          <TxText database={database} text={written.text} />
        </span>
      </p>
      {written.tx !== null && (
        <Boundary fallback={() => null}>
          <Receipt database={database} of={`document ${written.id}`} tx={written.tx} />
        </Boundary>
      )}
    </div>
  )
}
