import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import type { Trust } from './trust'
import type { Verification } from './verification'

type Question = Pick<Verification, 'kind' | 'what' | 'request'>

/** Why a trusted state vouches for less than before; see `keepRefused`. */
export const refusedOnce = {
  cause: 'refused',
  why: 'An answer was refused once and could not be requested again.',
} as const

const refusedAtom = atom<ReadonlyMap<string, Verification>>(new Map<string, Verification>())

/** Questions that are remembered. */
const mostQuestions = 1_000

const prefixOf = ({ origin, server, database }: DatabaseId) =>
  JSON.stringify([origin, server, database])
/** Two objects may have the same name but are different questions. */
const keyOf = (id: DatabaseId, { kind, what, request }: Question) =>
  `${prefixOf(id)} ${JSON.stringify([kind, what, request])}`

/** The refused answer to a question, until another answer settles it. */
export function refusedBefore(io: Io, id: DatabaseId, question: Question): Verification | null {
  return io.get(refusedAtom).get(keyOf(id, question)) ?? null
}

/** Keeps a refused answer until the question is answered again; null removes it. */
export function keepRefused(
  io: Io,
  id: DatabaseId,
  question: Question,
  refused: Verification | null,
): void {
  const all = new Map(io.get(refusedAtom))
  const key = keyOf(id, question)
  // Only that it was refused is asked for later. The answer itself may have any size.
  if (refused) all.set(key, { ...refused, response: null })
  else if (!all.delete(key)) return
  io.set(refusedAtom, new Map([...all].slice(-mostQuestions)))
}

/** Forgets what was refused of a database. */
export function dropRefused(io: Io, id: DatabaseId): void {
  const kept = [...io.get(refusedAtom)].filter(([key]) => !key.startsWith(prefixOf(id)))
  io.set(refusedAtom, new Map(kept))
}

/** The same trust with the note about a refused answer, unless it already has another reason. */
export function withRefused(io: Io, id: DatabaseId, trust: Trust): Trust {
  if (trust.kind !== 'first' && trust.kind !== 'consistent') return trust
  if (trust.why !== null && trust.cause !== 'refused') return trust
  const isRefused = [...io.get(refusedAtom).keys()].some((key) => key.startsWith(prefixOf(id)))
  if (isRefused) return trust.cause === 'refused' ? trust : { ...trust, ...refusedOnce }
  return trust.why === null ? trust : { ...trust, why: null, cause: undefined }
}
