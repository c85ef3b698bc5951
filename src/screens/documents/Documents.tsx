import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { isDocumentSessionOpeningAtom } from '~/atoms/documents/session'
import type { Collection } from '~/immudb/collection'
import { addressLength } from '~/immudb/document-query'
import { Skeleton } from '~/ui/Skeleton'
import { useDocumentsAddress } from './address'
import { Found } from './FoundDocuments'
import { SearchBar } from './SearchBar'

/** The documents that a search finds; without one, all of them. */
export function Documents({ of }: { of: Collection }) {
  const { search, go, isBroken } = useDocumentsAddress()
  // A search that is too long for an address stands here.
  const [long, setLong] = useState<string | null>(null)
  const name = long ?? search
  const isOpening = useAtomValue(isDocumentSessionOpeningAtom)
  const show = (next: string) => {
    const fits = next.length <= addressLength
    setLong(fits ? null : next)
    go({ search: fits ? next : '' })
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      {isBroken && (
        <p className="px-3 py-2 text-sm text-warning">
          The search in the address cannot be read. All documents are shown.
        </p>
      )}
      <SearchBar key={name} of={of} onSearch={show} search={name} />
      {long !== null && (
        <p className="px-3 pb-2 text-muted text-sm">
          This search is too long for an address, so a link to this page does not have it.
        </p>
      )}
      {isOpening ? (
        <div className="p-3">
          <Skeleton lines={6} />
        </div>
      ) : (
        <Found key={`${of.name} ${name}`} name={name} of={of} onAll={() => show('')} />
      )}
    </div>
  )
}
