import {
  type Entry,
  entryDigest,
  entryMetadataBytes,
  inclusionProofFields,
  provenRoot,
  readInclusionProof,
} from './entry'
import { ProofError } from './failure'
import { hex, isEqual } from './hash'
import type { Header } from './header'
import type { Ladder } from './ladder'
import { fieldsOf } from './read'

/**
 * Checks that an entry is in a proven transaction, VERIFY.md 3.3; `VerifyInclusion` of
 * embedded/htree/htree.go, with the width from the header.
 * @returns its place in the transaction, from 0
 */
export function checkIncluded(
  value: unknown,
  entry: Entry,
  header: Header,
  ladder: Ladder,
): number {
  const proof = readInclusionProof(fieldsOf(value, 'inclusionProof', inclusionProofFields))
  const digest = entryDigest(header.version, entry)
  const key = hex(entry.key)
  const metadata = hex(entryMetadataBytes(entry.metadata))
  const inputs = { key, metadata, valueHash: hex(entry.hValue), version: String(header.version) }
  ladder.add('value', inputs, { computed: hex(digest) })
  const root = provenRoot(proof, digest)
  const place = {
    digest: hex(digest),
    leaf: String(proof.leaf),
    width: String(proof.width),
    terms: proof.terms.map(hex).join(' '),
  }
  const compared = {
    inputs: place,
    computed: root ? hex(root) : null,
    expected: hex(header.eH),
  }
  if (!root || proof.width !== header.nentries || !isEqual(root, header.eH)) {
    throw new ProofError('entry-not-included', 'entry', 'inclusionProof', compared)
  }
  ladder.add('entry', place, compared)
  return proof.leaf
}
