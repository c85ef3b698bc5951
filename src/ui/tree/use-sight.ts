import { useCallback, useRef, useState } from 'react'
import { type Sight, watchSight } from '~/ui/tree/sight'

/**
 * What a scrolling box shows. Hand `attach` to the box as its `ref`; until its size is known a
 * window's height is assumed, so that the first lines are there at once.
 */
export function useSight() {
  const element = useRef<HTMLElement | null>(null)
  const [seen, setSeen] = useState<Sight>({ top: 0, height: 600 })
  const attach = useCallback((box: HTMLElement | null) => {
    element.current = box
    return watchSight(box, setSeen)
  }, [])
  return { sight: { ...seen, box: () => element.current }, attach }
}
