import type { ReactNode } from 'react'

/** A name and what it stands for, in a list of them. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="xs:flex xs:gap-4">
      <dt className="shrink-0 text-muted xs:w-44">{name}</dt>
      <dd className="min-w-0 break-words [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
