import type { Locator } from 'playwright-core'

/** Replaces the text of a CodeMirror editor, as a paste would. */
export async function replaceText(editor: Locator, text: string): Promise<void> {
  await editor.click()
  const { keyboard } = editor.page()
  await keyboard.press('ControlOrMeta+a')
  await keyboard.press('Delete')
  await keyboard.insertText(text)
}

/** The text of a CodeMirror editor, as far as it is drawn: not of hundreds of lines. */
export async function drawnText(editor: Locator): Promise<string> {
  await editor.waitFor()
  return (await editor.locator('.cm-line').allTextContents()).join('\n')
}
