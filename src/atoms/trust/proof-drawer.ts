import { atom, type Getter, type Setter } from 'jotai'
import type { CellMatch } from '~/sql/json-match'
import { sentence, technicalDetails } from '../session/failure'
import type { Verification } from './verification'

/** A shown value beside the proven one. */
export type ComparedPart = { name: string; shown: string | null; match: CellMatch }

/** One check with what the screen had shown before it. */
export type Proof = {
  verification: Verification
  /** Absent when nothing comparable was shown. */
  compared?: readonly ComparedPart[]
  /** What the proof does not cover, in words; nothing of it may show as verified. */
  gap?: string
  /** Why the proven object is not the requested one, as the end of a sentence. */
  conflict?: string
  /** Sentences that belong to this proof alone. */
  notes?: readonly string[]
}

/** A proof to request, again each time; rejects with `ApiError`. */
export type ProofQuestion = { what: string; ask: () => Promise<readonly Proof[]> }

type DrawerState =
  | { kind: 'asking' }
  | { kind: 'here'; proofs: readonly Proof[] }
  /** The call failed, which says nothing about the object. */
  | { kind: 'failed'; text: string; details: string }

type Drawer = { question: ProofQuestion | null; what: string; state: DrawerState }

const openedAtom = atom<Drawer | null>(null)

/** What the drawer shows; null while it is closed. */
export const proofDrawerAtom = atom((get) => get(openedAtom))

/** Opens the drawer with a finished check, or with one to be done. */
export const openProofAtom = atom(
  null,
  async (get, set, of: Proof | ProofQuestion): Promise<void> => {
    if ('ask' in of) return ask(get, set, of)
    const state = { kind: 'here', proofs: [of] } as const
    set(openedAtom, { question: null, what: of.verification.what, state })
  },
)

/** Asks and checks once more. */
export const repeatProofAtom = atom(null, async (get, set): Promise<void> => {
  const question = get(openedAtom)?.question
  if (question) await ask(get, set, question)
})

export const closeProofAtom = atom(null, (_get, set) => set(openedAtom, null))

async function ask(get: Getter, set: Setter, question: ProofQuestion): Promise<void> {
  const { what } = question
  set(openedAtom, { question, what, state: { kind: 'asking' } })
  const tell = (state: DrawerState) => {
    const present = get(openedAtom)
    if (present?.question === question) set(openedAtom, { ...present, state })
  }
  try {
    tell({ kind: 'here', proofs: await question.ask() })
  } catch (error) {
    tell({ kind: 'failed', text: sentence(error), details: technicalDetails(error) })
  }
}
