import type { ReactNode } from 'react'

/** Keys to press, as one box: the guide names too many of them for a box each. */
export function Keys({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block whitespace-nowrap rounded-sm border border-line bg-page px-1.5 text-center font-sans text-muted text-xs leading-[18px]">
      {children}
    </kbd>
  )
}
