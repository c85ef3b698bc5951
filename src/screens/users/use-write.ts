import { useRef, useState } from 'react'
import type { Outcome } from '~/atoms/storage/outcome'
import type { Said } from '~/atoms/users/writes'
import { showToast } from '~/ui/toast'

type Failed = Exclude<Outcome<unknown>, { kind: 'done' }>

/** What a dialog knows of its write; a second start before the first has ended does nothing. */
export type Write = {
  isBusy: boolean
  failure: Failed | null
  start: (send: () => Promise<Outcome<Said>>) => Promise<void>
  forget: () => void
}

/** Sends a write once, tells what was done, and keeps why it failed. */
export function useWrite(onDone: () => void): Write {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failed | null>(null)
  // Two presses may come before anything is drawn anew.
  const isRunning = useRef(false)
  const start = async (send: () => Promise<Outcome<Said>>) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setFailure(null)
    const outcome = await send()
    isRunning.current = false
    setBusy(false)
    if (outcome.kind !== 'done') return setFailure(outcome)
    if (outcome.value !== null) showToast({ kind: 'success', text: outcome.value })
    onDone()
  }
  return { isBusy, failure, start, forget: () => setFailure(null) }
}
