import type { ReactNode } from 'react'
import { Button } from './Button'

type Props = {
  /** What is not finished, as a sentence; may name things from outside. */
  children: ReactNode
  /** Ways on, and out. */
  buttons: ReactNode
}

/** Something was begun elsewhere on the screen and is kept until it is finished. */
export function UnfinishedBar({ children, buttons }: Props) {
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-warning/45 border-b bg-warning-tint px-4 py-2 text-sm"
      role="status"
    >
      <span className="min-w-0 grow [overflow-wrap:anywhere]">{children}</span>
      {buttons}
    </div>
  )
}

type DraftProps = {
  children: ReactNode
  onContinue: () => void
  onDiscard: () => void
  reasonAgainstDiscard: string | undefined
}

/** The same for a draft, which can be continued and discarded. */
export function UnfinishedDraft(props: DraftProps) {
  const { children, onContinue, onDiscard, reasonAgainstDiscard } = props
  return (
    <UnfinishedBar
      buttons={
        <>
          <Button onClick={onContinue} size="small">
            Continue
          </Button>
          <Button
            disabledReason={reasonAgainstDiscard}
            onClick={onDiscard}
            size="small"
            variant="quiet"
          >
            Discard
          </Button>
        </>
      }
    >
      {children}
    </UnfinishedBar>
  )
}
