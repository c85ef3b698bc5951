import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { sentence } from '~/core/session/failure-words'
import { base64Of, hexOf } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import type { TrustedState } from '~/proof/kernel/context'
import { bytesValue, objectLeaf, type Shown } from '~/proof/shown'
import { type Cause, type Judged, verdictOf } from '~/proof/verdict'
import { newIncident } from './findings'
import { noteIncident } from './incidents'
import { historyStandingAtom, knownOfHash } from './object-verdict'
import { late } from './store'
import { forgotten, isCurrent, type Trust } from './trust'
import { outdateRecords, trustedStatesAtom } from './trusted-states'
import type { Verification } from './verification'
import { verifyObject } from './verify-object'
import { verifyState } from './verify-state'

/** Imports a trusted state from elsewhere, or compares it with the present one. */
export async function importState(
  io: Io,
  id: DatabaseId,
  point: TrustedState,
): Promise<Comparison> {
  const comparison = await comparisonOf(io, id, point)
  if (comparison.kind === 'differs') {
    const { txId, expected, received } = comparison
    const incident = newIncident('contradicted', `tx ${formatTx(txId)} as given from elsewhere`)
    await noteIncident(io, id, { ...incident, part: 'txHash', expected, received })
  }
  return comparison
}

async function comparisonOf(io: Io, id: DatabaseId, point: TrustedState): Promise<Comparison> {
  const points = io.get(trustedStatesAtom)
  const isKnown = (await points.read(id)) !== null
  // Otherwise a stored record would replace it later without a comparison.
  if (!isKnown && (await points.keeping()) === 'late') return { kind: 'unknown', why: late.why }
  // A first contact may have been recorded in the meantime; then the two are compared.
  if (!isKnown && (await points.import(id, point))) {
    outdateRecords(io)
    const trust = await verifyState(io, id.database)
    const isChecked = trust.kind === 'broken' || isCurrent(trust)
    return { kind: 'taken', why: isChecked ? null : whyIn(trust) }
  }
  return compareWithKnown(io, id, point, await verifyState(io, id.database))
}

/**
 * Compares a state from elsewhere with the trusted one, and takes nothing over.
 * @param trust what a check of the server's newest state has just found
 */
export async function compareWithKnown(
  io: Io,
  id: DatabaseId,
  point: TrustedState,
  trust: Trust,
): Promise<Comparison> {
  const points = io.get(trustedStatesAtom)
  const known = (await points.read(id))?.point
  if (known?.txId === point.txId) {
    if (known.txHash !== point.txHash) return differing(point, known.txHash, null)
    const keeping = await points.keeping()
    return keeping === 'kept' ? { kind: 'same' } : { kind: 'unknown', why: whyUnproven[keeping] }
  }
  const why = unknownWhy(trust)
  if (!known || why !== null) return { kind: 'unknown', why: why ?? '' }
  if (BigInt(known.txId) < BigInt(point.txId)) return { kind: 'ahead', newest: known.txId }
  try {
    const leaf = objectLeaf('the hash', bytesValue(hexOf(point.txHash)))
    const shown = { leaves: [leaf], whole: [] }
    return comparedWith(point, await provenTx(io, id.database, point.txId, shown))
  } catch (error) {
    return { kind: 'unknown', why: sentence(error) }
  }
}

/** Why the server's state allows no conclusion; null when it has just proven its newest state. */
function unknownWhy(trust: Trust): string | null {
  if (trust.kind === 'broken')
    return 'The state cannot belong to the history that the server shows.'
  return isCurrent(trust) ? null : whyIn(trust)
}

const whyIn = (trust: Trust) => ('why' in trust && trust.why) || ''

/**
 * A transaction up to the trusted one, compared with what is shown of it. A proof that is refused is
 * noted as for any object.
 */
export async function provenTx(
  io: Io,
  database: string,
  tx: string,
  shown: Shown,
): Promise<Verification<'tx'>> {
  await ensureDatabaseToken(io, io.get(clientAtom), database)
  return verifyObject(io, {
    database,
    kind: 'tx',
    what: `transaction ${tx}`,
    request: { tx },
    shown,
    isHeaderOnly: true,
  })
}

function comparedWith(point: TrustedState, verification: Verification<'tx'>): Comparison {
  const { outcome } = verification
  if (outcome.kind === 'refused') return { kind: 'refused', verification }
  if (outcome.kind === 'unproven') return { kind: 'unknown', why: outcome.why }
  const { facts } = outcome.verified
  if (!facts) return { kind: 'unknown', why: 'The answer contains no proof.' }
  const found = base64Of(facts.alh)
  if (found !== point.txHash) return differing(point, found, verification)
  const why = whyNotVerified(verification)
  return why === null ? { kind: 'agrees', verification } : { kind: 'unknown', why }
}

/** Why the hash of a transaction counts as not verified, if that is known; null when it is. */
export function whyNotVerified(verification: Verification<'tx'>): string | null {
  const { verdict, cause } = hashVerdictThen(verification)
  if (verdict === 'verified') return null
  return isExplained(cause) ? whyUnproven[cause] : ''
}

/** Agreement only with what this server has reported since proves nothing. */
export const whyUnproven = {
  late: late.why,
  memory: forgotten.why,
  first: 'The trusted state was forgotten in the meantime.',
} as const

export const isExplained = (cause: Cause): cause is keyof typeof whyUnproven => cause in whyUnproven

function differing(
  { txId, txHash }: TrustedState,
  found: string,
  verification: Verification | null,
): Comparison {
  const hashes = { expected: hexOf(txHash), received: hexOf(found) }
  return { kind: 'differs', txId, ...hashes, verification }
}

/**
 * The result of comparing a state from elsewhere with the records here and the server's answers.
 */
export type Comparison =
  /**
   * Nothing was known, so it is now the trusted state. `why`: the server was not checked against
   * it.
   */
  | { kind: 'taken'; why: string | null }
  /** It equals the trusted state; no proof was needed. */
  | { kind: 'same' }
  /** The server proved that it belongs to the history that this browser knows. */
  | { kind: 'agrees'; verification: Verification }
  /** The same transaction has another hash here. */
  | {
      kind: 'differs'
      txId: string
      expected: string
      received: string
      /** What showed it, if it was asked for. */
      verification: Verification | null
    }
  /** The server has just proven its newest transaction, and that is an older one. */
  | { kind: 'ahead'; newest: string }
  /** The proof of that transaction was refused, which is a finding of its own. */
  | { kind: 'refused'; verification: Verification }
  /** The call failed, which says nothing about either history. */
  | { kind: 'unknown'; why: string }

/** The verdict on the hash of a transaction, for which its header is enough. */
export function hashVerdictThen(verification: Verification): Judged {
  return verdictOf({ ...knownOfHash({ verification }), history: 'followed' })
}

/** The same by what is known of its history now. */
export const hashVerdictAtom = atom(
  (get) =>
    (verification: Verification): Judged =>
      verdictOf({
        ...knownOfHash({ verification }),
        history: get(historyStandingAtom)(verification),
      }),
)

/** Whether an agreement says nothing any more: its history is broken or was forgotten since. */
export const isPastAgreementAtom = atom((get) => (given: Comparison | null): boolean => {
  if (given?.kind !== 'agrees') return false
  return get(hashVerdictAtom)(given.verification).verdict !== 'verified'
})
