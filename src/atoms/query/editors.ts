import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import type { ChartChoice } from '~/sql/chart-choice'
import type { LinkedValue } from '~/sql/parameter-values'
import type { QueryParameter } from '~/sql/query-parameters'
import {
  closedEditorsAtom,
  type Editor,
  type EditorName,
  editorOfAtom,
  forgetEditor,
  isThere,
  loadDraft,
  newId,
  noteFact,
  openEditorsAtom,
  setEditorText,
  textOf,
} from './editor'
import type { EditorQuery } from './editor-query'
import { typedOfAtom, typeLinkedValues } from './parameters'

/** What a new editor begins with. Nothing of it is run. */
export type NewEditor = {
  readonly text: string
  /** None: “Editor” and a number. */
  readonly name?: string
  /** None: the open database. */
  readonly database?: string
  /** The moment it shows, as an address has it. */
  readonly at?: string
  /** It came with a link that someone else may have written. */
  readonly isLinked?: true
  readonly savedQuery?: EditorQuery
  readonly parameters?: readonly QueryParameter[]
  readonly chart?: ChartChoice
}

/** The editor that was opened, or why there is none. */
export type Opened = { readonly editor: EditorName } | { readonly refusal: string }

/** Editors that are open in one database. */
export const mostEditors = 50
/** Characters of a text that is opened from elsewhere; what is typed or pasted has no limit. */
export const longestOpened = 2_000_000
/** Characters of a name. */
export const longestName = 100
/** Closed editors that are kept of one database, and characters of all texts but the last one's. */
const mostClosed = 30
const mostClosedCharacters = 2_000_000

/** What an editor is called. */
export function nameOf({ name }: Pick<Editor, 'name'>): string {
  return name ?? plainName
}

const plainName = 'Editor'

/** Opens an editor of its own for a text, at the end of the tabs. It is shown by its address. */
export async function openEditor(io: Io, start: NewEditor): Promise<Opened> {
  const { text, name, database = io.get(databaseAtom) ?? '', at, isLinked } = start
  if (text.length > longestOpened) {
    return { refusal: 'This text is too long for an editor. Nothing was opened.' }
  }
  await loadDraft(io, database)
  const open = io.get(openEditorsAtom)(database)
  if (open.length >= mostEditors) return { refusal: tooMany }
  const editor = { database, id: newId() }
  noteFact(io, editor, 'place', Math.max(...open.map(({ place = 0 }) => place)) + 1)
  noteFact(io, editor, 'name', shortened(name ?? '') || freeName(open))
  if (text !== '') setEditorText(io, text, editor)
  noteFact(io, editor, 'at', at ?? null)
  noteFact(io, editor, 'isLinked', isLinked ?? null)
  noteFact(io, editor, 'savedQuery', start.savedQuery ?? null)
  noteFact(io, editor, 'parameters', start.parameters ? [...start.parameters] : null)
  noteFact(io, editor, 'chart', start.chart ?? null)
  return { editor }
}

const tooMany = `${mostEditors} editors are open in this database, the most that this browser keeps. Close one first.`

/** An empty editor. The one that is there stays, even if nothing was typed in it. */
export async function openEmptyEditor(io: Io): Promise<Opened> {
  const database = io.get(databaseAtom) ?? ''
  await loadDraft(io, database)
  const [only, ...others] = io.get(openEditorsAtom)(database)
  if (only && others.length === 0) noteFact(io, only, 'place', only.place ?? 0)
  return openEditor(io, { text: '', database })
}

/**
 * Opens the text of a link, which runs nothing. Where an open editor has just this text, that one
 * is meant; what was typed in it for a name stays.
 * @param values by the names of parameters
 * @param at the moment that the link names
 */
export async function openLinked(
  io: Io,
  text: string,
  values: ReadonlyMap<string, LinkedValue> = new Map(),
  at?: string,
): Promise<Opened> {
  const database = io.get(databaseAtom) ?? ''
  await loadDraft(io, database)
  const same = io
    .get(openEditorsAtom)(database)
    .find((one) => textOf(io.get, one) === text && hasValues(io, one, values))
  if (same) {
    noteFact(io, same, 'at', at || null)
    return { editor: same }
  }
  const opened = await openEditor(io, {
    text,
    database,
    isLinked: true,
    ...(at ? { at } : {}),
  })
  if ('editor' in opened) typeLinkedValues(io, opened.editor, values)
  return opened
}

/** Whether just these values are typed in an editor. */
function hasValues(io: Io, editor: EditorName, values: ReadonlyMap<string, LinkedValue>): boolean {
  const typed = new Map(
    io
      .get(typedOfAtom)(editor)
      .map((one) => [one.name, one]),
  )
  return [...values].every(([name, { text, type }]) => {
    const known = typed.get(name)
    return known?.text === text && (type === null || known.type === type)
  })
}

/** Takes the text of a link as the user's own. */
export function keepLinked(io: Io, editor: EditorName) {
  noteFact(io, editor, 'isLinked', null)
}

/** A second editor with the same text, behind the first. */
export async function duplicateEditor(io: Io, name: EditorName): Promise<Opened> {
  // Saving the copy must not change the saved query of the first.
  const { savedQuery: _, ...editor } = io.get(editorOfAtom)(name) ?? {}
  const opened = await openEditor(io, {
    ...editor,
    text: textOf(io.get, name) ?? '',
    name: `${shortened(nameOf(editor), longestName - copy.length)}${copy}`,
    database: name.database,
  })
  if ('editor' in opened) placeBehind(io, opened.editor, name)
  return opened
}

const copy = ' (copy)'

/** Gives an editor another name; an empty one changes nothing. */
export function renameEditor(io: Io, editor: EditorName, name: string) {
  const short = shortened(name)
  if (short === '') return
  noteFact(io, editor, 'place', io.get(editorOfAtom)(editor)?.place ?? 0)
  noteFact(io, editor, 'name', short)
}

/** A name of one line, without what surrounds it. */
function shortened(name: string, most = longestName): string {
  const line = name.replace(/\s+/g, ' ').trim()
  return [...line].slice(0, most).join('')
}

/** “Editor”, or with the first number that no other has. */
function freeName(editors: readonly Editor[]): string {
  const taken = new Set(editors.filter(isThere).map(nameOf))
  if (!taken.has(plainName)) return plainName
  let number = 2
  while (taken.has(`${plainName} ${number}`)) number += 1
  return `${plainName} ${number}`
}

/** Moves an editor among the tabs of its database: 1 to the next place, -1 to the one before. */
export function moveEditor(io: Io, { database, id }: EditorName, by: 1 | -1) {
  const open = io.get(openEditorsAtom)(database)
  const at = open.findIndex((one) => one.id === id)
  const target = open[at + by]
  const editor = open[at]
  if (!target || !editor) return
  if (by === 1) placeBehind(io, editor, target)
  else placeBehind(io, editor, open[at - 2] ?? null)
}

/** Puts an editor behind another one of its database; null for the first place. */
export function placeBehind(io: Io, editor: EditorName, before: EditorName | null) {
  const others = io
    .get(openEditorsAtom)(editor.database)
    .filter(({ id }) => id !== editor.id)
  const at = before === null ? -1 : others.findIndex(({ id }) => id === before.id)
  const [left, right] = [others[at], others[at + 1]].map((one) => one && (one.place ?? 0))
  const place =
    left === undefined
      ? (right ?? 0) - 1
      : right === undefined
        ? left + 1
        : left + (right - left) / 2
  if (place !== left && place !== right) {
    noteFact(io, editor, 'place', place)
    return
  }
  // There is no number left between the two, or they have the same.
  const all: EditorName[] = [...others]
  all.splice(at + 1, 0, editor)
  for (const [number, one] of all.entries()) noteFact(io, one, 'place', number)
}

/**
 * Closes an editor, which is kept among the closed ones unless it is empty. Returns the one to show
 * in its place; null for the empty one that stands where all were closed.
 * @param hasMore whether something else hangs on it, such as output
 */
export function closeEditor(io: Io, name: EditorName, hasMore = false): EditorName | null {
  const { database, id } = name
  const open = io.get(openEditorsAtom)(database)
  const at = open.findIndex((one) => one.id === id)
  const editor = open[at]
  if (!editor) return null
  if (editor.isEmpty && !hasMore && editor.savedQuery === undefined) forgetEditor(io, name)
  else noteFact(io, name, 'closed', Math.max(Date.now(), newestClosed(io, database) + 1))
  forgetOldest(io, database)
  return open[at + 1] ?? open[at - 1] ?? null
}

const newestClosed = (io: Io, database: string) =>
  io.get(closedEditorsAtom)(database)[0]?.closed ?? 0

/**
 * The closed editors beyond the limits are forgotten. The last one always stays, and a long text
 * takes no short ones with it.
 */
function forgetOldest(io: Io, database: string) {
  let left = mostClosedCharacters
  const [, ...others] = io.get(closedEditorsAtom)(database)
  for (const [at, editor] of others.entries()) {
    const { length } = textOf(io.get, editor) ?? ''
    if (at + 1 < mostClosed && length <= left) left -= length
    else forgetEditor(io, editor)
  }
}

/** Opens a closed editor again, where it stood. */
export function reopenEditor(io: Io, editor: EditorName): Opened {
  if (io.get(openEditorsAtom)(editor.database).length >= mostEditors) return { refusal: tooMany }
  noteFact(io, editor, 'closed', null)
  noteFact(io, editor, 'place', io.get(editorOfAtom)(editor)?.place ?? 0)
  return { editor }
}
