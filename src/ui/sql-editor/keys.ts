import {
  acceptCompletion,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import { defaultKeymap, historyKeymap } from '@codemirror/commands'
import { searchKeymap } from '@codemirror/search'
import { type Extension, Prec } from '@codemirror/state'
import { type EditorView, type KeyBinding, keymap } from '@codemirror/view'

/** What the run keys do. */
export type RunActions = { readonly onRun: () => void; readonly onRunAll: () => void }

/** Keys of the list of completions. Enter takes an entry only when one was chosen, so that a line
 * that happens to open the list still ends with Enter; Tab takes the first and is free otherwise. */
const completionKeys: readonly KeyBinding[] = [
  { key: 'Ctrl-Space', run: startCompletion },
  { key: 'Escape', run: closeCompletion },
  { key: 'ArrowDown', run: moveCompletionSelection(true) },
  { key: 'ArrowUp', run: moveCompletionSelection(false) },
  { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
  { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
  { key: 'Enter', run: acceptCompletion },
  { key: 'Tab', run: acceptFirst },
]

function acceptFirst(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false
  if (!selectedCompletion(view.state)) moveCompletionSelection(true)(view)
  return acceptCompletion(view)
}

/** The keyboard of the editor. Tab is not bound otherwise, so it leaves the editor. */
export function keys({ onRun, onRunAll }: RunActions): Extension {
  const run = (action: () => void) => () => {
    action()
    return true
  }
  return [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: run(onRun), shift: run(onRunAll) }])),
    Prec.high(keymap.of(completionKeys)),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  ]
}
