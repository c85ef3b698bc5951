import type { Useless } from './arrivals'

/** A check that could not go on. */
export const stopped = (words: string, advice: string, isTried: boolean, saved?: Useless) =>
  ({ kind: 'stopped', words, advice, isTried, ...(saved && { saved }) }) as const

/** Nothing begins by itself then: what was read before would silently be read as less. */
export const damaged = stopped(
  'The saved progress of this check could not be read.',
  'It was changed or damaged in the storage of this browser, not by the server. Start at the trusted state to continue; the damaged record is kept aside.',
  false,
  'damaged',
)

/** Said once the alarm about it has ended. It would begin with the same alarm. */
export const unfit = stopped(
  'What this check had read does not fit the trusted state.',
  'Start at the trusted state to continue. What it had read before no longer counts.',
  false,
  'unfit',
)

/** There is nothing to begin with behind such a state. */
export const lagging = stopped(
  'The tree over all transactions lags behind on this server.',
  'Run a deep audit first, then choose Continue. The check goes on from its end.',
  false,
)

/** Why nothing is read without workers. */
export const noWorker = 'This browser does not let the console work in the background.'
