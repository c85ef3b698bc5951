import type { DocumentRequest, KeyRequest, RowRequest } from '~/api/proof'
import type { RefusedProof } from '~/proof/evidence'
import type { Context, TrustedState } from '~/proof/kernel/context'
import type { FactsOf, Kind, Verified } from '~/proof/kernel/verify'
import type { ComparedLeaf, Shown } from '~/proof/shown'
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
  /** The answer was larger than a record keeps, so `response` is null. */
  isTooLarge?: true
  /** What stands beside its mark; records that an older console stored lack it. */
  shown: Shown
  /** Milliseconds since 1970. */
  at: number
  outcome: ProofOutcome<K>
}

/** One check. What the screen shows is in its question, and so in the verification. */
export type Proof = {
  verification: Verification
  /** Doubts from elsewhere about what is shown, such as whether a query reads the transaction. */
  doubts?: readonly ComparedLeaf[]
  /** Sentences that belong to this proof alone. */
  notes?: readonly string[]
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

/** What is asked for, as the engine compares it; without the transaction the proof starts from. */
export type RequestOf = {
  tx: { tx: string }
  /**
   * `hidesValue`: only the hash of the value leaves the call. `isIndexed`: it was read by the index,
   * so an entry that is in none is another one.
   */
  get: { keyRequest: KeyRequest; hidesValue?: boolean; isIndexed?: true }
  row: { sqlGetRequest: RowRequest }
  document: { collectionName: string; documentId: string; transactionId: string }
}

/** A question for a proof, with what the screen shows of the object. It is data. */
export type QuestionOf<K extends ObjectKind> = {
  readonly database: string
  readonly kind: K
  /** In words, such as `row 42 of orders`. */
  readonly what: string
  readonly request: RequestOf[K]
  readonly shown: Shown
  /** Of a transaction: without its entries, which the hash does not need. */
  readonly isHeaderOnly?: boolean
}

export type Question = { [K in ObjectKind]: QuestionOf<K> }[ObjectKind]

/** The question for a document in the transaction that wrote it; `0` for the newest revision. */
export function documentRequest({
  collection,
  id,
  tx = '0',
}: DocumentRequest): RequestOf['document'] {
  return { collectionName: collection, documentId: id, transactionId: tx }
}

/** Objects that can be requested again after a refusal; a write cannot. */
export type ObjectKind = 'tx' | 'get' | 'row' | 'document'

const objectKinds: ReadonlySet<string> = new Set<ObjectKind>(['tx', 'get', 'row', 'document'])

/** Whether an object can be requested separately, unlike a page of an audit. */
export function isObjectKind(kind: Kind): kind is ObjectKind {
  return objectKinds.has(kind)
}

/** The question of a check, to ask it again; null where it cannot be requested separately. */
export function questionAgain({
  database,
  kind,
  what,
  request,
  shown,
}: Verification): Question | null {
  const isAsked = isObjectKind(kind) && request !== null
  // Checks keep the requests of their kind.
  return isAsked ? ({ database, kind, what, request, shown } as Question) : null
}

/** Whether a question is for what one transaction wrote, which never changes. */
export function isOfOneTransaction(of: Pick<Verification, 'kind' | 'request'>): boolean {
  const { kind, request } = of as Question // other kinds have no revisions
  switch (kind) {
    case 'get':
      return request.keyRequest.atTx !== undefined
    case 'row':
      return request.sqlGetRequest.atTx !== undefined
    case 'document':
      return request.transactionId !== '0'
    default:
      return true
  }
}
