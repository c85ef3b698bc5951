import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import { documentCountsAtom } from '~/atoms/documents/collections'
import { searchDraftAtom } from '~/atoms/documents/search-drafts'
import { sentence } from '~/core/session/failure-words'
import type { Collection } from '~/immudb/collection'
import { queryFromAddress } from '~/immudb/document-query'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'
import { CountIcon } from '~/ui/QueryIcons'
import { Sentence } from '~/ui/Sentence'
import { CodeButton } from '../code/CodeButton'
import { useDocumentsAddress } from './address'
import { SearchChips } from './SearchChips'
import { SearchForm } from './SearchForm'

/** Documents that code asks for. */
const codeDocuments = 100

type Props = {
  of: Collection
  /** The shown search, by `queryToAddress`. */
  search: string
  onSearch: (search: string) => void
}

/** Says what is searched for, and opens the form for another search. */
export function SearchBar({ of, search, onSearch }: Props) {
  const { database } = useDocumentsAddress()
  const typed = useAtomValue(searchDraftAtom)
  const [isOpen, setOpen] = useState(() => typed(database, of.name, search) !== null)
  const [wasOpen, setWasOpen] = useState(false)
  if (isOpen && !wasOpen) setWasOpen(true)
  const id = useId()
  return (
    <div className="shrink-0 border-line border-b">
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <Button
          aria-controls={id}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          size="small"
        >
          {isOpen ? 'Hide search' : 'Search…'}
        </Button>
        {search === '' ? (
          <span className="text-muted text-sm">All documents</span>
        ) : (
          <>
            <SearchChips onSearch={onSearch} search={search} />
            <FoundCount of={of} search={search} />
            <Button onClick={() => onSearch('')} size="small" variant="quiet">
              Show all documents
            </Button>
          </>
        )}
        <span className="ms-auto">
          <CodeButton
            call={() => {
              const query = queryFromAddress(search)
              return query && { kind: 'documents', collection: of.name, size: codeDocuments, query }
            }}
            isSmall
            what={`the first ${codeDocuments} documents of this search in ${of.name}`}
          />
        </span>
      </div>
      {wasOpen && (
        <SearchForm id={id} isHidden={!isOpen} of={of} onSearch={onSearch} search={search} />
      )}
    </div>
  )
}

type FoundProps = Pick<Props, 'of' | 'search'>

/** How many documents a search finds. The server may have to read them all, so it is asked for. */
function FoundCount(found: FoundProps) {
  const [isAsked, setAsked] = useState(false)
  if (isAsked) return <Count {...found} />
  const label = 'Count the documents of this search'
  return (
    <IconButton icon={<CountIcon />} label={label} onClick={() => setAsked(true)} size="tiny" />
  )
}

function Count({ of, search }: FoundProps) {
  const { database } = useDocumentsAddress()
  const { data, error } = useAtomValue(useAtomValue(documentCountsAtom)(database, of.name, search))
  return (
    <span className="text-muted text-sm" role="status">
      {data !== undefined ? (
        `${counted(BigInt(data), 'document')} found`
      ) : error ? (
        <Sentence text={`Not counted. ${sentence(error)}`} />
      ) : (
        'Counting…'
      )}
    </span>
  )
}
