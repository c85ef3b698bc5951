/**
 * Keeps the keys with which a word is composed (Japanese, Chinese, Korean, accents) from everything
 * on the page: Enter then only accepts the word, and Escape gives up the word alone. One listener
 * ahead of all others covers fields, dialogs and libraries.
 * @returns ends it
 */
export function ignoreComposing(page: Window): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === takenKey) event.stopImmediatePropagation()
  }
  page.addEventListener('keydown', hear, { capture: true })
  return () => page.removeEventListener('keydown', hear, { capture: true })
}

/** The code of a key that an input method has taken; Safari has no other sign of the last one. */
const takenKey = 229
