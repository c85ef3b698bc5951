import { useState } from 'react'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { CodeIcon } from '~/ui/QueryIcons'
import type { Call } from './call'

const CodeDialog = lazyWithRetry(() => import('./CodeDialog').then((part) => part.CodeDialog))

type Props = {
  /** What the code will do, such as `key user:1`; it may name things from outside. */
  what: string
  /** The button's name where another one is on the screen. */
  label?: string
  /** Describes the call as it is when the button is pressed; null where there is none. */
  call: () => Call | null | Promise<Call | null>
  disabledReason?: string | undefined
  /** Only the icon, in a bar that has little room. */
  isSmall?: boolean
  /** That of the buttons beside it. */
  size?: 'small' | 'normal'
}

/** Shows what is open as a call of one's own program. */
export function CodeButton(props: Props) {
  const { what, label = 'Show as code', call, disabledReason, isSmall, size = 'small' } = props
  const [shown, show] = useState<Call | null>(null)
  const open = async () => show(await call())
  return (
    <>
      {isSmall ? (
        <IconButton
          disabledReason={disabledReason}
          icon={<CodeIcon />}
          label={label}
          onClick={() => void open()}
          size="small"
        />
      ) : (
        <Button
          aria-label={label}
          disabledReason={disabledReason}
          icon={<CodeIcon />}
          onClick={() => void open()}
          size={size}
        >
          Code
        </Button>
      )}
      {shown && <CodeDialog call={shown} onClose={() => show(null)} what={what} />}
    </>
  )
}
