import { type ReactNode, useId } from 'react'
import { WarningIcon } from './Icon'
import { showWhole } from './show-whole'

type Props = {
  title: ReactNode
  /** Announced at once; not where a failure above it is. */
  isAlert?: boolean
  /** What is stored, and what was typed. */
  children: ReactNode
  /** Ways to decide, the strongest last. */
  buttons?: ReactNode
}

/** Someone else was quicker: what is stored, and what can be done with the own version. */
export function Conflict({ title, isAlert = false, children, buttons }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-1 gap-3 rounded border border-warning/45 bg-warning-tint px-3 py-3"
      ref={showWhole}
      role={isAlert ? 'alert' : undefined}
    >
      <h3 className="flex items-center gap-2 font-medium" id={id}>
        <span className="text-warning">
          <WarningIcon />
        </span>
        {title}
      </h3>
      {children}
      {buttons && <div className="flex flex-wrap justify-end gap-2">{buttons}</div>}
    </section>
  )
}
