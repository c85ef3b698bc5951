import { completionStatus, currentCompletions, startCompletion } from '@codemirror/autocomplete'
import { EditorView } from '@codemirror/view'
import { render, screen, waitFor } from '@testing-library/react'
import { createRef, StrictMode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { noteElement } from '~/ui/editor/markers'
import { SqlEditor, type SqlEditorHandle, type SqlEditorProps } from '~/ui/SqlEditor'

const schema = { tables: [{ name: 'orders', columns: [{ name: 'id', type: 'INTEGER' }] }] }

/** Mounts the editor and gives its view, its handle and the callbacks. */
function mount(given: Partial<SqlEditorProps> = {}) {
  const calls = {
    onChange: vi.fn<SqlEditorProps['onChange']>(),
    onSelectionChange: vi.fn<NonNullable<SqlEditorProps['onSelectionChange']>>(),
    onRun: vi.fn(),
    onRunAll: vi.fn(),
  }
  const ref = createRef<SqlEditorHandle>()
  const props = { value: '', schema, markers: [], ref, ...calls, ...given }
  const rendered = render(<SqlEditor {...props} />)
  const box = screen.getByRole('textbox', { name: 'SQL editor' })
  const view = EditorView.findFromDOM(box)
  if (!view || !ref.current) throw new Error('the editor did not mount')
  const update = (changed: Partial<SqlEditorProps>) =>
    rendered.rerender(<SqlEditor {...props} {...changed} />)
  return { box, view, handle: ref.current, update, unmount: rendered.unmount, ...calls }
}

function press(box: HTMLElement, key: string, modifiers: KeyboardEventInit = {}) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers })
  box.dispatchEvent(event)
  return event.defaultPrevented
}

const type = (view: EditorView, text: string) =>
  view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.type' })

describe('SqlEditor', () => {
  it('is a text box named SQL editor that reports what is typed', () => {
    const { box, view, onChange, onSelectionChange } = mount({ value: 'SELECT 1;\n' })
    expect(box.getAttribute('aria-multiline')).toBe('true')
    view.dispatch({ selection: { anchor: view.state.doc.length } })
    type(view, 'SELECT 2')
    expect(onChange).toHaveBeenLastCalledWith('SELECT 1;\nSELECT 2')
    expect(onSelectionChange).toHaveBeenLastCalledWith(
      expect.objectContaining({
        from: 18,
        to: 18,
        statement: expect.objectContaining({ text: 'SELECT 2' }),
      }),
    )
  })

  it('runs on Mod-Enter and all on Shift-Mod-Enter, and leaves Tab alone', () => {
    const { box, onRun, onRunAll, view } = mount({ value: 'SELECT 1' })
    expect(press(box, 'Enter', { ctrlKey: true })).toBe(true)
    expect(onRun).toHaveBeenCalledTimes(1)
    expect(onRunAll).not.toHaveBeenCalled()
    expect(press(box, 'Enter', { ctrlKey: true, shiftKey: true })).toBe(true)
    expect(onRunAll).toHaveBeenCalledTimes(1)
    expect(press(box, 'Tab')).toBe(false)
    expect(view.state.doc.toString()).toBe('SELECT 1')
  })

  it('calls the callbacks of the present render', () => {
    const { box, update, onRun } = mount()
    const later = vi.fn()
    update({ onRun: later })
    press(box, 'Enter', { ctrlKey: true })
    expect(later).toHaveBeenCalledTimes(1)
    expect(onRun).not.toHaveBeenCalled()
  })

  it('can be driven from outside', () => {
    const { handle, onChange, view } = mount({ value: 'SELECT 1;\nSELECT 2;' })
    handle.select(10, 16)
    expect(handle.getSelection()).toMatchObject({
      from: 10,
      to: 16,
      statement: { text: 'SELECT 2' },
    })
    expect(view.hasFocus).toBe(true)
    handle.insert('VALUES')
    expect(handle.getText()).toBe('SELECT 1;\nVALUES 2;')
    handle.setText('SELECT 3')
    expect(onChange).toHaveBeenLastCalledWith('SELECT 3')
    handle.select(5000, 9000)
    expect(handle.getSelection()).toMatchObject({ from: 8, to: 8 })
    press(view.contentDOM, 'z', { ctrlKey: true })
    expect(handle.getText()).toBe('SELECT 1;\nVALUES 2;')
  })

  it('tints the statement at the caret', () => {
    const { box, view } = mount({ value: 'SELECT 1;\nSELECT 2' })
    const tinted = () => [...box.querySelectorAll('.cm-statement')].map((span) => span.textContent)
    expect(tinted().join('')).toBe('SELECT 1')
    view.dispatch({ selection: { anchor: 12 } })
    expect(tinted().join('')).toBe('SELECT 2')
    view.dispatch({ selection: { anchor: 0, head: 3 } })
    expect(tinted()).toEqual([])
  })

  it('underlines errors until they are edited, and numbers that are read differently', () => {
    const { box, update, view } = mount({ value: 'SELECT a, 1e5' })
    const marked = (severity: string) =>
      [...box.querySelectorAll(`.cm-marker-${severity}`)].map((span) => span.textContent).join('')
    expect(marked('warning')).toBe('1e5')
    update({ markers: [{ from: 7, to: 8, message: 'There is no such column.' }] })
    expect(marked('error')).toBe('a')
    view.dispatch({ changes: { from: 0, insert: '\n' } })
    expect(marked('error')).toBe('a')
    view.dispatch({ changes: { from: 9, insert: 'b' } })
    expect(marked('error')).toBe('')
    update({ markers: [{ from: 7, to: 8, message: 'There is no such column.' }] })
    expect(marked('error')).toBe('')
    update({ markers: [{ from: 99, to: 99, message: 'It ends too early.' }] })
    expect(marked('error')).toBe('5')
  })

  it('says what is wrong at a place without a character that nobody sees', () => {
    expect(noteElement('No \u202Enmuloc\u200B here.').textContent).toBe(
      'No ⟨U+202E⟩nmuloc⟨U+200B⟩ here.',
    )
  })

  it('keeps the list of completions open when an equal schema is given again', async () => {
    const columns = [{ name: 'id', type: 'INTEGER' }]
    const { view, update } = mount({ value: 'SELECT * FROM ', schema: { tables: [] } })
    update({ schema: { tables: [{ name: 'orders', columns }] } })
    view.dispatch({ selection: { anchor: 14 } })
    view.focus()
    startCompletion(view)
    await waitFor(() => expect(completionStatus(view.state)).toBe('active'))
    update({ schema: { tables: [{ name: 'orders', columns }] } })
    expect(currentCompletions(view.state).map(({ label }) => label)).toEqual(['orders'])
    // Keys pressed just as the list opens are not meant for it, so the first ones may do nothing.
    await waitFor(() => expect(press(view.contentDOM, 'Tab')).toBe(true))
    expect(view.state.doc.toString()).toBe('SELECT * FROM orders')
  })

  it('shows invisible characters as their code point', () => {
    const { box } = mount({ value: 'SELECT \u202e1' })
    expect(box.querySelector('.cm-specialChar')?.textContent).toBe('⟨U+202E⟩')
  })

  const ends = "SELECT 'a\r\nb\rc',\r\n1;\r"

  it('keeps every line end of a text it is given, and marks each carriage return', () => {
    const { box, handle, view, onChange } = mount({ value: ends })
    expect(handle.getText()).toBe(ends)
    expect([...box.querySelectorAll('.cm-specialChar')].map((mark) => mark.textContent)).toEqual(
      Array(4).fill('⟨CR⟩'),
    )
    handle.setText('')
    handle.insert(ends)
    expect(handle.getText()).toBe(ends)
    expect(onChange).toHaveBeenLastCalledWith(ends)
    view.dispatch({ selection: { anchor: view.state.doc.length } })
    type(view, ' ')
    expect(onChange).toHaveBeenLastCalledWith(`${ends} `)
  })

  it.each(['paste', 'drop'])('keeps every line end of a text that comes by %s', (name) => {
    const { box, handle } = mount()
    const data = new DataTransfer()
    data.setData('text/plain', ends)
    const event = new Event(name, { bubbles: true, cancelable: true })
    box.dispatchEvent(
      Object.assign(event, { clipboardData: data, dataTransfer: data, clientX: 0, clientY: 0 }),
    )
    expect(handle.getText()).toBe(ends)
  })

  it('takes no input while it is read-only', () => {
    const { view, update } = mount({ value: 'SELECT 1', readOnly: true })
    expect(view.state.readOnly).toBe(true)
    update({ readOnly: false })
    expect(view.state.readOnly).toBe(false)
  })

  it('survives StrictMode and leaves nothing behind', () => {
    const noop = () => undefined
    const { unmount } = render(
      <StrictMode>
        <SqlEditor
          value="SELECT 1"
          schema={schema}
          markers={[]}
          onChange={noop}
          onRun={noop}
          onRunAll={noop}
        />
      </StrictMode>,
    )
    expect(screen.getAllByRole('textbox', { name: 'SQL editor' })).toHaveLength(1)
    unmount()
    expect(document.querySelector('.cm-editor')).toBeNull()
  })

  it('puts its styles into a constructed sheet, never a style element', () => {
    mount()
    expect(document.querySelector('style')).toBeNull()
    expect(document.adoptedStyleSheets.length).toBeGreaterThan(0)
  })
})
