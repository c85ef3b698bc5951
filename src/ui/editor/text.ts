import { defaultKeymap, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { closeSearchPanel, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import { type KeyBinding, keymap } from '@codemirror/view'
import { EditorView } from 'codemirror'
import { base, toldChanges } from './base'
import { adoptStyleSheets } from './theme'

export type TextLanguage = 'json' | 'text'

export type TextEditorOptions = {
  readonly text: string
  readonly language: TextLanguage
  readonly onChange: (text: string) => void
}

/** Attributes of the element that holds the text: its name, what describes it, whether it is wrong. */
export type TextAttributes = Readonly<Record<string, string>>

export type MountedTextEditor = {
  readonly view: EditorView
  setAttributes(attributes: TextAttributes): void
  setReadOnly(isReadOnly: boolean): void
  destroy(): void
}

const keys: readonly KeyBinding[] = [
  // Only the search is closed, and not what the editor stands in.
  {
    key: 'Escape',
    run: closeSearchPanel,
    scope: 'editor search-panel',
    stopPropagation: true,
  },
  // What ends the work on a value elsewhere would add a line here.
  ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
  ...historyKeymap,
  ...searchKeymap,
]

/** Puts a new editor for a value or document into an element. Tab leaves it. */
export function mountTextEditor(
  parent: HTMLElement,
  { text, language, onChange }: TextEditorOptions,
): MountedTextEditor {
  adoptStyleSheets()
  const attributes = new Compartment()
  const readOnly = new Compartment()
  const told = toldChanges(onChange)
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of(keys),
        language === 'json' ? json() : [],
        base,
        EditorView.lineWrapping,
        attributes.of([]),
        readOnly.of([]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) told.change(state)
        }),
      ],
    }),
  })
  return {
    view,
    setAttributes: (next) =>
      view.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(next)) }),
    setReadOnly: (isReadOnly) =>
      view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(isReadOnly)) }),
    destroy: () => {
      told.flush()
      view.destroy()
    },
  }
}
