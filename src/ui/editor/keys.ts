import {
  acceptCompletion,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import {
  defaultKeymap,
  historyKeymap,
  moveLineDown,
  moveLineUp,
  redo,
  toggleComment,
  undo,
} from '@codemirror/commands'
import { openSearchPanel, searchKeymap } from '@codemirror/search'
import { type Extension, Prec } from '@codemirror/state'
import { type EditorView, type KeyBinding, keymap } from '@codemirror/view'
import { type Action, keysOf } from '~/lib/shortcuts'

/** Keys of the table as the editor writes them. On a Mac, Command with Space belongs to the system. */
function keyOf(action: Action<'editor'>): string {
  const [key = ''] = keysOf('editor', action).split(', ')
  if (key === 'Ctrl+Space') return 'Ctrl-Space'
  const letter = key.replace(/(?<=\+)[A-Z]$/, (last) => last.toLowerCase())
  return letter.replace('Ctrl+', 'Mod-').replaceAll('+', '-')
}

/** What the keys do that run and save. */
export type RunActions = {
  readonly onRun: () => void
  readonly onRunAll: () => void
  readonly onSave: () => void
}

/** Keys of the list of completions. Enter takes an entry only when one was chosen, so that a line
 * that happens to open the list still ends with Enter; Tab takes the first and is free otherwise. */
const completionKeys: readonly KeyBinding[] = [
  { key: keyOf('suggest'), run: startCompletion },
  { key: keyOf('dismiss'), run: closeCompletion },
  { key: 'ArrowDown', run: moveCompletionSelection(true) },
  { key: 'ArrowUp', run: moveCompletionSelection(false) },
  { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
  { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
  { key: 'Enter', run: acceptCompletion },
  { key: keyOf('take'), run: acceptFirst },
]

function acceptFirst(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false
  if (!selectedCompletion(view.state)) moveCompletionSelection(true)(view)
  return acceptCompletion(view)
}

/** The keyboard of the editor. Tab is not bound otherwise, so it leaves the editor. */
export function keys({ onRun, onRunAll, onSave }: RunActions): Extension {
  const run = (action: () => void) => () => {
    action()
    return true
  }
  return [
    Prec.highest(
      keymap.of([
        { key: keyOf('run'), run: run(onRun) },
        { key: keyOf('runAll'), run: run(onRunAll) },
        // The browser would offer to save the page.
        { key: keyOf('save'), run: run(onSave) },
      ]),
    ),
    Prec.high(keymap.of(completionKeys)),
    keymap.of([
      { key: keyOf('comment'), run: toggleComment },
      { key: keyOf('find'), run: openSearchPanel },
      { key: keyOf('undo'), run: undo },
      { key: keyOf('redo'), run: redo },
      { key: keyOf('lineUp'), run: moveLineUp },
      { key: keyOf('lineDown'), run: moveLineDown },
    ]),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  ]
}
