import { useState } from 'react'

type Attempt = {
  isBusy: boolean
  /** The last try did not succeed, so that the question is still there. */
  hasFailed: boolean
  /** Does the work of a question, which is closed when it succeeds. */
  attempt(work: () => Promise<unknown>): Promise<void>
}

/** What a question does once it was answered with yes, and what became of it. */
export function useAttempt(onClose: () => void): Attempt {
  const [state, setState] = useState<'asked' | 'busy' | 'failed'>('asked')
  const attempt = async (work: () => Promise<unknown>) => {
    setState('busy')
    try {
      await work()
      onClose()
    } catch {
      setState('failed')
    }
  }
  return { isBusy: state === 'busy', hasFailed: state === 'failed', attempt }
}
