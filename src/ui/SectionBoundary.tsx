import type { ReactNode } from 'react'
import { Boundary } from './Boundary'
import { ErrorNote } from './ErrorNote'

type PartProps = {
  /** The subject of the sentence that says it could not be shown. */
  what: string
  /** Details of a failure, for a report. */
  details: (error: unknown) => string
  children: ReactNode
  /** A change of this value is a new chance, for instance another key. */
  resetKey?: string
  /** Whether it reaches to the edges of its place, so that a failure needs room around it. */
  isPane?: boolean
}

/** A part of a screen that fails for itself: the others, and what is in them, stay. */
export function SectionBoundary({ what, details, children, isPane, ...boundary }: PartProps) {
  const failed = (error: unknown, retry: () => void) => (
    <div className={isPane ? 'p-3' : undefined}>
      <ErrorNote
        details={details(error)}
        notDone="Only the display failed: this changed nothing on the server."
        onRetry={retry}
        title={`${what} could not be shown.`}
      />
    </div>
  )
  return (
    <Boundary fallback={failed} {...boundary}>
      {children}
    </Boundary>
  )
}
