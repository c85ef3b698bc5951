import { useAtomValue } from 'jotai'
import { useState } from 'react'
import {
  keepSearchDraft,
  type SearchDraft,
  searchDraftAtom,
  type TypedComparison,
} from '~/atoms/documents/search-drafts'
import { useAct } from '~/core/act'
import { isSameTyped } from '~/core/drafts'
import type { Collection } from '~/immudb/collection'
import {
  addressLength,
  countAlternatives,
  type DocumentQuery,
  everything,
  mostAlternatives,
  mostLimit,
  queryFromAddress,
} from '~/immudb/document-query'
import { formatCount } from '~/lib/text'
import { useDocumentsAddress } from './address'
import { comparedValues, typedOf, undeclared } from './comparison-value'

export type Group = SearchDraft['groups'][number]

/**
 * What is typed, which stays in this tab until an address has it, and the query that it makes: a
 * sentence while it makes none.
 * @param shown the search that is shown, by `queryToAddress`
 */
export function useSearch(of: Collection, shown: string) {
  const { database } = useDocumentsAddress()
  const kept = useAtomValue(searchDraftAtom)
  const keep = useAct(keepSearchDraft)
  const [typed, setTyped] = useState<SearchDraft>(
    () => kept(database, of.name, shown) ?? typedSearch(of, shown),
  )
  const update = (change: Partial<SearchDraft>) => {
    const next = { ...typed, ...change, shown: inAddress(shown) }
    setTyped(next)
    const isApplied = isSameTyped(next, typedSearch(of, next.shown))
    keep(database, of.name, isApplied ? null : next)
  }
  const { groups } = typed
  return {
    ...typed,
    query: queryOf(of, typed),
    update,
    /** Forgets what is typed, unless the search made of it is too long for an address. */
    sent: (search: string) =>
      keep(database, of.name, inAddress(search) === search ? null : { ...typed, shown: '' }),
    addGroup: () => {
      const id = Math.max(-1, ...groups.map((group) => group.id)) + 1
      update({ groups: [...groups, { id, lines: [newLine(of, 0)] }] })
    },
    removeGroup: (id: number) => update({ groups: groups.filter((group) => group.id !== id) }),
    setLines: (id: number, lines: readonly TypedComparison[]) =>
      update({
        groups: groups.map((group) => (group.id === id ? { id, lines: [...lines] } : group)),
      }),
  }
}

/** What a reload shows of a search. */
const inAddress = (search: string) => (search.length <= addressLength ? search : '')

/** The shown search as it was typed. */
function typedSearch(of: Collection, shown: string): SearchDraft {
  const query = queryFromAddress(shown) ?? everything
  const [order] = query.orderBy
  return {
    shown,
    groups: query.groups.map((lines, id) => ({
      id,
      lines: lines.map((line, at) => typedOf(of, line, at)),
    })),
    order: order?.field ?? '',
    isDescending: order?.isDescending ?? false,
    limit: query.limit === 0 ? '' : String(query.limit),
  }
}

export function newLine(of: Collection, id: number): TypedComparison {
  const field = of.fields[1]?.name ?? of.idField
  return { id, field, operator: 'EQ', text: '', upTo: '' }
}

function queryOf(of: Collection, typed: SearchDraft): DocumentQuery | string {
  const { groups, order, isDescending } = typed
  const limit = typed.limit.trim() === '' ? 0 : Number(typed.limit)
  if (!Number.isInteger(limit) || limit < 0 || limit > mostLimit)
    return `The limit is a whole number up to ${formatCount(mostLimit)}.`
  if (order !== '' && !of.fields.some(({ name }) => name === order)) return undeclared(order)
  const read: DocumentQuery['groups'][number][] = []
  for (const { lines } of groups) {
    const group = []
    for (const line of lines) {
      const found = comparedValues(of, line)
      if ('problem' in found) return found.problem
      group.push({ field: line.field, operator: line.operator, values: found.values })
    }
    if (group.length > 0) read.push(group)
  }
  if (countAlternatives({ groups: read }) > mostAlternatives) {
    return `A search has at most ${formatCount(mostAlternatives)} values. Leave some out.`
  }
  return { groups: read, orderBy: order === '' ? [] : [{ field: order, isDescending }], limit }
}
