import { atom } from 'jotai'
import type { Io } from '../io'
import type { PointId } from './point-id'
import type { Trust } from './trust'
import type { Verification } from './verification'

type Question = Pick<Verification, 'kind' | 'what' | 'request'>

/** Why a trusted point says less than it did; see `keepRefused`. */
export const refusedWhy = 'An answer was refused once and could not be asked for again.'

const refusedAtom = atom<ReadonlyMap<string, Verification>>(new Map<string, Verification>())

const prefixOf = ({ origin, server, database }: PointId) =>
  JSON.stringify([origin, server, database])
/** Two objects may be called the same, and are two questions all the same. */
const keyOf = (id: PointId, { kind, what, request }: Question) =>
  `${prefixOf(id)} ${JSON.stringify([kind, what, request])}`

/** The answer to a question that was refused, while no other answer to it was right or broke. */
export function refusedBefore(io: Io, id: PointId, question: Question): Verification | null {
  return io.get(refusedAtom).get(keyOf(id, question)) ?? null
}

/** Keeps a refused answer until the question is answered again; null when it was. */
export function keepRefused(
  io: Io,
  id: PointId,
  question: Question,
  refused: Verification | null,
): void {
  const all = new Map(io.get(refusedAtom))
  const key = keyOf(id, question)
  if (refused) all.set(key, refused)
  else if (!all.delete(key)) return
  io.set(refusedAtom, all)
}

/** Forgets what was refused of a database. */
export function dropRefused(io: Io, id: PointId): void {
  const kept = [...io.get(refusedAtom)].filter(([key]) => !key.startsWith(prefixOf(id)))
  io.set(refusedAtom, new Map(kept))
}

/** The same trust, which tells of an answer that was refused while nothing else is in its way. */
export function withRefused(io: Io, id: PointId, trust: Trust): Trust {
  if (trust.kind !== 'first' && trust.kind !== 'consistent') return trust
  if (trust.why !== null && trust.why !== refusedWhy) return trust
  const isRefused = [...io.get(refusedAtom).keys()].some((key) => key.startsWith(prefixOf(id)))
  const why = isRefused ? refusedWhy : null
  return why === trust.why ? trust : { ...trust, why }
}
