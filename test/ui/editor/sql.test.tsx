import { redo, undo, undoDepth } from '@codemirror/commands'
import { Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { SqlEditor } from '~/ui/SqlEditor'

/** The editor, and typing into it at a moment of one's own. */
function mount() {
  const schema = { tables: [] }
  const none = () => {}
  render(
    <SqlEditor
      markers={[]}
      onChange={none}
      onRun={none}
      onRunAll={none}
      schema={schema}
      value=""
    />,
  )
  const view = EditorView.findFromDOM(screen.getByRole('textbox', { name: 'SQL editor' }))
  if (!view) throw new Error('the editor did not mount')
  const type = (text: string, at: number) =>
    view.dispatch({
      ...view.state.replaceSelection(text),
      userEvent: 'input.type',
      annotations: Transaction.time.of(at),
    })
  return { view, type, text: () => view.state.doc.toString() }
}

describe('undoing in the editor', () => {
  test('what is typed within three seconds of each other is one step', () => {
    const { view, type, text } = mount()
    type('a', 1_000)
    type('b', 3_999)
    type('c', 6_998)
    expect(undoDepth(view.state)).toBe(1)
    type('d', 9_999)
    expect(undoDepth(view.state)).toBe(2)
    undo(view)
    expect(text()).toBe('abc')
    undo(view)
    expect(text()).toBe('')
    redo(view)
    expect(text()).toBe('abc')
  })

  test('at least the last 50 steps are kept, and not all for ever', () => {
    const { view, type, text } = mount()
    for (let step = 1; step <= 300; step += 1) type('x', step * 10_000)
    const depth = undoDepth(view.state)
    expect(depth).toBeGreaterThanOrEqual(50)
    // It is cut back to 50 only now and then.
    expect(depth).toBeLessThanOrEqual(72)
    for (let step = 0; step < 50; step += 1) undo(view)
    expect(text()).toHaveLength(250)
  })
})
