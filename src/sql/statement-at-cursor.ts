import { type EditorState, StateField } from '@codemirror/state'
import { largeTextLength } from '~/lib/constants'
import { type Statement, splitStatements, statementAt } from './statements'

/**
 * The statements of the document, split again only when the text changes; null for a text so long
 * that splitting it at each key would hold up the typing.
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
