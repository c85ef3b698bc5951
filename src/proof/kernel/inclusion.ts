import { areEqual, bytesToHex } from './bytes'
import {
  type Entry,
  entryDigest,
  entryMetadataBytes,
  inclusionProofFields,
  provenRoot,
  readInclusionProof,
} from './entry'
import type { Header } from './header'
import type { Ladder } from './ladder'
import { fieldsOf } from './read'
import { ProofError } from './steps'

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
  const key = bytesToHex(entry.key)
  const metadata = bytesToHex(entryMetadataBytes(entry.metadata))
  const inputs = {
    key,
    metadata,
    valueHash: bytesToHex(entry.hValue),
    version: String(header.version),
  }
  ladder.add('value', inputs, { computed: bytesToHex(digest) })
  const root = provenRoot(proof, digest)
  const place = {
    digest: bytesToHex(digest),
    leaf: String(proof.leaf),
    width: String(proof.width),
    terms: proof.terms.map(bytesToHex).join(' '),
  }
  const compared = {
    inputs: place,
    computed: root ? bytesToHex(root) : null,
    expected: bytesToHex(header.eH),
  }
  if (!root || proof.width !== header.nentries || !areEqual(root, header.eH)) {
    throw new ProofError('entry-not-included', 'entry', 'inclusionProof', compared)
  }
  ladder.add('entry', place, compared)
  return proof.leaf
}
