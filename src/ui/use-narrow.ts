import { useSyncExternalStore } from 'react'
import { mobileWidth, resizeDebounce } from '~/lib/constants'

/** Phones, by the specification; the same width as the `xs` screen of the style sheet. */
const query = `(width < ${mobileWidth}px)`

/** Called once the width has settled, so that dragging a window edge lays the page out once. */
function subscribe(changed: () => void): () => void {
  const media = matchMedia(query)
  let timer: ReturnType<typeof setTimeout> | undefined
  const settle = () => {
    clearTimeout(timer)
    timer = setTimeout(changed, resizeDebounce)
  }
  media.addEventListener('change', settle)
  return () => {
    clearTimeout(timer)
    media.removeEventListener('change', settle)
  }
}

/** Whether the window is narrower than 600 px, for sizes that the style sheet cannot decide. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
