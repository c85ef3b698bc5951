import type { Context, TrustedState } from '~/proof/context'
import type { RefusedProof } from '~/proof/evidence'
import type { FactsOf, Kind, Verified } from '~/proof/verify'
import type { Persistence } from './store'

/** The result of one check, with everything needed to repeat it elsewhere. */
export type Verification<K extends Kind = Kind> = {
  database: string
  /** What the server calls itself. */
  server: string
  kind: K
  /** In words, such as `row 42 of orders`. */
  what: string
  context: Context | null
  basis: Basis | 'example' | null
  request: unknown
  response: unknown
  /** Milliseconds since 1970. */
  at: number
  outcome: ProofOutcome<K>
}

/** What a record began with; `at` in milliseconds since 1970. */
export type FirstContact = TrustedState & { at: number }

/**
 * The record that an answer was compared with. `example`: the state that came with a recorded
 * answer. Null: nothing is known here.
 */
export type Basis = {
  /** The record's first contact, which distinguishes it from a later record; null: none. */
  contact: FirstContact | null
  /** Whether storage could show earlier records. */
  keeping: Persistence
}

export type ProofOutcome<K extends Kind = Kind> =
  | { kind: 'ok'; verified: Verified<FactsOf[K]> }
  | { kind: 'refused'; refusal: RefusedProof }
  /** Neither right nor wrong, such as a missing object. */
  | { kind: 'unproven'; why: string }

export type ObjectToVerify = {
  what: string
  /** What is asked for, as the engine compares it; without the transaction the proof starts from. */
  request: unknown
  /** Asks the server; `since` is the trusted transaction. */
  ask: (since: string) => Promise<unknown>
}

/** Objects that can be requested again after a refusal; a write cannot. */
export type ObjectKind = 'tx' | 'get' | 'row' | 'document'

const objectKinds: ReadonlySet<string> = new Set<ObjectKind>(['tx', 'get', 'row', 'document'])

/** Whether an object can be requested separately, unlike a page of an audit. */
export function isObjectKind(kind: Kind): kind is ObjectKind {
  return objectKinds.has(kind)
}
