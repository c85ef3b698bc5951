import { type EditorState, StateField } from '@codemirror/state'
import { type Statement, splitStatements, statementAt } from './statements'

/** The statements of the document, split again only when the text changes. */
export const statementsField = StateField.define<readonly Statement[]>({
  create: (state) => splitStatements(state.doc.toString()),
  update: (statements, transaction) =>
    transaction.docChanged ? splitStatements(transaction.newDoc.toString()) : statements,
})

/** The statement that the caret belongs to; with a selection, the one at its moving end. */
export function statementAtCursor(state: EditorState): Statement | undefined {
  return statementAt(state.field(statementsField), state.selection.main.head)
}
