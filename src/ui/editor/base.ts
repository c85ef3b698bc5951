import { history } from '@codemirror/commands'
import { bracketMatching, indentUnit } from '@codemirror/language'
import { highlightSelectionMatches, search } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { highlightSpecialChars, lineNumbers } from '@codemirror/view'
import { EditorView } from 'codemirror'
import { largeTextLength, undoDepth, undoMergePeriod } from '~/lib/constants'
import { nameFor } from '~/lib/visible-parts'
import { shownFor, unseenIn } from '~/lib/visible-text'
import { theme } from './theme'

/** Draws invisible and direction-changing characters as marks, all but the tab. */
const specialChars: Extension = highlightSpecialChars({
  specialChars: new RegExp(`(?!\\t)(?:${unseenIn('value').source})`, 'gu'),
  render: (code) => {
    const mark = document.createElement('span')
    mark.className = 'cm-specialChar'
    mark.textContent = shownFor(String.fromCodePoint(code))
    mark.title = nameFor(String.fromCodePoint(code))
    return mark
  },
})

/**
 * Replaces a selection itself when a text is typed over it. The browser would carry the look of
 * the replaced text over in a style attribute, which the policy of the page forbids.
 */
const ownReplacement = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const isTyped = event.inputType === 'insertText' && event.data !== null && !event.isComposing
    if (!isTyped || view.state.readOnly || view.state.selection.main.empty) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(event.data ?? ''), {
      scrollIntoView: true,
      userEvent: 'input.type',
    })
    return true
  },
})

/** What all editors have in common. */
export const base: Extension = [
  // Any other line end is part of the text: a value that is pasted is sent as it is.
  EditorState.lineSeparator.of('\n'),
  history({ minDepth: undoDepth, newGroupDelay: undoMergePeriod }),
  indentUnit.of('  '),
  lineNumbers(),
  bracketMatching(),
  specialChars,
  search({ top: true }),
  highlightSelectionMatches(),
  theme,
  ownReplacement,
]

/** Tells of each change; of a long text in a task of its own, since writing it out takes a while. */
export function toldChanges(onChange: (text: string) => void) {
  let last: EditorState | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    const state = last
    last = null
    clearTimeout(timer)
    if (state) onChange(state.doc.toString())
  }
  const change = (state: EditorState) => {
    clearTimeout(timer)
    last = state
    if (state.doc.length > largeTextLength) timer = setTimeout(flush)
    else flush()
  }
  return { change, flush }
}
