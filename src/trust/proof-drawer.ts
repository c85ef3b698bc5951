import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { proveAll } from './prove'
import type { Proof, Question } from './verification'

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
