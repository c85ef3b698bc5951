import * as v from 'valibot'
import { withoutPasswords } from '~/atoms/query/editor'
import { isQueryId } from '~/immudb/saved-query'
import { parsedJson } from '~/lib/parsed-json'
import { formatCount } from '~/lib/text'
import { chartChoice } from '~/sql/chart-choice'
import { queryParameters } from '~/sql/query-parameters'

/**
 * Longest parts of a saved query, in characters, and of its folder's path in folders. `values` are
 * those of all parameters: a key of more than 4 MiB could be written and never be read.
 */
export const longest = {
  name: 120,
  folder: 240,
  depth: 8,
  description: 2_000,
  text: 250_000,
  values: 250_000,
}

/** The folders of a typed path, such as `reports/monthly`, without empty ones. */
export function foldersOf(path: string): readonly string[] {
  return path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** A path of folders as it is kept; empty for none. */
export const plainFolder = (path: string): string => foldersOf(path).join('/')

const textUpTo = (most: number) => v.pipe(v.string(), v.maxLength(most))

const id = v.pipe(v.string(), v.check(isQueryId))

const content = {
  id,
  name: v.pipe(
    textUpTo(longest.name),
    v.transform((name) => name.trim()),
    v.nonEmpty(),
  ),
  folder: v.pipe(
    textUpTo(longest.folder),
    v.transform(plainFolder),
    v.check((folder) => foldersOf(folder).length <= longest.depth),
  ),
  description: v.optional(textUpTo(longest.description), ''),
  text: textUpTo(longest.text),
  parameters: v.optional(v.pipe(queryParameters, v.maxLength(200))),
  chart: v.optional(chartChoice),
}

/** What is kept of a query wherever it is kept. */
const queryContent = v.object(content)
export type QueryContent = v.InferOutput<typeof queryContent>

const format = 'webconsole query'
/** Grows when older consoles could not read it, or would lose something of it. */
const version = 1

const marked = v.object({ format: v.literal(format), version: v.number() })

/** Why a record cannot be read, as a sentence. */
export type UnreadableQuery = { readonly why: string }

/** A saved query as text: the value of its key, and what a file has of it. */
export function queryText(of: QueryContent): string {
  return JSON.stringify({ format, version, ...tidy(of) })
}

/** Without passwords, and without fields that are of the place where it is kept. */
export function tidy(of: QueryContent): QueryContent {
  return v.parse(queryContent, { ...of, text: withoutPasswords(of.text) })
}

/** Reads a record; `keyId` is the id that the name of its key has. */
export function readQuery(value: unknown, keyId?: string): QueryContent | UnreadableQuery {
  const head = v.safeParse(marked, value)
  if (!head.success) return { why: 'It is no saved query of this console.' }
  if (head.output.version !== version) {
    return { why: 'A newer version of this console wrote it.' }
  }
  const found = v.safeParse(queryContent, value)
  if (!found.success) {
    const [issue] = found.issues
    const part = issue.path?.map(({ key }) => String(key)).join('.') ?? 'form'
    return { why: `Its ${part} is not as expected.` }
  }
  if (keyId !== undefined && found.output.id !== keyId) {
    return { why: 'It names another query than its key.' }
  }
  return found.output
}

/** The same for the text of a key's value; null where its bytes are no text. */
export function readQueryText(text: string | null, keyId: string): QueryContent | UnreadableQuery {
  const value = text === null ? undefined : parsedJson(text)
  if (value === undefined || value === null) return { why: 'It is not JSON.' }
  return readQuery(value, keyId)
}

/** Whether two have the same content. */
export function isSameQuery(one: QueryContent, other: QueryContent): boolean {
  return queryText(one) === queryText(other)
}

/** What a save form may have typed: why it cannot be saved, or undefined. */
export function queryProblem(of: Pick<QueryContent, 'name' | 'folder' | 'text' | 'parameters'>): {
  name?: string
  folder?: string
  text?: string
  values?: string
} {
  const folders = foldersOf(of.folder)
  const values = (of.parameters ?? []).reduce((sum, { text }) => sum + (text?.length ?? 0), 0)
  return {
    ...(of.name.trim() === '' && { name: 'A query needs a name.' }),
    ...(folders.length > longest.depth && { folder: `At most ${longest.depth} folders deep.` }),
    ...(of.text.trim() === '' && { text: 'The editor is empty.' }),
    ...(of.text.length > longest.text && {
      text: `The text is longer than ${formatCount(longest.text)} characters.`,
    }),
    ...(values > longest.values && {
      values: `The values are longer than ${formatCount(longest.values)} characters. Save it without them.`,
    }),
  }
}
