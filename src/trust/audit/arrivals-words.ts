import type { Useless } from './arrivals'

/** A check that could not continue. */
export const stopped = (words: string, advice: string, isTried: boolean, saved?: Useless) =>
  ({ kind: 'stopped', words, advice, isTried, ...(saved && { saved }) }) as const

/** The check must not restart by itself: that would silently lose what was read before. */
export const damaged = stopped(
  'The saved progress of this check could not be read.',
  'It was changed or damaged in the storage of this browser, not by the server. The console keeps the damaged record aside. Start at the trusted state to continue.',
  false,
  'damaged',
)

/** Shown once the alarm about it has ended. The check would raise the same alarm again. */
export const unfit = stopped(
  'The transactions that this check read do not fit the trusted state.',
  'Start at the trusted state to continue. Transactions read before no longer count.',
  false,
  'unfit',
)

/** Without a complete tree, the check has nothing to start from. */
export const lagging = stopped(
  'The tree over all transactions lags behind on this server.',
  'Run a deep audit first, then choose Continue. The check continues from its end.',
  false,
)

/** The reason why nothing is read without workers. */
export const noWorker = 'This browser does not allow work in the background.'
