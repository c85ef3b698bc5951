import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  /** Stands at the end of the title's line. */
  aside?: ReactNode
  children: ReactNode
  className?: string
}

/** A panel with a heading. */
export function Card({ title, aside, children, className = '' }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`flex min-w-0 flex-col rounded-lg border border-line bg-panel ${className}`}
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 px-4 pt-1 xs:min-h-10">
        <h2 className="font-medium" id={id}>
          {title}
        </h2>
        {aside && <span className="my-1 ms-auto text-muted text-xs">{aside}</span>}
      </header>
      <div className="min-w-0 grow px-4 pb-4">{children}</div>
    </section>
  )
}
