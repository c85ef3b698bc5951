import { plainNames } from '~/core/files/export-rows'
import type { Exportable, ExportPage } from '~/core/files/exports'
import type { RevisionLine } from '~/core/revisions/revisions'
import { sentence } from '~/core/session/failure-words'
import { documentJson } from '~/immudb/document-json'
import { base64ToBytes, base64ToHex, decodeUtf8 } from '~/lib/bytes'
import { PlainError } from '~/lib/plain-error'
import { formatCount } from '~/lib/text'
import { literalOf } from '~/sql/literals'
import { quoteName } from '~/sql/names'
import { csvField } from '~/sql/result-text'
import type { History, Part, RevisionContent } from './history'

type WholeRevision = RevisionLine & RevisionContent

/** Every revision of a key, a document or a row with its content, newest first. */
export const revisionsExport = (history: History): Exportable<'csv' | 'json'> => ({
  kind: 'revisions',
  name: JSON.stringify(history.subject),
  begin: (_io, format) => ({
    what: 'revision',
    kept: 'the newest',
    type: format === 'csv' ? 'text/csv' : 'application/json',
    pages: (signal) => onePage(history, format === 'csv' ? csvOf : jsonOf, signal),
    nameOf: () => `${plainNames([`history of ${history.what}`])}.${format}`,
    sentence,
  }),
})

/** Revisions that a file takes: each is a request or two, and all of them are in memory. */
const mostRead = 100_000

/** The file as one page, because only all of them say which columns it has. */
async function* onePage(
  history: History,
  textOf: (all: readonly WholeRevision[]) => string,
  signal: AbortSignal,
): AsyncGenerator<ExportPage> {
  const of = formatCount(history.count)
  if (history.count > mostRead) {
    throw new PlainError(`These are ${of} revisions, and a file takes ${formatCount(mostRead)}.`)
  }
  const all: WholeRevision[] = []
  for (let number = history.count; number >= 1; number -= 1) {
    yield { parts: [], count: 0, soFar: `${formatCount(all.length)} of ${of} read` }
    const [line] = await history.lines(number, number, { signal })
    const content = await history.content(number, { signal })
    if (line) all.push({ ...line, ...content })
  }
  yield { parts: [textOf(all)], count: all.length }
}

type Exported = Partial<WholeRevision> &
  Pick<RevisionContent, 'parts' | 'document'> & { number: number }

/** A table of SQL columns as RFC 4180 has it; the first columns say which revision a line is. */
export function csvOf(all: readonly WholeRevision[]): string {
  const names = [...new Set(all.flatMap(({ parts }) => parts.map(({ name }) => name)))]
  const heads = ['revision', 'tx', 'change', 'author', ...names]
  const lines = all.map(({ number, tx, kind, author, parts }) => {
    const byName = new Map(parts.map((part) => [part.name, part]))
    const own = [String(number), tx, kind, author].map((one) => csvField('VARCHAR', one, true))
    return [...own, ...names.map((name) => field(byName.get(name)))]
  })
  const head = heads.map((name) => csvField('VARCHAR', name, true))
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function field(part: Part | undefined): string {
  if (!part) return ''
  const [type, value] = plain(part)
  return csvField(type, value, true)
}

const sqlTypes: Readonly<Record<string, string>> = {
  SECONDS: 'INTEGER',
  TX: 'INTEGER',
  NUMBER: 'FLOAT',
}

/** A value of a key or document by a type of SQL. */
function plain({ type, value }: Part): [string, string | null] {
  if (type !== 'KEY' || value === null) return [sqlTypes[type] ?? type, value]
  const text = decodeUtf8(base64ToBytes(value))
  return text === null ? ['BLOB', value] : ['VARCHAR', text]
}

/** Revisions as JSON; cells of rows are texts, to stay exact, and documents are as they are. */
export function jsonOf(all: readonly Exported[]): string {
  const shown = all.map(({ number, tx = null, kind = null, author = null, ...of }) => ({
    revision: number,
    ...(tx === null ? {} : { tx }),
    ...(kind === null ? {} : { change: kind }),
    ...(author === null ? {} : { author }),
    content:
      of.document ?? Object.fromEntries(of.parts.map((part) => [part.name, jsonValue(part)])),
  }))
  return `${documentJson(shown.length === 1 ? shown[0] : shown, '')}\n`
}

function jsonValue(part: Part): string | null {
  const [type, value] = plain(part)
  return type === 'BLOB' && value !== null ? `0x${base64ToHex(value)}` : value
}

/** The statement that would insert a revision as it was. */
export function insertOf(table: string, parts: readonly Part[]): string {
  const names = parts.map(({ name }) => quoteName(name)).join(', ')
  const values = parts.map(({ type, value }) => literalOf(type, value)).join(', ')
  return `INSERT INTO ${quoteName(table)} (${names}) VALUES (${values});\n`
}
