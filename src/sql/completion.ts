import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  insertCompletionText,
  pickedCompletion,
} from '@codemirror/autocomplete'
import { keywordCompletionSource, SQLDialect } from '@codemirror/lang-sql'
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { largeTextLength } from '~/lib/constants'
import { aggregateNames, functionNames, offeredKeywords } from './keywords'
import { keywordOf, lowerAscii, nameOf, operatorOf, quoteName } from './names'
import { statementsField } from './statement-at-cursor'
import { type Statement, splitStatements } from './statements'
import { type TableReference, tableReferences } from './tables'
import { isTrivia, type Token, tokenize } from './tokens'

type SchemaColumn = { readonly name: string; readonly type: string }

type SchemaTable = { readonly name: string; readonly columns: readonly SchemaColumn[] }

/** What completion knows about the database. Names are as the server spells them. */
export type Schema = { readonly tables: readonly SchemaTable[] }

/** What the caret stands in: where the word begins, what is before it, which tables are in play. */
type Place = {
  readonly from: number
  /** The name in front of a point, if the word is behind one. */
  readonly owner: string | undefined
  readonly wantsTable: boolean
  readonly references: readonly TableReference[]
}

/**
 * Completes tables and columns from the schema and the statement around the caret: behind `t.` the
 * columns of t, behind FROM and its like the tables, else both, the statement's columns first.
 */
export function schemaCompletion(schema: Schema): CompletionSource {
  const tables = new Map(schema.tables.map((table) => [table.name, table]))
  return (context) => complete(context, tables)
}

function complete(
  context: CompletionContext,
  tables: ReadonlyMap<string, SchemaTable>,
): CompletionResult | null {
  const place = placeAt(context.state, context.pos)
  if (!place) return null
  if (place.owner !== undefined) return ownedColumns(place, place.owner, tables)
  if (place.from === context.pos && !context.explicit) return null
  const options = place.wantsTable ? tableOptions(tables, 2) : anything(place, tables)
  return { from: place.from, options, validFor: /^\w*$/ }
}

/** Undefined inside texts, comments and numbers, where nothing is offered. */
function placeAt(state: EditorState, pos: number): Place | undefined {
  const { from, to } = statementRange(state, pos)
  const text = state.sliceDoc(from, to)
  const at = pos - from
  const all = tokenize(text)
  const current = all.find((token) => token.from < at && at <= token.to)
  const isWord = current?.kind === 'keyword' || current?.kind === 'identifier'
  if (current && !isWord && !['space', 'operator', 'semicolon'].includes(current.kind))
    return undefined
  const start = isWord && current ? current.from : at
  const tokens = all.filter((token) => !isTrivia(token))
  const before = tokens.filter((token) => token.to <= start)
  const isOwned = operatorOf(text, before.at(-1)) === '.' && before.at(-1)?.to === start
  return {
    from: from + start,
    owner: isOwned ? (nameOf(text, before.at(-2)) ?? '') : undefined,
    wantsTable: wantsTable(text, before),
    references: tableReferences(text, tokens),
  }
}

/** Characters to each side of the caret that are read of a text too long to be read whole. */
const window = 4_000

/** The statement around the caret with the space behind it; between two, the text since the first. */
function statementRange(state: EditorState, pos: number): { from: number; to: number } {
  const { statements, start } = statementsAround(state, pos)
  const statement = statements.findLast(({ from }) => start + from <= pos)
  if (!statement) return { from: start, to: pos }
  const end = start + statement.end
  const isEnded = statement.end > statement.to && pos >= end
  return isEnded
    ? { from: end, to: pos }
    : { from: start + statement.from, to: Math.max(pos, start + statement.to) }
}

/** The statements near the caret, and the offset that theirs count from. */
function statementsAround(
  state: EditorState,
  pos: number,
): { statements: readonly Statement[]; start: number } {
  const known = state.field(statementsField, false)
  if (known) return { statements: known, start: 0 }
  if (state.doc.length <= largeTextLength) {
    return { statements: splitStatements(state.doc.toString()), start: 0 }
  }
  const start = state.doc.lineAt(Math.max(0, pos - window)).from
  return { statements: splitStatements(state.sliceDoc(start, pos + window)), start }
}

const tableLeaders: ReadonlySet<string> = new Set(['FROM', 'JOIN', 'INTO', 'UPDATE', 'TABLE', 'OF'])

function wantsTable(text: string, before: readonly Token[]): boolean {
  const last = before.at(-1)
  if (tableLeaders.has(keywordOf(text, last))) return true
  return keywordOf(text, last) === 'ON' && keywordOf(text, before.at(-2)) === 'INDEX'
}

function ownedColumns(
  place: Place,
  owner: string,
  tables: ReadonlyMap<string, SchemaTable>,
): CompletionResult | null {
  const reference = place.references.find(({ alias, name }) => (alias ?? name) === owner)
  const table = tables.get(reference?.name ?? owner) ?? tables.get(lowerAscii(owner))
  return table ? { from: place.from, options: columnOptions(table, 2), validFor: /^\w*$/ } : null
}

function anything(place: Place, tables: ReadonlyMap<string, SchemaTable>): Completion[] {
  const used = new Set(place.references.map((reference) => reference.name))
  const aliases = place.references.flatMap(({ alias }) => (alias === undefined ? [] : [alias]))
  const columns = [...used].flatMap((name) => {
    const table = tables.get(name)
    return table ? columnOptions(table, 3) : []
  })
  return [
    ...columns,
    ...aliases.map((alias) => nameOption(alias, 'variable', 'alias', 2)),
    ...tableOptions(tables, 0),
  ]
}

function tableOptions(tables: ReadonlyMap<string, SchemaTable>, boost: number): Completion[] {
  return [...tables.keys()].map((name) => nameOption(name, 'class', 'table', boost))
}

function columnOptions(table: SchemaTable, boost: number): Completion[] {
  return table.columns.map(({ name, type }) => nameOption(name, 'property', type, boost))
}

function nameOption(name: string, type: string, detail: string, boost: number): Completion {
  return { label: name, apply: quoteName(name), type, detail, boost }
}

const functions: ReadonlySet<string> = new Set([...aggregateNames, ...functionNames])

/** immudb's words as the SQL language package wants them, for the offer of keywords. */
const words = SQLDialect.define({
  keywords: offeredKeywords.join(' ').toLowerCase(),
  builtin: [...functions].join(' ').toLowerCase(),
})

const allWords = keywordCompletionSource(words, true, (label) =>
  functions.has(label)
    ? { label, type: 'function', detail: '()', apply: applyCall, boost: -1 }
    : { label, type: 'keyword' },
)

/** Completes keywords and functions, in upper case, where neither a table nor a column is due. */
export const keywordCompletion: CompletionSource = (context) => {
  const place = placeAt(context.state, context.pos)
  if (!place || place.owner !== undefined || place.wantsTable) return null
  if (place.from === context.pos && !context.explicit) return null
  return allWords(context)
}

/** Inserts `NAME()` and leaves the caret between the parentheses. */
function applyCall(view: EditorView, option: Completion, from: number, to: number): void {
  const change = insertCompletionText(view.state, `${option.label}()`, from, to)
  view.dispatch(change, { annotations: pickedCompletion.of(option) })
  const { head } = view.state.selection.main
  view.dispatch({ selection: { anchor: head - 1 } })
}
