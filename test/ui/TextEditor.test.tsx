import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { TextEditor } from '~/ui/TextEditor'
import { editorIn, replaceText, textOf } from '../support/editor-in-page'

beforeAll(TextEditor.prepare)

const box = () => screen.findByRole('textbox', { name: 'body' })

function show(props: Partial<Parameters<typeof TextEditor>[0]> = {}) {
  const onChange = vi.fn()
  const all = { label: 'body', language: 'json', value: '{"a": 1}', onChange, ...props } as const
  const shown = render(<TextEditor {...all} />)
  return { onChange, again: (more: object) => shown.rerender(<TextEditor {...all} {...more} />) }
}

function Owner() {
  const [text, setText] = useState('{}')
  return <TextEditor label="body" language="json" onChange={setText} value={text} />
}

describe('an editor of a text', () => {
  it('has a name, a hint and the error in its place', async () => {
    const { again } = show({ hint: 'In hex.' })
    const text = await box()
    const note = document.getElementById(text.getAttribute('aria-describedby') ?? '')
    expect(note?.textContent).toBe('In hex.')
    expect(text.getAttribute('aria-invalid')).toBeNull()
    again({ error: 'No JSON\u202e' })
    await waitFor(() => expect(text.getAttribute('aria-invalid')).toBe('true'))
    expect(note?.textContent).toMatch(/^No JSON/)
    expect(document.body.textContent).not.toContain('\u202e')
  })

  it.each([
    ['carriage returns', 'a\rb\r\nc\n'],
    ['what no one sees', '\u0000\u202e\ud800'],
    ['a long line', `${'x'.repeat(70_000)}\n`],
    ['nothing', ''],
  ])('keeps %s as it is, and what is typed after it', async (_, value) => {
    const { onChange } = show({ value, language: 'text' })
    const text = await box()
    expect(textOf(text)).toBe(value)
    const view = editorIn(text)
    act(() => view.dispatch({ changes: { from: view.state.doc.length, insert: '!' } }))
    await waitFor(() => expect(onChange).toHaveBeenLastCalledWith(`${value}!`))
  })

  it('keeps what is typed when it is drawn again with an older text', async () => {
    render(<Owner />)
    const text = await box()
    await replaceText(text, '[1')
    await replaceText(text, '[1, 2]')
    expect(textOf(text)).toBe('[1, 2]')
  })

  it('changes nothing while it is only to be read', async () => {
    const { again, onChange } = show()
    const text = await box()
    again({ readOnly: true })
    await waitFor(() => expect(text.getAttribute('aria-readonly')).toBe('true'))
    await userEvent.type(text, 'x')
    expect(onChange).not.toHaveBeenCalled()
  })

  it('is left by Tab, and Ctrl+Enter adds no line', async () => {
    const { onChange } = show({ onMount: (focus) => focus() })
    const text = await box()
    expect(document.activeElement).toBe(text)
    const enter = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }
    const pressed = new KeyboardEvent('keydown', enter)
    text.dispatchEvent(pressed)
    expect(pressed.defaultPrevented).toBe(false)
    const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true })
    text.dispatchEvent(tab)
    expect(tab.defaultPrevented).toBe(false)
    expect(onChange).not.toHaveBeenCalled()
  })

  it('closes its search by Escape, and only that', async () => {
    const pressed = vi.fn()
    const around = render(
      <div onKeyDown={({ key }) => pressed(key)} role="toolbar">
        <Owner />
      </div>,
    )
    const text = await box()
    const press = (key: string, on: Element | null, more = {}) =>
      on?.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
      )
    const search = () => around.container.querySelector('.cm-search input')
    press('f', text, { ctrlKey: true })
    expect(search()).not.toBeNull()
    press('Escape', search())
    expect(search()).toBeNull()
    expect(pressed).not.toHaveBeenCalledWith('Escape')
    press('Escape', text)
    expect(pressed).toHaveBeenCalledWith('Escape')
  })

  it('tells what was typed last when it goes away', async () => {
    const onChange = vi.fn()
    const value = 'x'.repeat(400_000)
    const { unmount } = render(
      <TextEditor label="body" language="text" onChange={onChange} value={value} />,
    )
    const view = editorIn(await box())
    act(() => view.dispatch({ changes: { from: 0, insert: 'first' } }))
    expect(onChange).not.toHaveBeenCalled()
    unmount()
    expect(onChange).toHaveBeenCalledExactlyOnceWith(`first${value}`)
  })
})
