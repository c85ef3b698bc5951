import type { Seen } from '../support/fault-proxy'
import type { Fault } from '../support/faults'
import type { Random } from './random'

const page = '<!doctype html><title>Hotel</title><h1>Welcome to our hotel</h1>'

/** Faults of a call of the API. Those that cost the 30 s of the console's own timer come rarely. */
const ofCalls = (random: Random): readonly (readonly [number, Fault])[] => [
  [4, { kind: 'reset' }],
  [1, { kind: 'hang' }],
  [4, { kind: 'delay', ms: random.between(200, 4_000) }],
  [0.5, { kind: 'delay', ms: 31_000 }],
  [3, { kind: 'truncate' }],
  [2, { kind: 'truncateChunked' }],
  [3, { kind: 'cutClean' }],
  [3, { kind: 'corrupt' }],
  [6, { kind: 'dropAnswer' }],
  [1, { kind: 'hangAnswer' }],
  [2, { kind: 'drip', bytes: 64, ms: 20 }],
  [2, { kind: 'answer', status: 502, body: page }],
  [2, { kind: 'answer', status: 503, body: page }],
  [2, { kind: 'answer', status: 504, body: page }],
  [2, { kind: 'answer', status: 200, body: page }],
  [1, { kind: 'answer', status: 204 }],
]

/**
 * Faults of a page or a file of the build. None of them changes bytes: what a browser was given
 * whole, under the server's promise that it never changes, it may keep for good.
 */
const ofFiles = (random: Random): readonly (readonly [number, Fault])[] => [
  [4, { kind: 'reset' }],
  [3, { kind: 'delay', ms: random.between(200, 4_000) }],
  [3, { kind: 'truncate' }],
  [2, { kind: 'answer', status: 502, body: page }],
  [2, { kind: 'answer', status: 404, body: 'not found' }],
  [2, { kind: 'answer', status: 200, body: page }],
]

/** Strikes requests at random, about the given share of them. */
export function weatherOf(random: Random, share: number): (seen: Seen) => Fault | undefined {
  return ({ path }) => {
    if (!random.chance(share)) return undefined
    return random.pick(path.includes('/api/') ? ofCalls(random) : ofFiles(random))
  }
}
