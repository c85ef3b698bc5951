import { workers } from '~/lib/build'
import type { RefusedProof } from '~/proof/evidence'
import type { Context } from '~/proof/kernel/context'
import { ProofError } from '~/proof/kernel/steps'
import type { FactsOf, Kind, Verified } from '~/proof/kernel/verify'
import type { RowsAsked, StoredRow } from '~/proof/kernel/verify-row'

export function refusedOf({ reason, step, part, compared, steps }: ProofError): RefusedProof {
  return { reason, step, part, compared, steps }
}

type Answer = { number: number; verified?: unknown; refused?: RefusedProof; failure?: string }

type Open = { done: (answer: Answer) => void; here: () => void }

/** Checks in progress and their worker; null until needed and after a failure. */
const open = new Map<number, Open>()
let worker: Worker | null = null
let count = 0
let failures = 0

/** A worker may fail because the server is away, or because the browser blocks it for good. */
const mostFailures = 3

/**
 * Checks an answer as `verify` of the engine does, in a worker so that the page never waits; on
 * the page itself where no worker can be had. Rejects with `ProofError` when the answer is refused.
 */
export async function verifyInWorker<K extends Kind>(
  kind: K,
  context: Context | null,
  request: unknown,
  response: unknown,
): Promise<Verified<FactsOf[K]>> {
  const asked = { kind, context, request, response }
  const verified = await runInWorker(asked, async () =>
    (await import('~/proof/engine')).verify(kind, context, request, response),
  )
  return verified as Verified<FactsOf[K]> // the engine's own, of the kind that was asked
}

/** Finds rows among proven entries as `rowsInTx` of the engine does, in the same way. */
export async function findRowsInWorker(asked: RowsAsked): Promise<(StoredRow | null)[]> {
  const found = await runInWorker({ kind: 'rows', ...asked }, async () =>
    (await import('~/proof/engine')).rowsInTx(asked),
  )
  return found as (StoredRow | null)[] // what the worker finds, as here
}

async function runInWorker(asked: object, here: () => Promise<unknown>): Promise<unknown> {
  const running = startWorker()
  if (!running) return here()
  const answer = await new Promise<Answer | null>((resolve) => {
    count += 1
    open.set(count, { done: resolve, here: () => resolve(null) })
    running.postMessage({ number: count, ...asked })
  })
  if (!answer) return here()
  if (answer.refused) throw proofErrorOf(answer.refused)
  if (answer.failure !== undefined) throw new Error(answer.failure)
  return answer.verified
}

/** The engine's own error again. */
export function proofErrorOf({ reason, step, part, compared, steps }: RefusedProof): ProofError {
  const error = new ProofError(reason, step, part, compared)
  error.steps = steps
  return error
}

function startWorker(): Worker | null {
  const file = workers.get('proof')
  if (worker || failures >= mostFailures || file === undefined || typeof Worker === 'undefined')
    return worker
  // Every script of a build lies in the same folder.
  worker = new Worker(new URL(file, import.meta.url))
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    open.get(data.number)?.done(data)
    open.delete(data.number)
  })
  worker.addEventListener('error', giveUp)
  return worker
}

/** Finishes pending checks on the page; the next check tries a new worker, a few times. */
function giveUp() {
  failures += 1
  worker?.terminate()
  worker = null
  for (const { here } of open.values()) here()
  open.clear()
}
