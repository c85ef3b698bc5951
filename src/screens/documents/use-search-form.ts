import { useState } from 'react'
import type { Collection } from '~/immudb/collection'
import { type DocumentQuery, mostLimit } from '~/immudb/document-query'
import { formatCount } from '~/lib/text'
import { comparedValue, type TypedComparison, typedOf } from './comparison-value'

export type Group = { id: number; lines: readonly TypedComparison[] }

/** What is typed, and the query that it makes: a sentence while it makes none. */
export function useSearch(of: Collection, first: DocumentQuery) {
  const [groups, setGroups] = useState<readonly Group[]>(() =>
    first.groups.map((lines, id) => ({
      id,
      lines: lines.map((line, at) => typedOf(of, line, at)),
    })),
  )
  const [order, setOrder] = useState(first.orderBy[0]?.field ?? '')
  const [isDescending, setDescending] = useState(first.orderBy[0]?.isDescending ?? false)
  const [limit, setLimit] = useState(first.limit === 0 ? '' : String(first.limit))
  const [next, setNext] = useState(groups.length)
  const query = queryOf(of, { groups, order, isDescending, limit })
  return {
    groups,
    order,
    setOrder,
    isDescending,
    setDescending,
    limit,
    setLimit,
    query,
    addGroup: () => {
      setGroups([...groups, { id: next, lines: [newLine(of, 0)] }])
      setNext(next + 1)
    },
    removeGroup: (id: number) => setGroups(groups.filter((group) => group.id !== id)),
    setLines: (id: number, lines: readonly TypedComparison[]) =>
      setGroups(groups.map((group) => (group.id === id ? { id, lines } : group))),
  }
}

export function newLine(of: Collection, id: number): TypedComparison {
  const field = of.fields[1]?.name ?? of.idField
  return { id, field, operator: 'EQ', text: '', isNull: false }
}

type Typed = { groups: readonly Group[]; order: string; isDescending: boolean; limit: string }

function queryOf(of: Collection, typed: Typed): DocumentQuery | string {
  const { groups, order, isDescending } = typed
  const limit = typed.limit.trim() === '' ? 0 : Number(typed.limit)
  if (!Number.isInteger(limit) || limit < 0 || limit > mostLimit)
    return `The limit is a whole number up to ${formatCount(mostLimit)}.`
  const read: DocumentQuery['groups'][number][] = []
  for (const { lines } of groups) {
    const group = []
    for (const { field, operator, ...line } of lines) {
      const value = comparedValue(of, { field, operator, ...line })
      if ('problem' in value) return value.problem
      group.push({ field, operator, value: value.json })
    }
    if (group.length > 0) read.push(group)
  }
  return { groups: read, orderBy: order === '' ? [] : [{ field: order, isDescending }], limit }
}
