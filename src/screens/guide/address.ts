import { useCallback, useRef, useState } from 'react'
import { filterDelay } from '~/lib/constants'
import { pathTo } from '~/lib/paths'
import { useNavigate, useSearchParam } from '~/ui/location'

/**
 * What is looked for, as the address and the field say it, and the addresses of sections. The
 * field is ahead of the address while the user types.
 */
export function useGuideAddress() {
  const navigate = useNavigate()
  const [database] = useSearchParam('db')
  const [addressed = ''] = useSearchParam('q')
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pathOf = useCallback(
    (query: string, id: string) =>
      `${pathTo('guide', { ...(database && { db: database }), ...(query && { q: query }) })}${id && `#${id}`}`,
    [database],
  )
  const settle = (text: string) => {
    clearTimeout(timer.current)
    setTyped(null)
    if (text === addressed) return
    toTop()
    navigate(pathOf(text, ''), { replace: true })
  }
  return {
    query: typed ?? addressed,
    pathOf,
    settle,
    type: (text: string) => {
      setTyped(text)
      toTop()
      clearTimeout(timer.current)
      timer.current = setTimeout(() => settle(text), filterDelay)
    },
    /** What was typed just before the screen is left must not bring it back. */
    whileShown: useCallback(() => () => clearTimeout(timer.current), []),
  }
}

/** Search results begin at the top, wherever the reader was. */
function toTop(): void {
  document.getElementById('guide')?.scrollIntoView({ block: 'start' })
}
