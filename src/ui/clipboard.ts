/**
 * Puts a text on the clipboard exactly as it is and says whether that worked. Pages served over
 * plain http have no clipboard API, so there a hidden text area is selected and copied.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard?.writeText) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Permission refused; the older way may still be allowed.
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.setAttribute('aria-hidden', 'true')
  area.className = 'sr-only'
  // A text area turns carriage returns into line feeds, hence the exact text by hand.
  const exact = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  // Inside the focused element's parent, because an open dialog takes the focus back from outside.
  const home = focused?.parentElement ?? document.body
  home.append(area)
  document.addEventListener('copy', exact, { capture: true, once: true })
  try {
    area.focus({ preventScroll: true })
    area.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', exact, { capture: true })
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
