import { act } from '@testing-library/react'
import { EditorView } from 'codemirror'

/** The CodeMirror editor whose text is in this element. */
export function editorIn(box: HTMLElement): EditorView {
  const view = EditorView.findFromDOM(box)
  if (!view) throw new Error('there is no editor')
  return view
}

/** The whole text, drawn or not. */
export function textOf(box: HTMLElement): string {
  return editorIn(box).state.doc.toString()
}

/** Replaces the whole text, as if it had been typed. */
export async function replaceText(box: HTMLElement, insert: string): Promise<void> {
  const view = editorIn(box)
  await act(async () => {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: 'input' })
  })
}
