import { type ReactNode, useState } from 'react'
import { useLinesInSight } from './lines-in-sight'
import { Rows } from './Rows'
import { useNarrow } from './use-narrow'

type PickListProps = {
  /** The accessible name. */
  label: string
  count: number
  /** Index of the entry that is shown elsewhere; -1 for none. */
  picked: number
  onPick: (index: number) => void
  /** Moving picks too, where showing an entry asks nobody. */
  isFollowed?: boolean
  /** What stands in a line; one line of text high. */
  render: (index: number) => ReactNode
}

/** A list to pick one entry from; Enter, Space and a press pick. */
export function PickList(props: PickListProps) {
  const { label, count, picked, onPick, isFollowed = false, render } = props
  const sight = useLinesInSight(count, useNarrow() ? 44 : 28)
  const [moved, setMoved] = useState<number | null>(null)
  const active = Math.min(count - 1, Math.max(0, isFollowed ? picked : (moved ?? picked)))
  return (
    <Rows
      choice={{ active, onActive: isFollowed ? onPick : setMoved, onOpen: onPick }}
      label={label}
      picked={picked}
      role="listbox"
      row={render}
      rowLook={() => 'flex items-center gap-2 px-3'}
      sight={sight}
    />
  )
}
