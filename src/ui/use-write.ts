import { useRef, useState } from 'react'
import {
  afterEvent,
  idle,
  isBusy,
  type Settled,
  type Write,
  type WriteEvent,
} from '~/lib/write-state'

/** What a dialog knows of its write. */
export type DialogWrite<T> = {
  state: Write<T>
  isBusy: boolean
  /**
   * Starts it; a second start before the first has ended does nothing.
   * @returns whether it was committed
   */
  start: (send: () => Promise<Settled<T> | null>) => Promise<boolean>
  /** Looks what became of it and shows the answer. */
  check: (look: () => Promise<string>) => Promise<void>
  forget: () => void
}

/** Sends a write of a dialog once, hands on what was done, and keeps why it failed. */
export function useWrite<T>(onDone: (value: T) => void): DialogWrite<T> {
  const [state, setState] = useState<Write<T>>(idle)
  // Two presses may come before anything is drawn again.
  const latest = useRef(state)
  const tell = (event: WriteEvent<T>) => {
    latest.current = afterEvent(latest.current, event)
    setState(latest.current)
  }
  return {
    state,
    isBusy: isBusy(state),
    start: async (send) => {
      if (isBusy(latest.current)) return false
      tell({ kind: 'start' })
      tell({ kind: 'send' })
      const ended = (await send()) ?? idle
      tell({ kind: 'end', state: ended })
      if (ended.kind !== 'committed') return false
      onDone(ended.value)
      return true
    },
    check: async (look) => {
      tell({ kind: 'check' })
      tell({ kind: 'find', finding: await look() })
    },
    forget: () => tell({ kind: 'forget' }),
  }
}
