import type { ReactNode } from 'react'
import { useSearchParam } from './location'

type Props = {
  /** The one to begin with; `all` for none. */
  limit: string
  children: ReactNode
  tabIndex?: number | undefined
}

/** Opens the limits of the server over the present page, which stays as it is. */
export function LimitsLink({ limit, children, tabIndex }: Props) {
  const [, open] = useSearchParam('limits')
  return (
    <button
      className="text-primary underline"
      onClick={() => open(limit)}
      tabIndex={tabIndex}
      type="button"
    >
      {children}
    </button>
  )
}
