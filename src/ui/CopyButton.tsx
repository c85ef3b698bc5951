import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '~/ui/Button'
import { copyText } from '~/ui/clipboard'
import { CopyIcon, ErrorIcon, TickIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'

// Outside React: time.

type CopyButtonProps = {
  /** The exact text, or a function that makes it when that takes time. */
  text: string | (() => string)
  /** What is copied: "Copy {what}" is the accessible name. */
  what: string
  /** Shows words beside the icon. */
  worded?: boolean
  size?: 'tiny' | 'small' | 'normal'
  /** In place of the two sheets. */
  icon?: ReactNode
}

type Outcome = 'idle' | 'copied' | 'failed'

/** Milliseconds for which the outcome stays to be seen. */
const shownFor = 1500

const icons = {
  idle: <CopyIcon />,
  copied: <TickIcon className="text-success" />,
  failed: <ErrorIcon className="text-error" />,
}

const words = { idle: 'Copy', copied: 'Copied', failed: 'Could not copy' }

/** Copies a text and says so where it was pressed. */
export function CopyButton({ text, what, worded, size = 'small', icon }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('idle')
  const place = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    const done = await copyText(typeof text === 'string' ? text : text())
    if (!place.current) return
    clearTimeout(timer.current)
    setOutcome(done ? 'copied' : 'failed')
    timer.current = setTimeout(() => setOutcome('idle'), shownFor)
  }
  const shown = outcome === 'idle' && icon ? icon : icons[outcome]
  return (
    <span className="inline-flex print:hidden" ref={place}>
      {worded ? (
        <Button
          aria-label={`Copy ${what}`}
          icon={shown}
          onClick={copy}
          size={size === 'normal' ? 'normal' : 'small'}
        >
          {words[outcome]}
        </Button>
      ) : (
        <IconButton icon={shown} label={`Copy ${what}`} onClick={copy} size={size} />
      )}
      <span aria-live="polite" className="sr-only">
        {outcome === 'idle' ? '' : words[outcome]}
      </span>
    </span>
  )
}
