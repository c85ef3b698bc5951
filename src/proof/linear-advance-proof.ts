import { inclusionProofFields, readInclusionProof } from './entry-tree'
import { refusalOf } from './failure'
import { checkHash, leaf } from './hash'
import { chained, type Header } from './header'
import { isIncluded } from './history-tree'
import type { TxPoint } from './linear-proof'
import { digests, fieldsOf, isMissing, list } from './read'

const refusal = refusalOf('linear-advance-proof', 'link')

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
  if (end.id < start) throw refusal('blTxId')
  const length = end.id - start
  if (length <= 1n) {
    if (!isMissing(value)) throw refusal('LinearAdvanceProof')
    return
  }
  if (isMissing(value)) throw refusal('LinearAdvanceProof')
  const known = 'linearProofTerms inclusionProofs'
  const fields = fieldsOf(value, 'LinearAdvanceProof', known)
  const [first, ...inner] = digests(fields, 'linearProofTerms')
  const paths = list(fields, 'inclusionProofs').map(readPath)
  if (!first || BigInt(inner.length) !== length - 1n || paths.length !== inner.length) {
    throw refusal('linearProofTerms')
  }
  let alh = first
  for (const [at, term] of inner.entries()) {
    const id = start + BigInt(at + 1)
    if (!isIncluded(leaf(alh), id, target.blTxId, paths[at] ?? [], target.blRoot)) {
      throw refusal('inclusionProofs')
    }
    alh = chained(id + 1n, alh, term)
  }
  checkHash(alh, end.alh, refusal, 'linearProofTerms')
}

function readPath(value: unknown): Uint8Array[] {
  const fields = fieldsOf(value, 'inclusionProofs', inclusionProofFields)
  return readInclusionProof(fields).terms
}
