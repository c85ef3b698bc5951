import type { ReactNode } from 'react'

/**
 * A bar of buttons: on a phone one line that scrolls sideways, so that rows keep the height. A menu
 * that opens below its button would be cut off in it and stands beside.
 */
export function ScrolledBar({ children }: { children: ReactNode }) {
  return (
    <div
      className="flex min-w-0 flex-1 basis-40 items-center gap-1 overflow-x-auto py-1 xs:contents *:shrink-0"
      data-bar=""
    >
      {children}
    </div>
  )
}
