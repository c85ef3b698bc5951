import { atom } from 'jotai'
import { newWriteId } from '~/api/write-once'
import { type EditorName, editorTextAtom, shownEditorAtom } from '~/atoms/query/editor'
import { shownParametersAtom } from '~/atoms/query/parameters'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import type { Io } from '~/core/act'
import { formatTx } from '~/lib/text'
import type { QueryParameter } from '~/sql/query-parameters'
import { type BrowserQuery, saveBrowserQuery } from './browser-queries'
import { noteInEditors, noteQuery, type SavedQuery } from './open-query'
import type { FileQuery } from './query-files'
import { longest, queryProblem, tidy } from './query-record'
import { forgetSharedSave, saveShared } from './shared-queries'

export type QueryPlace = SavedQuery['place']

/** A query in the form that saves it. */
export type SaveTask = {
  readonly kind: 'save'
  readonly of: FileQuery
  readonly place: QueryPlace
  /** The mark of the version that is changed; null for a new query. */
  readonly base: string | null
  /** The editor whose text it has, which knows the query once it is saved. */
  readonly editor?: EditorName
  /** What is typed for its parameters, which is saved only if that is chosen. */
  readonly values?: readonly QueryParameter[]
  /** It was tried already, and this is what came of it. */
  readonly tried?: Exclude<SaveEnd, { kind: 'done' }>
}

/** The list of saved queries, perhaps with one of them chosen. */
export type LibraryView = { readonly kind: 'library'; readonly chosen?: string }

/** What is open over the editor; null for nothing. */
export const queryDialogAtom = atom<SaveTask | LibraryView | null>(null)

/** How a save ended. */
export type SaveEnd =
  | { readonly kind: 'done'; readonly query: SavedQuery; readonly text: string }
  /** Something else is stored by now: nothing was changed. */
  | { readonly kind: 'conflict'; readonly stored: BrowserQuery | null }
  | { readonly kind: 'refused'; readonly why: string }
  /** See `sharedSaveAtom`: a conflict, a refusal, or no answer. */
  | { readonly kind: 'see-write' }

/** A new query with a text; it needs a name. */
export function newQuery(database: string, text: string): FileQuery {
  return { id: newWriteId(), name: '', folder: '', description: '', text, database }
}

/** The same under an id of its own. */
export function copyOf({ name, ...query }: FileQuery): FileQuery {
  const copy = ` (copy)`
  return { ...query, id: newWriteId(), name: name.slice(0, longest.name - copy.length) + copy }
}

/** Saves a query as a task says, once. */
export async function saveQuery(io: Io, task: SaveTask): Promise<SaveEnd> {
  const { of, place, base, editor } = task
  const end = place === 'browser' ? await inBrowser(io, of, base) : await inImmudb(io, of, base)
  if (end.kind === 'done') {
    if (editor) noteQuery(io, editor, end.query)
    noteInEditors(io, end.query, base)
  }
  return end
}

async function inBrowser(io: Io, of: FileQuery, base: string | null): Promise<SaveEnd> {
  const end = await saveBrowserQuery(io, of, base)
  return end.kind === 'done'
    ? { ...end, text: `“${of.name.trim()}” was saved in this browser.` }
    : end
}

async function inImmudb(io: Io, of: FileQuery, base: string | null): Promise<SaveEnd> {
  const { database, ...content } = of
  const end = await saveShared(io, database, tidy(content), base)
  return end?.kind === 'committed' ? storedEnd(end.value) : { kind: 'see-write' }
}

/** How a save ended that is known to be stored. */
export function storedEnd({
  query,
  tx,
  text,
}: {
  query: SavedQuery
  tx: string | null
  text: string
}) {
  const told =
    tx === null
      ? `“${query.name}” is stored. ${text}`
      : `“${query.name}” was stored in tx ${formatTx(tx)}. ${text}`
  return { kind: 'done', query, text: told.trim() } as const
}

/**
 * Begins to save the text of the shown editor: its query again where it has one, which is done at
 * once, else a new one in the form. Resolves with what was saved, or null where the form asks.
 */
export async function saveShownText(io: Io): Promise<SaveEnd | null> {
  const [{ savedQuery, parameters, chart, database, id }, text] = [
    io.get(shownEditorAtom),
    io.get(editorTextAtom),
  ]
  if (database === '' || text === null) return null
  const ask = (task: SaveTask) => {
    io.set(queryDialogAtom, task)
    return null
  }
  const editor = { database, id }
  const more = { ...(parameters && { parameters }), ...(chart && { chart }) }
  if (savedQuery === undefined) {
    const of = { ...newQuery(database, text), ...(chart && { chart }) }
    const values = io.get(shownParametersAtom)
    return ask({ kind: 'save', of, place: 'browser', base: null, editor, values })
  }
  const { place, mark: base, id: queryId, name, folder, description } = savedQuery
  const about = { id: queryId, name, folder, description }
  const of = { ...about, database, text, ...more }
  const task: SaveTask = { kind: 'save', of, place, base, editor }
  // The form says why it cannot be saved.
  const isRefused = place === 'shared' && io.get(writeRefusalAtom) !== undefined
  if (isRefused || Object.keys(queryProblem(of)).length > 0) return ask(task)
  if (place === 'shared') forgetSharedSave(io, database, queryId)
  const end = await saveQuery(io, task)
  return end.kind === 'done' ? end : ask({ ...task, tried: end })
}
