import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { FactsOf } from '~/proof/kernel/verify'
import { factsAlone } from '~/proof/shown'
import type { Judged } from '~/proof/verdict'
import { objectVerdictAtom, verdictWhenChecked } from './object-verdict'
import type { ObjectKind, RequestOf, Verification } from './verification'

/** Objects whose proven content is kept for the screens; the oldest go first. */
const most = 200

const keptAtom = atom<ReadonlyMap<string, Verification>>(new Map<string, Verification>())
/** Seconds since 1970 by database and transaction. */
const timesAtom = atom<ReadonlyMap<string, { ts: string; of: Verification }>>(new Map())

/** How a key was read and what of it may be kept is no part of what it is. */
function keyOf(database: string, kind: string, request: unknown): string {
  const { keyRequest } = Object(request)
  return JSON.stringify([database, kind, keyRequest ?? request])
}

/** Keeps what is proven, so that screens draw it instead of what the server said before. */
export function keepProven({ get, set }: Io, checked: Verification): void {
  // What a screen shows beside it changes nothing about what is proven.
  const verification = { ...checked, shown: factsAlone }
  const { database, kind, request, outcome } = verification
  if (!isVerified(verdictWhenChecked({ verification }))) return
  if (outcome.kind !== 'ok' || outcome.verified.facts === null) return
  set(keptAtom, added(get(keptAtom), keyOf(database, kind, request), verification))
  const { facts } = outcome.verified
  if (!('ts' in facts)) return
  const tx = 'tx' in facts ? facts.tx : facts.id
  set(
    timesAtom,
    added(get(timesAtom), JSON.stringify([database, tx]), { ts: facts.ts, of: verification }),
  )
}

function isVerified({ verdict }: Judged): boolean {
  return verdict === 'verified' || verdict === 'verified-in-part'
}

function added<T>(map: ReadonlyMap<string, T>, key: string, value: T): ReadonlyMap<string, T> {
  const kept = new Map([...map].filter(([one]) => one !== key).slice(1 - most))
  return kept.set(key, value)
}

/** The proven facts of an object, as long as its history is followed; null for none. */
export const provenFactsAtom = atom((get) => {
  const [kept, verdictOn] = [get(keptAtom), get(objectVerdictAtom)]
  return <K extends ObjectKind>(
    database: string,
    kind: K,
    request: RequestOf[K],
  ): FactsOf[K] | null => {
    const found = kept.get(keyOf(database, kind, request))
    if (found?.outcome.kind !== 'ok') return null
    if (!isVerified(verdictOn({ verification: found }))) return null
    return found.outcome.verified.facts as FactsOf[K] // those of its kind
  }
})

/** The proven time of a transaction, in seconds since 1970; null where none is proven. */
export const provenTimeAtom = atom((get) => {
  const [times, verdictOn] = [get(timesAtom), get(objectVerdictAtom)]
  return (database: string, tx: string): string | null => {
    const found = times.get(JSON.stringify([database, tx]))
    return found && isVerified(verdictOn({ verification: found.of })) ? found.ts : null
  }
})
