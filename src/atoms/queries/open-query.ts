import { atom } from 'jotai'
import {
  type EditorName,
  editorOfAtom,
  editorTextAtom,
  loadDraft,
  noteFact,
  openEditorsAtom,
  shownEditorAtom,
  withoutPasswords,
} from '~/atoms/query/editor'
import type { EditorQuery } from '~/atoms/query/editor-query'
import { type Opened, openEditor, renameEditor } from '~/atoms/query/editors'
import { typedOfAtom, typeLinkedValues, typeParameters } from '~/atoms/query/parameters'
import type { Io } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { isQueryId } from '~/immudb/saved-query'
import { checksum, firstChecksum } from '~/lib/checksum'
import type { LinkedValue } from '~/sql/parameter-values'
import { type BrowserQuery, browserQueriesAtom, readBrowserQueries } from './browser-queries'
import { readShared, type SharedQuery } from './shared-queries'

export type SavedQuery = BrowserQuery | SharedQuery

const sumOf = (text: string) => checksum(firstChecksum, text)

/** Whether the text or the chart of the shown editor is not that of its query, as it was saved. */
export const isChangedAtom = atom((get) => {
  const [{ savedQuery, chart }, text] = [get(shownEditorAtom), get(editorTextAtom)]
  if (savedQuery === undefined || text === null) return false
  if (JSON.stringify(chart) !== JSON.stringify(savedQuery.chart)) return true
  const saved = withoutPasswords(text)
  return saved.length !== savedQuery.length || sumOf(saved) !== savedQuery.sum
})

function asShown({ text, chart, ...query }: SavedQuery): EditorQuery {
  const { place, id, name, folder, description, mark } = query
  const [sum, length] = [sumOf(text), text.length]
  return { place, id, name, folder, description, mark, sum, length, ...(chart && { chart }) }
}

/** An editor was called so by the console, not by the user. */
const isUnnamed = (name: string | undefined) => name === undefined || /^Editor( \d+)?$/.test(name)

/** Lets an editor know its query, which was just saved from it; null for none any more. */
export function noteQuery(io: Io, editor: EditorName, query: SavedQuery | null): void {
  if (query !== null && isUnnamed(io.get(editorOfAtom)(editor)?.name)) {
    renameEditor(io, editor, query.name)
  }
  noteFact(io, editor, 'savedQuery', query && asShown(query))
  if (query === null) return
  // Values that are no longer saved stay with this tab.
  if (!query.parameters) typeParameters(io, io.get(typedOfAtom)(editor), editor)
  noteFact(io, editor, 'parameters', query.parameters ?? null)
}

/** Tells the editors that show a version of a query that it was saved over from here. */
export function noteInEditors(io: Io, query: SavedQuery, base: string | null): void {
  for (const editor of io.get(openEditorsAtom)(query.database)) {
    const known = editor.savedQuery
    const isIt = known?.id === query.id && known.place === query.place && known.mark === base
    if (isIt) noteQuery(io, editor, query)
  }
}

/** What a query is opened with beside what is saved of it. */
type Linked = {
  /** It came with a link, and someone else may have written it. */
  readonly isLinked?: boolean
  /** By the names of parameters. */
  readonly values?: ReadonlyMap<string, LinkedValue>
}

/**
 * Opens a saved query in an editor of its own, or names the open one that shows this version of it.
 * Nothing is run.
 */
export async function openSavedQuery(
  io: Io,
  query: SavedQuery,
  { isLinked = false, values = new Map() }: Linked = {},
): Promise<Opened> {
  const { database, text, name, parameters, chart } = query
  await loadDraft(io, database)
  const savedQuery = asShown(query)
  const isIt = (of: EditorQuery | undefined) =>
    of?.id === query.id && of.place === query.place && of.mark === query.mark
  const same = io
    .get(openEditorsAtom)(database)
    .find((one) => isIt(one.savedQuery))
  // What was typed in it for a name stays.
  if (same && values.size === 0) return { editor: same }
  const opened = await openEditor(io, {
    ...{ text, name, database, savedQuery },
    ...(parameters && { parameters }),
    ...(chart && { chart }),
    ...(isLinked && { isLinked }),
  })
  if ('editor' in opened) typeLinkedValues(io, opened.editor, values)
  return opened
}

/** Why a link led to no query; null once it was read. */
export const linkProblemAtom = atom<string | null>(null)

/**
 * Opens the query of a link: that of the open database which this browser keeps, else the shared one,
 * else one of another database which this browser keeps. Null where there is none.
 */
export async function openQueryLink(
  io: Io,
  id: string,
  values: ReadonlyMap<string, LinkedValue> = new Map(),
): Promise<Opened | null> {
  const tell = (problem: string) => {
    io.set(linkProblemAtom, problem)
    return null
  }
  io.set(linkProblemAtom, null)
  await readBrowserQueries(io)
  const own = io.get(browserQueriesAtom)?.find((one) => one.id === id)
  const database = io.get(databaseAtom)
  if (own && own.database === database) {
    return openSavedQuery(io, own, { isLinked: values.size > 0, values })
  }
  if (database === null) return tell('The link leads to a saved query, but no database is open.')
  if (!isQueryId(id)) return tell(unknownQuery(id, database))
  try {
    const found = await readShared(io, database, id)
    if (found === null && own) return await openSavedQuery(io, own, { values })
    if (found === null) return tell(unknownQuery(id, database))
    if ('place' in found) return await openSavedQuery(io, found, { isLinked: true, values })
    return tell(`The saved query “${id}” cannot be opened. ${found.why}`)
  } catch (error) {
    return tell(
      `The saved query of the link is not in this browser, and the database “${database}” could not be asked for it. ${sentence(error)} Open the link again to try once more.`,
    )
  }
}

function unknownQuery(id: string, database: string): string {
  return `Neither this browser nor the database “${database}” has a saved query “${id}”. It may be deleted, or be kept in someone else's browser: ask for it as a file, or as a shared query.`
}
