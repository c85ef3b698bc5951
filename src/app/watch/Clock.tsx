import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { clockOffsetAtom } from '~/atoms/session'
import { clockSkewLimit } from '~/lib/constants'
import { formatSpan } from '~/lib/span'
import { CloseIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Line } from './Line'

/** The clocks of this computer and of the server differ by more than a proxy could explain. */
export function Clock() {
  const offset = useAtomValue(clockOffsetAtom)
  const [isClosed, setClosed] = useState(false)
  if (isClosed || Math.abs(offset) <= clockSkewLimit) return null
  const way = offset > 0 ? 'behind' : 'ahead of'
  return (
    <Line
      action={
        <IconButton
          icon={<CloseIcon />}
          label="Close the notice about the clock"
          onClick={() => setClosed(true)}
          size="small"
        />
      }
      icon={<WarningIcon />}
    >
      The clock of this computer is {formatSpan(Math.abs(offset))} {way} the server’s. Times that
      the server wrote are shown as it wrote them; your session goes by the server’s clock.
    </Line>
  )
}
