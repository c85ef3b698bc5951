// Outside React: the keyboard.

/**
 * Keeps what is typed until a field that was asked for is there, so that it does not go to what is
 * below. Escape or a press elsewhere gives up, and `onGivenUp` is told. Returns the function that ends
 * it; that returns the text, and an empty one when it is called again.
 */
export function holdKeys(onGivenUp: () => void): () => string {
  let text = ''
  const end = () => {
    window.removeEventListener('keydown', hear, { capture: true })
    window.removeEventListener('pointerdown', giveUp, { capture: true })
    const typed = text
    text = ''
    return typed
  }
  const giveUp = () => {
    end()
    onGivenUp()
  }
  const hear = (event: KeyboardEvent) => {
    const isChord = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph')
    // The browser's own keys go on; Ctrl+Enter is one of ours.
    if (isChord && event.key !== 'Enter') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Escape') giveUp()
    else if (event.key === 'Backspace') text = [...text].slice(0, -1).join('')
    else if ([...event.key].length === 1) text += event.key
  }
  window.addEventListener('keydown', hear, { capture: true })
  window.addEventListener('pointerdown', giveUp, { capture: true })
  return end
}
