import { base64ToBytes, bytesToBase64 } from '~/lib/bytes'
import { concat, u8 } from '~/proof/kernel/bytes'
import { hash } from '~/proof/kernel/hash'
import { keyContent } from '~/proof/stored-entry'

/** What a reference leads to. */
export type Reference = {
  /** Standard base64. */
  readonly key: string
  /** The transaction that it is bound to; 0 for none. */
  readonly atTx: bigint
  /** Of the stored value, in base64: an entry of a transaction with this digest is this reference. */
  readonly digest: string
}

/** The first byte of a stored reference, which the history leaves out. */
const mark = 1

/** What a value of the history leads to if it is a reference; null when it cannot be one. */
export function referenceIn(value: string): Reference | null {
  const stored = concat(u8(mark), base64ToBytes(value))
  const content = keyContent(stored)
  if (content?.kind !== 'reference') return null
  const { key, atTx } = content
  return { key: bytesToBase64(key), atTx, digest: bytesToBase64(hash(stored)) }
}
