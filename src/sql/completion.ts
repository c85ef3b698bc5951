import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  insertCompletionText,
  pickedCompletion,
} from '@codemirror/autocomplete'
import { keywordCompletionSource, SQLDialect } from '@codemirror/lang-sql'
import { type EditorState, StateField } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { largeTextLength } from '~/lib/constants'
import { aggregateNames, functionNames, offeredKeywords } from './keywords'
import { isWritable, keywordOf, lowerAscii, nameOf, operatorOf, quoteName } from './names'
import { type Statement, splitStatements, statementAt } from './statements'
import { isExtract, type TableReference, tableReferences } from './tables'
import { isTrivia, type Token, tokenize } from './tokens'

type SchemaColumn = { readonly name: string; readonly type: string }

type SchemaTable = {
  readonly name: string
  /** Null where they are asked for when a statement names the table. */
  readonly columns: readonly SchemaColumn[] | null
}

/** What completion knows about the database. Names are as the server spells them. */
export type Schema = {
  readonly tables: readonly SchemaTable[]
  /** The columns of a table; none where they cannot be had. */
  readonly columnsOf?: (table: string) => Promise<readonly SchemaColumn[]>
}

/** What the words before call for: a table, a column, or anything. */
type Due = 'table' | 'column' | 'any'

/**
 * The context of the caret: where the word begins, what precedes it, which tables the statement
 * names.
 */
type Place = {
  readonly from: number
  /** The name before a dot, if the word follows one. */
  readonly owner: string | undefined
  readonly due: Due
  readonly references: readonly TableReference[]
}

/**
 * Completes tables and columns from the schema and the statement around the caret: after `t.` the
 * columns of t, after FROM and the like the tables, else both, the statement's columns first.
 * Before a word begins it only offers what must come next: tables, or columns of the statement.
 */
export function schemaCompletion(schema: Schema): CompletionSource {
  const tables = new Map(schema.tables.map((table) => [table.name, table]))
  return (context) => {
    const place = placeAt(context.state, context.pos)
    if (!place) return null
    const unknown = namedIn(place, tables).filter(({ columns }) => columns === null)
    const { columnsOf } = schema
    if (unknown.length === 0 || !columnsOf) return complete(context, place, tables)
    const fetched = unknown.map(async ({ name }) => {
      tables.set(name, { name, columns: await columnsOf(name) })
    })
    return Promise.all(fetched).then(() => complete(context, place, tables))
  }
}

/** The tables whose columns may be due. */
function namedIn(
  { due, owner, references }: Place,
  tables: ReadonlyMap<string, SchemaTable>,
): SchemaTable[] {
  if (owner === undefined && due === 'table') return []
  const names = new Set(references.map(({ name }) => name))
  if (owner !== undefined) names.add(tables.has(owner) ? owner : lowerAscii(owner))
  return [...names].flatMap((name) => tables.get(name) ?? [])
}

function complete(
  context: CompletionContext,
  place: Place,
  tables: ReadonlyMap<string, SchemaTable>,
): CompletionResult | null {
  if (place.owner !== undefined) return ownedColumns(place, place.owner, tables)
  const isBegun = place.from < context.pos
  const options =
    place.due === 'table'
      ? tableOptions(tables, 2)
      : isBegun || context.explicit
        ? anything(place, tables)
        : place.due === 'column'
          ? statementColumns(place, tables)
          : []
  return options.length === 0 ? null : { from: place.from, options, validFor: /^\w*$/ }
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
    due: start < at || start === 0 || isGap(text[start - 1]) ? dueAfter(text, before) : 'any',
    references: tableReferences(text, tokens),
  }
}

/** Characters to read on each side of the caret when the text is too long to read whole. */
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

/** After a word, a name or a string nothing new begins without a space. */
function isGap(character: string | undefined): boolean {
  return character !== undefined && /[\s(,]/.test(character)
}

const tableLeaders: ReadonlySet<string> = new Set(['FROM', 'JOIN', 'INTO', 'UPDATE', 'TABLE', 'OF'])

const columnLeaders: ReadonlySet<string> = new Set([
  ...['SELECT', 'DISTINCT', 'WHERE', 'AND', 'OR', 'NOT', 'BY', 'SET', 'HAVING', 'ON'],
  ...['CASE', 'WHEN', 'THEN', 'ELSE', 'BETWEEN', 'COLUMN'],
])

function dueAfter(text: string, before: readonly Token[]): Due {
  const at = before.length - 1
  const keyword = keywordOf(text, before[at])
  if (keyword !== '') return dueAfterKeyword(text, before, at, keyword)
  const sign = operatorOf(text, before[at])
  if (sign === '(') return dueInBrackets(text, before, at)
  return sign === ',' ? dueAfterComma(text, before, at) : 'any'
}

function dueAfterKeyword(text: string, before: readonly Token[], at: number, keyword: string): Due {
  const [second, third] = [keywordOf(text, before[at - 1]), keywordOf(text, before[at - 2])]
  if (keyword === 'EXISTS' && second === 'IF') return third === 'TABLE' ? 'table' : 'any'
  if (keyword === 'ON' && second === 'INDEX') return 'table'
  if (keyword === 'FROM' && isExtract(text, before, at)) return 'column'
  // A new table has a name of its own, and DO UPDATE has named its table before.
  if ((keyword === 'TABLE' && second === 'CREATE') || second === 'DO') return 'any'
  if (tableLeaders.has(keyword)) return 'table'
  return columnLeaders.has(keyword) ? 'column' : 'any'
}

/** INSERT INTO t (…), CREATE INDEX ON t (…) and calls take columns; VALUES (…) takes values. */
function dueInBrackets(text: string, before: readonly Token[], at: number): Due {
  const opener = before[at - 1]
  const isCall = functions.has(opener ? text.slice(opener.from, opener.to).toUpperCase() : '')
  const leader = keywordOf(text, before[at - 2])
  const isList = leader === 'INTO' || leader === 'ON'
  return isCall || isList || columnLeaders.has(keywordOf(text, opener)) ? 'column' : 'any'
}

/** A comma continues what its clause or its brackets began with. */
function dueAfterComma(text: string, before: readonly Token[], comma: number): Due {
  let depth = 0
  for (let at = comma - 1; at >= 0; at--) {
    const sign = operatorOf(text, before[at])
    if (sign === ')') depth += 1
    if (sign === '(' && depth === 0) return dueInBrackets(text, before, at)
    if (sign === '(') depth -= 1
    const keyword = depth === 0 ? keywordOf(text, before[at]) : ''
    if (keyword === 'FROM') return 'table'
    if (keyword === 'SELECT' || keyword === 'BY' || keyword === 'SET') return 'column'
    if (keyword === 'VALUES') return 'any'
  }
  return 'any'
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

/** The columns of the tables that the statement names. */
function statementColumns(
  { references }: Place,
  tables: ReadonlyMap<string, SchemaTable>,
): Completion[] {
  const used = new Set(references.map(({ name }) => name))
  return [...used].flatMap((name) => {
    const table = tables.get(name)
    return table ? columnOptions(table, 3) : []
  })
}

function anything(place: Place, tables: ReadonlyMap<string, SchemaTable>): Completion[] {
  const aliases = place.references.flatMap(({ alias }) => (alias === undefined ? [] : [alias]))
  return [
    ...statementColumns(place, tables),
    ...aliases.flatMap((alias) => nameOption(alias, 'variable', 'alias', 2)),
    ...tableOptions(tables, 0),
  ]
}

function tableOptions(tables: ReadonlyMap<string, SchemaTable>, boost: number): Completion[] {
  return [...tables.keys()].flatMap((name) => nameOption(name, 'class', 'table', boost))
}

function columnOptions(table: SchemaTable, boost: number): Completion[] {
  return (table.columns ?? []).flatMap(({ name, type }) =>
    nameOption(name, 'property', type, boost),
  )
}

/** None for a name that no statement can hold. */
function nameOption(name: string, type: string, detail: string, boost: number): Completion[] {
  return isWritable(name) ? [{ label: name, apply: quoteName(name), type, detail, boost }] : []
}

const functions: ReadonlySet<string> = new Set([...aggregateNames, ...functionNames])

/** immudb's words in the form of the SQL language package, for offering keywords. */
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
  if (!place || place.owner !== undefined || place.due === 'table') return null
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

/**
 * The statements of the document, split again only when the text changes; null for a text so long
 * that splitting it at each keystroke would slow down typing.
 */
export const statementsField = StateField.define<readonly Statement[] | null>({
  create: statementsOf,
  update: (statements, transaction) =>
    transaction.docChanged ? statementsOf(transaction.state) : statements,
})

function statementsOf({ doc }: Pick<EditorState, 'doc'>): readonly Statement[] | null {
  return doc.length > largeTextLength ? null : splitStatements(doc.toString())
}

/** The statement that the caret belongs to; with a selection, the one at its moving end. */
export function statementAtCursor(state: EditorState): Statement | undefined {
  const statements = state.field(statementsField) ?? splitStatements(state.doc.toString())
  return statementAt(statements, state.selection.main.head)
}
