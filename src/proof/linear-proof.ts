import { refusalOf } from './failure'
import { checkHash, isEqual } from './hash'
import { chained } from './header'
import { digests, fieldsOf, uint64 } from './read'

const refusal = refusalOf('linear-proof', 'link')

/** A transaction by its id and its accumulated hash. */
export type TxPoint = { id: bigint; alh: Uint8Array }

/**
 * Checks that the chain of transactions leads from one to another, VERIFY.md 4.1;
 * `VerifyLinearProof` of embedded/store/verification.go. The first term is the hash it starts
 * from, each other one the inner hash of the next transaction.
 */
export function checkLinearProof(value: unknown, from: TxPoint, to: TxPoint): void {
  const fields = fieldsOf(value, 'linearProof', 'sourceTxId TargetTxId terms')
  const [first, ...inner] = digests(fields, 'terms')
  const isFrom = uint64(fields, 'sourceTxId') === from.id && first && isEqual(first, from.alh)
  if (!isFrom || uint64(fields, 'TargetTxId') !== to.id || from.id < 1n || from.id > to.id) {
    throw refusal('sourceTxId')
  }
  if (BigInt(inner.length) !== to.id - from.id) {
    throw refusal('terms')
  }
  const found = inner.reduce((alh, term, at) => chained(from.id + BigInt(at + 1), alh, term), first)
  checkHash(found, to.alh, refusal, 'terms')
}
