import { atom, type Getter } from 'jotai'
import { selectAtom } from 'jotai/utils'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftsOf } from '~/core/draft-slots'
import { databaseAtom } from '~/core/session/session'
import { chartChoice } from '~/sql/chart-choice'
import { queryParameters } from '~/sql/query-parameters'
import { addressedEditorsAtom } from './addressed-editor'
import { editorQuery } from './editor-query'

/**
 * Names an editor. It belongs to its database for good: SQL that was written for one must not stand
 * ready to run in another. The first editor of each database has an empty id.
 */
export type EditorName = { readonly database: string; readonly id: string }

/** What is kept of an editor beside its database, all of it optional. */
const schemas = {
  text: v.string(),
  /** What the user calls it; none: “Editor”. */
  name: v.string(),
  /** Where it stands among the tabs: numbers of any size, in their order; none: 0. */
  place: v.number(),
  /** The moment it shows, as an address has it; none: now. */
  at: v.string(),
  /** When it was closed, in milliseconds since 1970; none: it is open. */
  closed: v.number(),
  /** Its text came with a link and was neither run nor kept. */
  isLinked: v.literal(true),
  /** The saved query that it shows. */
  savedQuery: editorQuery,
  parameters: queryParameters,
  chart: chartChoice,
} as const

type Schemas = typeof schemas
type Facts = { readonly [F in keyof Schemas]: v.InferOutput<Schemas[F]> }
export type FactName = keyof Facts

/** Whatever is known of an editor, whose text is read by `textOfAtom`. */
export type Editor = EditorName & Partial<Omit<Facts, 'text'>> & { readonly isEmpty: boolean }

type Fact = EditorName & { readonly fact: FactName; readonly value: Facts[FactName] }

const names = Object.keys(schemas) as FactName[]

const keptFact = v.pipe(
  v.object({
    database: v.string(),
    id: v.string(),
    fact: v.picklist(names),
    value: v.unknown(),
  }),
  v.check(({ fact, value }) => v.is(schemas[fact], value)),
)

/** The text of a first editor is kept as it was when there was no other. */
const keptText = v.tuple([v.string(), v.string()])

/** The slot of a fact, and the name of an editor in maps. */
const slotOf = ({ database, id }: EditorName, fact: FactName) =>
  id === '' && fact === 'text' ? database : JSON.stringify([database, id, fact])

/**
 * Each fact of an editor is a draft of its own, so that a name given in one tab does not undo the
 * text or the place of another. A tab has its own; storage has the last of any tab. Passwords are
 * never stored.
 */
export const editorDrafts = draftsOf<Fact, v.InferOutput<typeof keptText | typeof keptFact>>({
  kind: 'sql',
  schema: v.union([keptText, keptFact]),
  read: (kept) => {
    const fact = Array.isArray(kept)
      ? { database: kept[0], id: '', fact: 'text' as const, value: kept[1] }
      : (kept as Fact)
    return [slotOf(fact, fact.fact), fact]
  },
  write: ({ database, id, fact, value }) => {
    if (fact !== 'text') return { database, id, fact, value }
    const text = withoutPasswords(String(value))
    if (text === '') return null
    return id === '' ? [database, text] : { database, id, fact, value: text }
  },
  lengthOf: ({ value }) => (typeof value === 'string' ? value.length : 0),
  most: Number.POSITIVE_INFINITY,
  groupOf: ({ database }) => database,
})

/** Loads the drafts of the editors of a database, once. */
export function loadDraft(io: Io, database = io.get(databaseAtom) ?? '') {
  return editorDrafts.load(io, database)
}

/** The text of an editor; null until the stored drafts of its database were looked up. */
export function textOf(get: Getter, name: EditorName): string | null {
  const fact = get(editorDrafts.draftsAtom).get(slotOf(name, 'text'))
  if (fact) return String(fact.value)
  return get(editorDrafts.loadedAtom).has(name.database) ? '' : null
}

/** Keeps a fact of an editor; null forgets it. */
export function noteFact<F extends FactName>(
  io: Io,
  { database, id }: EditorName,
  fact: F,
  value: Facts[F] | null,
) {
  const slot = slotOf({ database, id }, fact)
  if (value === null) {
    if (io.get(editorDrafts.draftsAtom).has(slot)) editorDrafts.put(io, slot, null)
    return
  }
  const known = io.get(editorDrafts.draftsAtom).get(slot)
  if (known?.value === value) return
  editorDrafts.put(io, slot, { database, id, fact, value })
}

/** Forgets an editor for good. */
export function forgetEditor(io: Io, editor: EditorName) {
  for (const fact of names) noteFact(io, editor, fact, null)
}

/** All editors of all databases that were looked up, without their texts. */
const knownAtom = selectAtom(
  atom((get): readonly Editor[] => {
    const found = new Map<string, Record<string, unknown>>()
    for (const { database, id, fact, value } of get(editorDrafts.draftsAtom).values()) {
      const key = JSON.stringify([database, id])
      const editor = found.get(key) ?? { database, id, isEmpty: true }
      if (fact !== 'text') editor[fact] = value
      else if (value !== '') editor.isEmpty = false
      found.set(key, editor)
    }
    return [...found.values()] as unknown as readonly Editor[]
  }),
  (all) => all,
  // Each key press changes a text.
  (one, other) => JSON.stringify(one) === JSON.stringify(other),
)

/** What is known of an editor; null for nothing. */
export const editorOfAtom = atom((get) => {
  const all = get(knownAtom)
  return ({ database, id }: EditorName): Editor | null =>
    all.find((one) => one.database === database && one.id === id) ?? null
})

/** Whether there is an editor, and not only something that was noted about an empty one. */
export const isThere = ({ isEmpty, name, place, closed }: Editor) =>
  !isEmpty || name !== undefined || place !== undefined || closed !== undefined

/** Whether the address names an editor that this browser does not have. */
export const isMissingAtom = atom((get) => {
  const shown = get(shownEditorAtom)
  return get(addressedEditorsAtom).get(shown.database) === shown.id && !isThere(shown)
})

const byPlace = (one: Editor, other: Editor) =>
  (one.place ?? 0) - (other.place ?? 0) || (one.id < other.id ? -1 : 1)

/** The editors of a database that were closed, the last one first. */
export const closedEditorsAtom = atom((get) => {
  const all = get(knownAtom)
  return (database: string): readonly Editor[] =>
    all
      .filter((one) => one.database === database && one.closed !== undefined)
      .sort((one, other) => (other.closed ?? 0) - (one.closed ?? 0))
})

/** An id that no other editor of this browser has. */
export function newId(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return random.toString(36).padStart(7, '0')
}

/** Once for each store: the id of the editor that stands where all others were closed. */
const spareAtom = atom(newId)

/** The open editors of a database in the order of their tabs; there is always one. */
export const openEditorsAtom = atom((get) => {
  const all = get(knownAtom)
  const addressed = get(addressedEditorsAtom)
  const spare = get(spareAtom)
  return (database: string): readonly Editor[] => {
    const ofIt = all.filter((one) => one.database === database && isThere(one))
    const open = ofIt.filter(({ closed }) => closed === undefined).sort(byPlace)
    const isKnown = (id: string) => ofIt.some((one) => one.id === id)
    const found = (id: string) =>
      all.find((one) => one.database === database && one.id === id) ?? {
        database,
        id,
        isEmpty: true,
      }
    const wanted = addressed.get(database)
    // One that this browser does not have is an empty one.
    if (wanted !== undefined && !isKnown(wanted)) return [...open, found(wanted)]
    if (open.length > 0) return open
    const free = ['', spare, ...all.map((_, at) => `${spare}${at}`)]
    return [found(free.find((id) => !isKnown(id)) ?? spare)]
  }
})

/** The editor that is shown, or would be if no table were. */
export const shownEditorAtom = selectAtom(
  atom((get): Editor => {
    const database = get(databaseAtom) ?? ''
    const opened = get(openEditorsAtom)(database)
    // An address without one means the editor of the empty id, wherever its tab stands.
    const wanted = get(addressedEditorsAtom).get(database) ?? ''
    const [first = { database, id: '', isEmpty: true }] = opened
    return opened.find(({ id }) => id === wanted) ?? first
  }),
  (shown) => shown,
  (one, other) => JSON.stringify(one) === JSON.stringify(other),
)

/** The text in the editor that is shown; null until the stored draft was looked up. */
export const editorTextAtom = atom((get) => textOf(get, get(shownEditorAtom)))

/** Takes the typed text. */
export function setEditorText(io: Io, text: string, editor: EditorName = io.get(shownEditorAtom)) {
  const { database, id } = editor
  editorDrafts.put(io, slotOf(editor, 'text'), { database, id, fact: 'text', value: text })
}

/** Spaces and comments, in a pattern that cannot backtrack. */
const gap = /(?:\s|--[^\n\r]*[\n\r]|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.source

/**
 * A literal as typed so far: closed on its line, closed on a later line of the statement, or still
 * open. An open one takes the rest of its line and leaves the statements below alone.
 */
function literal(quote: string): string {
  return `${quote}(?:(?:[^${quote}\n\r]|${quote}${quote})*${quote}(?!${quote})|(?:[^${quote};]|${quote}${quote})*${quote}(?!${quote})|[^\n\r]*)`
}

const password = new RegExp(`\\b(PASSWORD${gap})(?:${literal("'")}|${literal('"')})`, 'gi')

/**
 * SQL text for storage, with the passwords of CREATE USER and ALTER USER blanked. Double quotes
 * count too, because the console may send such a text in single quotes.
 */
export function withoutPasswords(text: string): string {
  return text.replace(password, "$1''")
}
