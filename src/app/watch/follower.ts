import { stateAtom } from '~/core/history/newest-state'
import type { Store } from '~/core/session/client'
import { trustsAtom } from '~/trust/trust'
import { beforeReload, loadQuietly } from '~/ui/lazy-with-retry'
import { whenAtRest } from './rest'

/**
 * Follows the history of the open database from when there is time for it until the returned
 * function is called. What that needs is asked for again with every answer of the server while it
 * could not be fetched.
 */
export function followLater(store: Store): () => void {
  let end = () => {}
  let standing: 'waiting' | 'fetching' | 'failed' | 'over' = 'waiting'
  const isOver = () => standing === 'over'
  const start = async () => {
    standing = 'fetching'
    try {
      // Nothing is looked for without the words for it: a server that was tampered with may not be
      // there to give them.
      const [{ followHistory }] = await loadQuietly(() =>
        Promise.all([import('~/trust/follow-history'), import('../trust/TrustParts')]),
      )
      if (!isOver()) end = followHistory(store)
    } catch {
      if (!isOver()) standing = 'failed'
    }
  }
  const stopHolding = beforeReload(async () => holdWhileBroken(store))
  const stop = store.sub(stateAtom, () => {
    if (standing === 'failed') void start()
  })
  void whenAtRest().then(() => {
    if (!isOver()) void start()
  })
  return () => {
    standing = 'over'
    stop()
    stopHolding()
    end()
  }
}

/**
 * A missing part never reloads a page that found something wrong: the server that answers now may
 * send another page, and what could not be stored would be lost. The user may still reload it.
 */
function holdWhileBroken(store: Store): void {
  const isBroken = [...store.get(trustsAtom).values()].some(({ kind }) => kind === 'broken')
  if (isBroken) throw new Error('what was found wrong would be lost')
}
