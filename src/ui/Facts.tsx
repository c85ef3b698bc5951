import type { ReactNode } from 'react'

type Props = { name: string; children: ReactNode }

/** A list of facts, their names in one column. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">{children}</dl>
}

/** A name and what it stands for, in the columns of the list around it. */
export function Fact({ name, children }: Props) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

/** The same as a line of its own, which is two lines on a phone. */
export function FactLine({ name, children }: Props) {
  return (
    <div className="xs:flex xs:gap-4">
      <dt className="shrink-0 text-muted xs:w-44">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
