import { atom, type Getter } from 'jotai'
import { unwrap } from 'jotai/utils'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftOwnerAtom, unappliedForms } from '~/core/drafts'
import { timezoneAtom } from '~/core/page-view'
import { type ColumnType, columnTypes } from '~/immudb/column-types'
import { largeTextLength } from '~/lib/constants'
import { typeAndLength } from '~/sql/cell-input'
import { type ParameterUse, parameterUses } from '~/sql/parameter-types'
import {
  type GivenParameter,
  givenParameter,
  type LinkedValue,
  noValue,
  parameterNames,
} from '~/sql/parameter-values'
import { type QueryParameter, queryParameter } from '~/sql/query-parameters'
import { type Statement, splitStatements } from '~/sql/statements'
import { readDetails } from '../tables/table-list'
import { type EditorName, editorOfAtom, editorTextAtom, shownEditorAtom } from './editor'

/** What is typed for a name. */
const typedParameter = v.object({
  ...queryParameter.entries,
  /** As chosen; null for that of the column it is used with. */
  type: v.nullable(queryParameter.entries.type),
  /** As typed, null for NULL; nothing where only a type was chosen. */
  text: v.optional(queryParameter.entries.text),
})
export type TypedParameter = v.InferOutput<typeof typedParameter>

/** Only the tab keeps values: they may be secret, and belong to what is looked at now. */
const forms = unappliedForms('parameters', v.array(typedParameter))

/** An editor with its user and server, for what this page holds. */
const placeOfAtom = atom((get) => {
  const owner = get(draftOwnerAtom)
  return ({ database, id }: EditorName) => JSON.stringify([owner, database, id])
})

const heldAtom = atom<ReadonlyMap<string, readonly TypedParameter[]>>(new Map())

/** What was typed for the names of an editor, also for names that are no longer in its text. */
export const typedOfAtom = atom((get) => {
  const held = get(heldAtom)
  const placeOf = get(placeOfAtom)
  const read = get(forms.readAtom)
  const editorOf = get(editorOfAtom)
  return (editor: EditorName): readonly TypedParameter[] =>
    held.get(placeOf(editor)) ??
    read(editor.database, editor.id) ??
    // What a saved query begins with, until something is typed.
    editorOf(editor)?.parameters ??
    []
})

const typedParametersAtom = atom((get) => get(typedOfAtom)(get(shownEditorAtom)))

/** Most names whose values are kept; those typed least recently go first. */
const mostKept = 200

/** Takes what is typed for names of an editor. */
export function typeParameters(
  io: Io,
  typed: readonly TypedParameter[],
  editor: EditorName = io.get(shownEditorAtom),
) {
  const names = new Set(typed.map(({ name }) => name))
  const others = io
    .get(typedOfAtom)(editor)
    .filter(({ name }) => !names.has(name))
  const all = [...others, ...typed].slice(-mostKept)
  io.set(heldAtom, new Map(io.get(heldAtom)).set(io.get(placeOfAtom)(editor), all))
  io.set(forms.keepAtom, all, editor.database, editor.id)
}

/**
 * Takes the values of a link. Where it says no type, the one that a saved query has for the name
 * stays, else it is that of the column which the text names.
 */
export function typeLinkedValues(
  io: Io,
  editor: EditorName,
  values: ReadonlyMap<string, LinkedValue>,
) {
  if (values.size === 0) return
  const before = new Map(
    io
      .get(typedOfAtom)(editor)
      .map(({ name, type }) => [name, type]),
  )
  typeParameters(
    io,
    [...values].map(([name, { text, type }]) => ({
      name,
      type: type ?? before.get(name) ?? null,
      text,
    })),
    editor,
  )
}

const placeAtom = atom((get) => get(placeOfAtom)(get(shownEditorAtom)))

/** What a name is used for, such as `orders.id`, and its type. */
type KnownUse = {
  readonly type: ColumnType
  readonly column: string | null
  /** A use that the value of this type does not suit; null for none. */
  readonly other: Omit<KnownUse, 'other'> | null
}

/** A run that was held back, and what its statements use the names for. */
type Asked = {
  readonly place: string
  /** Names that it asked for; their fields say what is missing. */
  readonly names: readonly string[]
  /** The text of the editor at that time. */
  readonly text: string
  readonly uses: ReadonlyMap<string, KnownUse>
}
const askedAtom = atom<Asked>({ place: '', names: [], text: '', uses: new Map() })

/** A text that is too long to be read at each key names nothing until it is run. */
const readTextAtom = atom((get) => {
  const text = get(editorTextAtom) ?? ''
  return text.includes('@') && text.length <= largeTextLength ? text : ''
})

/** By value, so that the columns are looked up when another use is typed, not at each key. */
const usesAtom = atom((get) => JSON.stringify([...usesIn(splitStatements(get(readTextAtom)))]))

const knownUsesAtom = unwrap(
  atom((get) => knownUses(get, get(shownEditorAtom).database, new Map(JSON.parse(get(usesAtom))))),
  (before) => before ?? new Map<string, KnownUse>(),
)

function usesIn(statements: readonly Pick<Statement, 'text'>[]): Map<string, ParameterUse[]> {
  const found = new Map<string, ParameterUse[]>()
  for (const { text } of statements) {
    if (!text.includes('@')) continue
    for (const [name, uses] of parameterUses(text)) {
      found.set(name, [...(found.get(name) ?? []), ...uses])
    }
  }
  return found
}

/**
 * The types of what names are used for: the first use that tells one, and the first of another type.
 * A use of a column that cannot be had tells none.
 */
async function knownUses(
  get: Getter,
  database: string,
  uses: ReadonlyMap<string, readonly ParameterUse[]>,
): Promise<ReadonlyMap<string, KnownUse>> {
  const known = new Map<string, KnownUse>()
  for (const [name, of] of uses) {
    for (const use of of) {
      const found =
        use.kind === 'type' ? { type: use.type, column: null } : await columnOf(get, database, use)
      const first = known.get(name)
      if (found && !first) known.set(name, { ...found, other: null })
      // Not even numbers: an INTEGER is not comparable with a FLOAT that is NULL.
      else if (found && first && !first.other && found.type !== first.type) {
        known.set(name, { ...first, other: found })
      }
    }
  }
  return known
}

async function columnOf(
  get: Getter,
  database: string,
  { tables, column }: Extract<ParameterUse, { kind: 'column' }>,
): Promise<Omit<KnownUse, 'other'> | null> {
  for (const table of tables) {
    const details = await readDetails(get, database, table).catch(() => null)
    const found = details?.columns.find(({ name }) => name === column)
    const type = found && typeAndLength(found.type).type
    const known = columnTypes.find((one) => one === type)
    if (known) return { type: known, column: `${table}.${column}` }
  }
  return null
}

/** Whether a run was held back, because a value that it needs is missing or wrong. */
export const areValuesMissingAtom = atom((get) => {
  const { place, names } = get(askedAtom)
  if (place !== get(placeAtom)) return false
  return get(parameterRowsAtom).some(
    ({ name, error }) => error !== undefined && names.includes(name),
  )
})

/** One name of the text, as its field shows it. */
export type ParameterRow = {
  readonly name: string
  readonly type: ColumnType
  /** The type was chosen, not taken from a column. */
  readonly isChosen: boolean
  /** The column it is used with, such as `orders.id`; null where the text tells none. */
  readonly column: string | null
  /** Another use that this type does not suit, in words; null for none. */
  readonly other: string | null
  /** What is typed; undefined for nothing yet, null for NULL. */
  readonly text: string | null | undefined
  /** Why nothing can be sent. */
  readonly error: string | undefined
}

/** The names in the text of the editor, or those that its last run asked for. */
export const parameterRowsAtom = atom((get): readonly ParameterRow[] => {
  const { place, names: asked, text: askedText, uses } = get(askedAtom)
  const isAsked = place === get(placeAtom)
  const text = get(readTextAtom)
  // A run of some of the statements may use a name for something else than the first of all.
  const ofRun = isAsked && askedText === text ? uses : noUses
  const isLong = (get(editorTextAtom) ?? '').length > largeTextLength
  const names = isLong && isAsked ? asked : parameterNames(text)
  if (names.length === 0) return noRows
  const known = get(knownUsesAtom)
  const typed = new Map(get(typedParametersAtom).map((one) => [one.name, one]))
  const zone = get(timezoneAtom)
  return names.map((name) => {
    const one = typed.get(name)
    const use = ofRun.get(name) ?? known.get(name)
    const parameter = resolved(name, one, use)
    const given = parameter && givenParameter(parameter, zone)
    const wrong = given && 'error' in given ? given : undefined
    const isMissing = given === null || wrong?.isMissing === true
    return {
      name,
      type: parameter?.type ?? one?.type ?? use?.type ?? usual,
      isChosen: one?.type != null,
      column: use?.column ?? null,
      other: one?.type == null && use?.other ? wordsOf(use.other) : null,
      text: one?.text,
      error: isMissing ? (isAsked && asked.includes(name) ? noValue : undefined) : wrong?.error,
    }
  })
})

const noRows: readonly ParameterRow[] = []
const noUses: Asked['uses'] = new Map()

const wordsOf = ({ column, type }: Omit<KnownUse, 'other'>) =>
  column === null ? type : `${column}, which is ${type}`

/** The type of what is used with no column. */
const usual: ColumnType = 'VARCHAR'

/** What is typed for a name with the type that it has; null where nothing is typed. */
function resolved(
  name: string,
  typed: TypedParameter | undefined,
  use: KnownUse | undefined,
): QueryParameter | null {
  if (typed?.text === undefined) return null
  return { name, type: typed.type ?? use?.type ?? usual, text: typed.text }
}

/**
 * The values for statements that are to run, or null when one is missing or wrong: then its field
 * says so, and nothing may be sent.
 */
export async function valuesFor(
  io: Io,
  statements: readonly Pick<Statement, 'text' | 'verb'>[],
  editor: EditorName = io.get(shownEditorAtom),
): Promise<readonly GivenParameter[] | null> {
  const needed = new Set<string>()
  const named: Pick<Statement, 'text'>[] = []
  for (const { text, verb } of statements) {
    const names = parameterNames(text)
    if (names.length > 0) named.push({ text })
    // A plan is made without values.
    if (verb !== 'EXPLAIN') for (const name of names) needed.add(name)
  }
  if (named.length === 0) return []
  const known = await knownUses(io.get, editor.database, usesIn(named))
  const typed = new Map(
    io
      .get(typedOfAtom)(editor)
      .map((one) => [one.name, one]),
  )
  const zone = io.get(timezoneAtom)
  const given: GivenParameter[] = []
  let isWhole = true
  for (const name of new Set(named.flatMap(({ text }) => parameterNames(text)))) {
    const parameter = resolved(name, typed.get(name), known.get(name))
    const found = parameter && givenParameter(parameter, zone)
    if (found && !('error' in found)) given.push(found)
    else if (needed.has(name)) isWhole = false
  }
  io.set(askedAtom, {
    place: io.get(placeOfAtom)(editor),
    names: isWhole ? [] : [...needed],
    text: io.get(readTextAtom),
    uses: isWhole ? noUses : known,
  })
  return isWhole ? given : null
}

/** What is typed for the names of the text, with types, as a saved query and a link keep it. */
export const shownParametersAtom = atom((get): readonly QueryParameter[] =>
  get(parameterRowsAtom).flatMap(({ name, type, text }) =>
    text === undefined ? [] : [{ name, type, text }],
  ),
)
