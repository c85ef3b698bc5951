import type { EditorState, Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { statementAtCursor, statementsField } from '~/sql/completion'

const tint = Decoration.mark({ class: 'cm-statement' })

/**
 * Tints the statement that Run would run; nothing while a selection shows it, or
 * in a text too long to be read at each key.
 */
export const statementTint: Extension = [
  statementsField,
  EditorView.decorations.compute([statementsField, 'selection'], tintOf),
]

function tintOf(state: EditorState): DecorationSet {
  const isSeen = state.selection.main.empty && state.field(statementsField) !== null
  const statement = isSeen ? statementAtCursor(state) : undefined
  return statement ? Decoration.set(tint.range(statement.from, statement.to)) : Decoration.none
}
