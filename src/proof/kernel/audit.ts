import { addLeaf, emptyTree, type GrowingTree, rootOf } from './growing-tree'
import { checkHash, emptyHash, leaf, zeroHash } from './hash'
import { alhOf, type Header, readHeader } from './header'
import { anyFields, count, digest, digests, type Fields, uint64 } from './read'
import { malformed, refusalOf, within } from './steps'
import { checkEntries, readTx, type TxEntry, wrongEntries } from './transaction'

export const refusal = refusalOf('audit', 'link')

/**
 * A walk over all transactions of a database from the first, VERIFY.md 7.8. It can pause after any
 * of them. To continue it needs at most 64 hashes, and those not in the tree yet.
 */
export type Audit = {
  /** The last transaction that was seen; 0 before the first. */
  txId: bigint
  alh: Uint8Array
  /** Entries of all transactions so far. */
  entries: number
  tree: GrowingTree
  root: Uint8Array
  /** Hashes of transactions that are not in the tree yet. */
  queue: Uint8Array[]
}

export function startAudit(): Audit {
  const tree = emptyTree()
  return { txId: 0n, alh: emptyHash, entries: 0, tree, root: zeroHash, queue: [] }
}

export type AuditedTx = { header: Header; alh: Uint8Array; entries: TxEntry[] }

/**
 * Goes on to the next transaction, a `Tx` of `/db/tx` without `entriesSpec`. Afterwards `audit.alh`
 * is its hash; that it is the right one is known when the walk has reached the trusted state.
 * @param isListed false for a transaction whose list of entries is more than the server can send:
 * their number and the root over them are proven then, the entries are not seen
 * @throws ProofError `audit` or `tx-mismatch`; the audit must not go on then
 */
export function auditTx(audit: Audit, value: unknown, isListed = true): AuditedTx {
  const tx = readTx(value)
  const header = readHeader(tx.header, 'tx.header')
  const { id, prevAlh, blTxId, blRoot } = header
  if (id !== audit.txId + 1n) throw refusal('id')
  checkHash(audit.alh, prevAlh, refusal, 'prevAlh')
  growTo(audit, blTxId)
  checkHash(audit.root, blRoot, refusal, 'blRoot')
  const entries = isListed ? checkEntries(tx, header) : []
  if (!entries) throw wrongEntries('entries')
  const alh = alhOf(header)
  audit.txId = id
  audit.alh = alh
  audit.entries += header.nentries
  audit.queue.push(alh)
  return { header, alh, entries }
}

/** The tree may lag behind the transactions, but it never shrinks. */
function growTo(audit: Audit, blTxId: bigint): void {
  const missing = Number(blTxId) - audit.tree.size
  if (missing < 0) throw refusal('blTxId')
  if (missing === 0) return
  for (const alh of audit.queue.splice(0, missing)) addLeaf(audit.tree, leaf(alh))
  audit.root = rootOf(audit.tree)
}

/** @throws ProofError `malformed` in step `context` when it is no walk of FORMAT.md 4.1 */
export function resumeAudit(saved: unknown): Audit {
  return within('context', () => {
    const fields = anyFields(saved, 'audit')
    const tree = { size: safe(fields, 'size'), peaks: digests(fields, 'peaks') }
    const queue = digests(fields, 'queue')
    const txId = uint64(fields, 'txId')
    if (tree.peaks.length !== onesOf(tree.size) || txId !== BigInt(tree.size + queue.length))
      malformed('size')
    const [alh, entries] = [digest(fields, 'alh'), safe(fields, 'entries')]
    return { txId, alh, entries, tree, root: rootOf(tree), queue }
  })
}

/** A tree has one perfect subtree for each one among the binary digits of its size. */
export const onesOf = (size: number) => size.toString(2).replaceAll('0', '').length

const safe = (fields: Fields, name: string) => count(fields, name, Number.MAX_SAFE_INTEGER)
