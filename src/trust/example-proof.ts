import type { Io } from '~/core/act'
import type { Context } from '~/proof/context'
import { factsAlone } from '~/proof/shown'
import { ProofError } from '~/proof/steps'
import { openProofDrawer } from './proof-drawer'
import { refusedOf, verifyInWorker } from './proof-worker'
import type { Proof, ProofOutcome } from './verification'

/** A recorded answer for a key; no server is asked and no history of ours is touched. */
export type Example = { what: string; context: Context; request: unknown; response: unknown }

/** Verifies a recorded answer as any other and shows it in the drawer. */
export async function showExample(io: Io, example: Example): Promise<void> {
  await openProofDrawer(io, { what: example.what, of: example, prove: proveExample })
}

async function proveExample(_io: Io, example: Example): Promise<readonly Proof[]> {
  const outcome = await outcomeOf(example)
  const of = { database: example.context.db, server: '', kind: 'get', basis: 'example' } as const
  return [{ verification: { ...example, ...of, shown: factsAlone, at: Date.now(), outcome } }]
}

async function outcomeOf({ context, request, response }: Example): Promise<ProofOutcome<'get'>> {
  try {
    return { kind: 'ok', verified: await verifyInWorker('get', context, request, response) }
  } catch (error) {
    if (error instanceof ProofError) return { kind: 'refused', refusal: refusedOf(error) }
    throw error
  }
}
