import type { Extension } from '@codemirror/state'
import { highlightSpecialChars } from '@codemirror/view'
import { nameFor } from '~/lib/visible-parts'
import { shownFor, unseenIn } from '~/lib/visible-text'

/** Draws invisible and direction-changing characters as marks, all but the tab. */
export const specialChars: Extension = highlightSpecialChars({
  specialChars: new RegExp(`(?!\\t)(?:${unseenIn('value').source})`, 'gu'),
  render: (code) => {
    const mark = document.createElement('span')
    mark.className = 'cm-specialChar'
    mark.textContent = shownFor(String.fromCodePoint(code))
    mark.title = nameFor(String.fromCodePoint(code))
    return mark
  },
})
