import type { Context, TrustedState } from '~/proof/context'
import type { Refused } from '~/proof/evidence'
import type { FactsOf, Kind, Verified } from '~/proof/verify'
import type { Persistence } from './store'

/** What came of one check, with all that is needed to do it again elsewhere. */
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
  outcome: Outcome<K>
}

/** What a record began with; `at` in milliseconds since 1970. */
export type FirstContact = TrustedState & { at: number }

/**
 * The record that an answer was compared with. `example` stands for a point that came along with a
 * recorded answer, and null for nothing that is known here.
 */
export type Basis = {
  /** How the record began, which tells it from one that came after it was forgotten; null: none. */
  contact: FirstContact | null
  /** Whether storage was there to say what was recorded before. */
  keeping: Persistence
}

export type Outcome<K extends Kind = Kind> =
  | { kind: 'ok'; verified: Verified<FactsOf[K]> }
  | { kind: 'refused'; refusal: Refused }
  /** Neither right nor wrong, such as an object that is not there. */
  | { kind: 'unproven'; why: string }

export type ObjectToVerify = {
  what: string
  /** What is asked for, as the engine compares it; without the transaction the proof starts from. */
  request: unknown
  /** Asks the server; `since` is the trusted transaction. */
  ask: (since: string) => Promise<unknown>
}

/** What can be asked for again when its proof is refused; a write cannot. */
export type ObjectKind = 'tx' | 'get' | 'row' | 'document'

const objectKinds: ReadonlySet<string> = new Set<ObjectKind>(['tx', 'get', 'row', 'document'])

/** Whether something has a question of its own, unlike a page of an audit. */
export function isObjectKind(kind: Kind): kind is ObjectKind {
  return objectKinds.has(kind)
}
