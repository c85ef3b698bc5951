import { inclusionProofFields, readInclusionProof } from './entry-tree'
import { ProofError } from './failure'
import { hex, isEqual, leaf } from './hash'
import { chained, type Header } from './header'
import { isIncluded } from './history-tree'
import type { TxPoint } from './linear-proof'
import { digests, fieldsOf, isMissing, list } from './read'

/**
 * Checks that what the source's chain has beyond its tree is in the target's tree, VERIFY.md 4.2
 * step 6; `VerifyLinearAdvanceProof` of embedded/store/verification.go. Only histories of old
 * servers, whose tree lagged behind, need it; there the Go client lets it be missing.
 * @param start the last transaction of the source's tree
 */
export function checkLinearAdvanceProof(
  value: unknown,
  start: bigint,
  end: TxPoint,
  target: Header,
): void {
  if (end.id < start) throw refusal('LinearAdvanceProof would have to run backwards')
  const length = end.id - start
  if (length <= 1n) {
    if (!isMissing(value)) throw refusal('LinearAdvanceProof is there though nothing needs it')
    return
  }
  if (isMissing(value)) throw refusal('LinearAdvanceProof is missing')
  const known = ['linearProofTerms', 'inclusionProofs']
  const fields = fieldsOf(value, 'LinearAdvanceProof', known)
  const [first, ...inner] = digests(fields, 'linearProofTerms')
  const paths = list(fields, 'inclusionProofs').map(readPath)
  if (!first || BigInt(inner.length) !== length - 1n || paths.length !== inner.length) {
    throw refusal('LinearAdvanceProof has not the length it needs')
  }
  let alh = first
  for (const [at, term] of inner.entries()) {
    const id = start + BigInt(at + 1)
    if (!isIncluded(leaf(alh), id, target.blTxId, paths[at] ?? [], target.blRoot)) {
      throw refusal(`LinearAdvanceProof does not show transaction ${id} in the tree`)
    }
    alh = chained(id + 1n, alh, term)
  }
  if (isEqual(alh, end.alh)) return
  const compared = { computed: hex(alh), expected: hex(end.alh) }
  throw refusal(`LinearAdvanceProof does not lead to transaction ${end.id}`, compared)
}

function readPath(value: unknown): Uint8Array[] {
  const fields = fieldsOf(value, 'a path of LinearAdvanceProof', inclusionProofFields)
  return readInclusionProof(fields).terms
}

function refusal(message: string, compared = {}): ProofError {
  return new ProofError('linear-advance-proof', 'link', message, compared)
}
