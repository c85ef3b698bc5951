import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { proveAll } from './prove'
import type { Proof, Question } from './verification'

/** Proofs to request, again each time; where the questions must be found first, they are asked for. */
export type ProofRequest =
  | { what: string; questions: readonly Question[] }
  | { what: string; ask: () => Promise<readonly Proof[]> }

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
export async function openProofDrawer(io: Io, of: Proof | ProofRequest): Promise<void> {
  if (!('verification' in of)) return ask(io, of)
  const state = { kind: 'here', proofs: [of] } as const
  io.set(openedAtom, { request: null, what: of.verification.what, state })
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
    const proofs = 'ask' in request ? request.ask() : proveAll(io, request.questions)
    tell({ kind: 'here', proofs: await proofs })
  } catch (error) {
    tell({ kind: 'failed', text: sentence(error), details: technicalDetails(error) })
  }
}
