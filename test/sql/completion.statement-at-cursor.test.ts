// @vitest-environment node
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { statementAtCursor, statementsField } from '~/sql/completion'

const state = (doc: string, anchor: number, head = anchor) =>
  EditorState.create({ doc, selection: { anchor, head }, extensions: statementsField })

describe('statementAtCursor', () => {
  it('follows the caret and the text', () => {
    const first = state('SELECT 1;\nSELECT 2', 3)
    expect(statementAtCursor(first)?.text).toBe('SELECT 1')
    const moved = first.update({ selection: { anchor: 12 } }).state
    expect(statementAtCursor(moved)?.text).toBe('SELECT 2')
    expect(moved.field(statementsField)).toBe(first.field(statementsField))
    const edited = moved.update({ changes: { from: 0, to: 10 } }).state
    expect(statementAtCursor(edited)).toMatchObject({ text: 'SELECT 2', from: 0 })
  })

  it('takes the moving end of a selection', () => {
    expect(statementAtCursor(state('SELECT 1;\nSELECT 2', 3, 12))?.text).toBe('SELECT 2')
  })

  it('finds nothing in an empty text', () => {
    expect(statementAtCursor(state('-- nothing', 2))).toBeUndefined()
  })
})
