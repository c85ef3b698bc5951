import { Suspense, useId, useState } from 'react'
import type { Collection } from '~/immudb/collection'
import { queryFromAddress } from '~/immudb/document-query'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { SearchForm } from './parts'

type Props = {
  of: Collection
  /** The shown search, by `queryToAddress`. */
  search: string
  onSearch: (search: string) => void
}

/** Says what is searched for, and opens the form for another search. */
export function SearchBar({ of, search, onSearch }: Props) {
  const [isOpen, setOpen] = useState(false)
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
        <span className="text-muted text-sm">{wordsOf(search)}</span>
        {search !== '' && (
          <Button onClick={() => onSearch('')} size="small" variant="quiet">
            Show all documents
          </Button>
        )}
      </div>
      {wasOpen && (
        <Suspense fallback={null}>
          <SearchForm id={id} isHidden={!isOpen} of={of} onSearch={onSearch} search={search} />
        </Suspense>
      )}
    </div>
  )
}

function wordsOf(search: string): string {
  if (search === '') return 'All documents'
  const count = queryFromAddress(search)?.groups.flat().length ?? 0
  return `Searched by ${count === 0 ? 'order or limit' : counted(count, 'comparison')}`
}
