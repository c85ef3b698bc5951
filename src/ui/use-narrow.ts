import { useSyncExternalStore } from 'react'
import { breakpoints, mobileWidth, resizeDebounce, shortHeight } from '~/lib/constants'

/** Phones, by the specification; the same width as the `xs` screen of the style sheet. */
const narrow = `(width < ${mobileWidth}px)`

/** Phones on their side, and small screens at 200 %. */
const small = `(width < ${breakpoints.sm}px) and (height < ${shortHeight}px)`

/** Called once the size has settled, so that dragging a window edge lays the page out once. */
const onChange = (query: string) => (changed: () => void) => {
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
const onNarrow = onChange(narrow)
const onSmall = onChange(small)

/** Whether the window is narrower than 600 px, for sizes that the style sheet cannot decide. */
export function useNarrow(): boolean {
  return useSyncExternalStore(onNarrow, () => matchMedia(narrow).matches)
}

/** Whether there is room for one thing at a time only: no navigation beside it, and no second pane. */
export function useOneColumn(): boolean {
  const isSmall = useSyncExternalStore(onSmall, () => matchMedia(small).matches)
  return useNarrow() || isSmall
}
