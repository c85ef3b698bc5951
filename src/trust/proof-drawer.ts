import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import type { Context } from '~/proof/kernel/context'
import { ProofError } from '~/proof/kernel/steps'
import { factsAlone } from '~/proof/shown'
import { refusedOf, verifyInWorker } from './proof-worker'
import { prove, proveAll } from './prove'
import { documentRequest, type Proof, type ProofOutcome, type Question } from './verification'

/**
 * What is to be proven, again each time: questions, or what only its noun can find them for, with
 * the action that proves it.
 */
export type ProofRequest<T = unknown> = { readonly what: string } & (
  | {
      readonly questions: readonly Question[]
      /** What was found out before, to be shown first. */
      readonly proofs?: readonly Proof[]
    }
  | { readonly of: T; prove(io: Io, of: T): Promise<readonly Proof[]> }
)

type DrawerState =
  | { kind: 'asking' }
  | { kind: 'here'; proofs: readonly Proof[] }
  /** The call failed, which says nothing about the object. */
  | { kind: 'failed'; text: string; details: string }

type Drawer = { request: ProofRequest | null; what: string; state: DrawerState }

const openedAtom = atom<Drawer | null>(null)

/** What the drawer shows; null while it is closed. */
export const proofDrawerAtom = atom((get) => get(openedAtom))

/** Opens the drawer with a finished check, or with one to be done. */
export async function openProofDrawer<T>(io: Io, of: Proof | ProofRequest<T>): Promise<void> {
  const show = (request: ProofRequest | null, what: string, proofs: readonly Proof[]) =>
    io.set(openedAtom, { request, what, state: { kind: 'here', proofs } })
  if ('verification' in of) show(null, of.verification.what, [of])
  else if ('proofs' in of && of.proofs) show(of, of.what, of.proofs)
  else await ask(io, of)
}

/** Asks and checks once more. */
export async function repeatProof(io: Io): Promise<void> {
  const request = io.get(openedAtom)?.request
  if (request) await ask(io, request)
}

export function closeProof({ set }: Io) {
  return set(openedAtom, null)
}

async function ask(io: Io, request: ProofRequest): Promise<void> {
  const { what } = request
  io.set(openedAtom, { request, what, state: { kind: 'asking' } })
  const tell = (state: DrawerState) => {
    const present = io.get(openedAtom)
    if (present?.request === request) io.set(openedAtom, { ...present, state })
  }
  try {
    const proofs =
      'questions' in request ? proveAll(io, request.questions) : request.prove(io, request.of)
    tell({ kind: 'here', proofs: await proofs })
  } catch (error) {
    tell({ kind: 'failed', text: sentence(error), details: technicalDetails(error) })
  }
}

/** Checks that are listed. */
const most = 20

const doneAtom = atom<readonly Proof[]>([])

/** What was checked by number or id in this page, the newest first. */
export const checksAtom = atom((get) => get(doneAtom))

/** A transaction by its number, or a document by its collection and id. */
export type Wanted =
  | { kind: 'tx'; tx: string }
  | { kind: 'document'; collection: string; id: string; tx: string }

/** Verifies something of the open database in the drawer, which draws nothing but the facts. */
export async function checkById(io: Io, wanted: Wanted): Promise<void> {
  const database = io.get(databaseAtom)
  if (database === null) return
  const question = questionOf(database, wanted)
  await openProofDrawer(io, { what: question.what, of: question, prove: proveListed })
}

async function proveListed(io: Io, question: Question): Promise<readonly Proof[]> {
  const proof = await prove(io, question)
  io.set(doneAtom, [proof, ...io.get(doneAtom)].slice(0, most))
  return [proof]
}

function questionOf(database: string, wanted: Wanted): Question {
  const about = { database, shown: factsAlone }
  if (wanted.kind === 'tx') {
    const { tx } = wanted
    return { ...about, kind: 'tx', what: `transaction ${tx}`, request: { tx } }
  }
  const what = `document ${wanted.id} of ${wanted.collection}`
  return { ...about, kind: 'document', what, request: documentRequest(wanted) }
}

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
