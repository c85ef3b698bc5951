import type { ReactNode } from 'react'
import { useSearchParam } from './location'

type Props = {
  /** The one to begin with; `all` for none. */
  limit: string
  children: ReactNode
}

/** Opens the limits of the server over the present page, which stays as it is. */
export function LimitsLink({ limit, children }: Props) {
  const [, open] = useSearchParam('limits')
  return (
    <button className="text-primary underline" onClick={() => open(limit)} type="button">
      {children}
    </button>
  )
}
