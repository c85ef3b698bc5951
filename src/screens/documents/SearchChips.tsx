import { Fragment } from 'react'
import {
  type DocumentQuery,
  everything,
  queryFromAddress,
  queryToAddress,
} from '~/immudb/document-query'
import { counted } from '~/lib/text'
import { Chip } from '~/ui/Chip'
import { wordsOfComparison } from './comparison-value'

type Props = {
  /** The shown search, by `queryToAddress`. */
  search: string
  onSearch: (search: string) => void
}

/** What is searched for, in words; each part can be taken out. */
export function SearchChips({ search, onSearch }: Props) {
  const query = queryFromAddress(search) ?? everything
  const show = (change: Partial<DocumentQuery>) => onSearch(queryToAddress({ ...query, ...change }))
  return (
    <>
      {query.groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a search is replaced as a whole
        <Fragment key={at}>
          {at > 0 && <Glue word="or" />}
          {group.map((one, place) => {
            const text = wordsOfComparison(one)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a search is replaced as a whole
              <Fragment key={place}>
                {place > 0 && <Glue word="and" />}
                <Chip
                  onRemove={() => show({ groups: without(query.groups, at, place) })}
                  text={text}
                />
              </Fragment>
            )
          })}
        </Fragment>
      ))}
      {query.orderBy.map(({ field, isDescending }) => (
        <Chip
          key={field}
          onRemove={() => show({ orderBy: query.orderBy.filter((one) => one.field !== field) })}
          text={`ordered by ${field}${isDescending ? ', descending' : ''}`}
        />
      ))}
      {query.limit > 0 && (
        <Chip
          onRemove={() => show({ limit: 0 })}
          text={`the first ${counted(query.limit, 'document')}`}
        />
      )}
    </>
  )
}

function Glue({ word }: { word: string }) {
  return <span className="text-muted text-sm">{word}</span>
}

function without(
  groups: DocumentQuery['groups'],
  at: number,
  place: number,
): DocumentQuery['groups'] {
  return groups
    .map((group, index) => (index === at ? group.filter((_, of) => of !== place) : group))
    .filter((group) => group.length > 0)
}
