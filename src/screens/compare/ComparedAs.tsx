import { useState } from 'react'
import type { ComparedAs } from '~/atoms/compare/values'
import { mostSteps } from '~/lib/constants'
import { formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'

/** Which of the two is shown: other moments may have too many transactions for every step. */
export function useComparedAs({ from, to }: { from: string; to: string }) {
  const [as, setAs] = useState<ComparedAs>('net')
  return [whyNoSteps(from, to) === undefined ? as : 'net', setAs] as const
}

function whyNoSteps(from: string, to: string): string | undefined {
  const span = BigInt(to) - BigInt(from)
  return span > BigInt(mostSteps)
    ? `At most ${mostSteps} transactions can be shown one by one. These are ${formatCount(span)}.`
    : undefined
}

type HowMuchProps = {
  from: string
  to: string
  as: ComparedAs
  onChange: (as: ComparedAs) => void
}

/** The net change, or what each transaction changed. */
export function HowMuch({ from, to, as, onChange }: HowMuchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and cannot be a flex row everywhere.
    <div aria-label="Changes" className="flex gap-1" role="group">
      <Button
        aria-pressed={as === 'net'}
        onClick={() => onChange('net')}
        size="small"
        variant={as === 'net' ? 'plain' : 'quiet'}
      >
        Net change
      </Button>
      <Button
        aria-pressed={as === 'steps'}
        disabledReason={whyNoSteps(from, to)}
        onClick={() => onChange('steps')}
        size="small"
        variant={as === 'steps' ? 'plain' : 'quiet'}
      >
        Every step
      </Button>
    </div>
  )
}
