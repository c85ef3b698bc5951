import * as v from 'valibot'
import { plainNames } from '~/core/files/export-rows'
import { type Exportable, endPages } from '~/core/files/exports'
import { sentence } from '~/core/session/failure-words'
import { parsedJson } from '~/lib/parsed-json'
import { counted } from '~/lib/text'
import type { BrowserQuery } from './browser-queries'
import { isSameQuery, type QueryContent, queryText, readQuery } from './query-record'

const product = 'webconsole saved queries'
/** Grows when older consoles could not read the file. */
const schema = 1

/** A query with the database that it reads, as a file has it. */
export type FileQuery = QueryContent & { readonly database: string }

/**
 * Queries as a file: `{ product, schema, queries }`, each query as the value of its key in immudb,
 * with its database. It holds no user, no server and no password.
 * @param lacks what the file does not have of what it is of, as sentences
 */
export const queriesExport = (
  of: string,
  queries: readonly FileQuery[],
  lacks: readonly string[] = [],
): Exportable<'json'> => ({
  kind: 'saved queries',
  name: of,
  begin: () => ({
    what: 'query',
    many: 'queries',
    kept: 'the first',
    type: 'application/json',
    sentence,
    nameOf: (count, isComplete) =>
      `${plainNames(['queries', of])}-${count}${isComplete ? '' : '-incomplete'}.json`,
    pages: async function* () {
      const lines = withOwnIds(queries).map((query) => ({
        ...JSON.parse(queryText(query)),
        database: query.database,
      }))
      const file = { product, schema, queries: lines }
      yield { parts: [`${JSON.stringify(file, null, 2)}\n`], count: lines.length }
      endPages(lacks)
    },
  }),
})

/** This browser may keep a query that the database keeps, too: a file has each under an id of its own. */
function withOwnIds(queries: readonly FileQuery[]): readonly FileQuery[] {
  const seen = new Set<string>()
  return queries.map((query) => {
    let { id } = query
    for (let number = 2; seen.has(id); number++) id = `${query.id.slice(0, 56)}-${number}`
    seen.add(id)
    return { ...query, id }
  })
}

const file = v.object({
  product: v.literal(product),
  schema: v.number(),
  queries: v.array(v.unknown()),
})

const placed = v.object({ database: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)) })

/** A file may be of a whole list, shared queries too, which is longer than a browser keeps. */
export const mostFileQueries = 20_000
/** Files with more bytes are not read. */
export const queryFileLimit = 30_000_000

/** A query of a file, beside what this browser keeps under its id. */
export type GivenQuery =
  | { readonly kind: 'new' | 'same'; readonly query: FileQuery }
  /** `stored` is another version, or another query. */
  | { readonly kind: 'conflict'; readonly query: FileQuery; readonly stored: BrowserQuery }
  /** It cannot be read; `number` counts from one. */
  | { readonly kind: 'unreadable'; readonly number: number; readonly why: string }

/** What a file holds, in its order; or a sentence about why nothing of it can be taken over. */
export function readQueryFile(
  text: string,
  known: readonly BrowserQuery[],
): { readonly given: readonly GivenQuery[] } | { readonly problem: string } {
  const found = v.safeParse(file, parsedJson(text))
  if (!found.success) return refuse('This is not a file of saved queries of this console.')
  if (found.output.schema !== schema)
    return refuse('A newer version of this console wrote this file.')
  const { queries } = found.output
  if (queries.length === 0) return refuse('This file holds no queries.')
  if (queries.length > mostFileQueries) {
    return refuse(`It holds more than ${counted(mostFileQueries, 'query', 'queries')}.`)
  }
  const byId = new Map(known.map((one) => [one.id, one]))
  const seen = new Set<string>()
  const given = queries.map((one, index): GivenQuery => {
    const [content, place] = [readQuery(one), v.safeParse(placed, one)]
    const number = index + 1
    if ('why' in content) return { kind: 'unreadable', number, why: content.why }
    if (!place.success) return { kind: 'unreadable', number, why: 'It names no database.' }
    if (seen.has(content.id)) {
      return { kind: 'unreadable', number, why: 'A query before it in the file has the same id.' }
    }
    seen.add(content.id)
    const query = { ...content, ...place.output }
    const stored = byId.get(content.id)
    if (!stored) return { kind: 'new', query }
    const isSame = isSameQuery(stored, query) && stored.database === query.database
    return isSame ? { kind: 'same', query } : { kind: 'conflict', query, stored }
  })
  return { given }
}

const refuse = (why: string) => ({ problem: `${why} Nothing was taken over.` })
