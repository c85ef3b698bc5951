import type { Extension } from '@codemirror/state'
import { highlightSpecialChars } from '@codemirror/view'
import { codePointName, specialCharacters } from '~/sql/special-characters'

/** Draws invisible and direction-changing characters as their code point. */
export const specialChars: Extension = highlightSpecialChars({
  addSpecialChars: specialCharacters,
  render: (code, description) => {
    const mark = document.createElement('span')
    mark.className = 'cm-specialChar'
    mark.textContent = codePointName(code)
    if (description) mark.title = description
    return mark
  },
})
