import { useSyncExternalStore } from 'react'
import { mobileWidth } from '~/lib/constants'

/** Phones, by the specification; the same width as the `xs` screen of the style sheet. */
const query = `(width < ${mobileWidth}px)`

function subscribe(changed: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** Whether the window is narrower than 600 px, for sizes that the style sheet cannot decide. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
