import { base64Of, base64ToBytes, bytesToBase64, bytesToHex } from '~/lib/bytes'

/** A trusted state as people share it; `txHash` is standard base64 of 32 bytes. */
export type WrittenState = {
  database: string
  txId: string
  txHash: string
  /** The server's own name and its address; empty when not given. */
  server: string
  origin: string
  /** When it was recorded, ISO 8601; empty when not given. */
  at: string
  /** Lines about witnesses, which others read and this console does not. */
  witnesses?: readonly string[]
}

const heading = 'immudb trusted state'

/** Trusted states as text, one block each, for a mail, a ticket or paper. */
export function writeStateText(points: readonly WrittenState[]): string {
  return points.map(writePoint).join('\n')
}

function writePoint(point: WrittenState): string {
  const { database, txId, txHash, server, origin, at, witnesses = [] } = point
  const lines = [
    ['database', database],
    ['transaction', txId],
    ['hash', bytesToHex(base64ToBytes(txHash))],
    ['server', server],
    ['address', origin],
    ['recorded', at],
    ...witnesses.map((line) => ['witness', line]),
  ].filter(([, value]) => value !== '')
  return [heading, ...lines.map(([name, value]) => `${name}: ${value}`), ''].join('\n')
}

/**
 * Reads the text of `writeStateText`, even after mail programs changed its spaces. Hashes may be
 * hex digits or base64. `error` is a sentence.
 * @param isOfAny whether a state need not name its database; the name is empty then
 */
export function readStateText(
  text: string,
  isOfAny = false,
): { points: WrittenState[] } | { error: string } {
  const blocks = blocksOf(text)
  if (blocks.length === 0) {
    const needed = isOfAny ? 'transaction and hash' : 'database, transaction and hash'
    return { error: `This text contains no trusted state. It needs ${needed}.` }
  }
  const points: WrittenState[] = []
  for (const [index, block] of blocks.entries()) {
    const point = pointOf(block, isOfAny)
    if (typeof point === 'string') {
      return { error: blocks.length === 1 ? point : `State ${index + 1}: ${point}` }
    }
    points.push(point)
  }
  return { points }
}

const names = ['database', 'transaction', 'hash', 'server', 'address', 'recorded'] as const

/** A block begins with its heading, or where a name comes for the second time. */
function blocksOf(text: string): Map<string, string>[] {
  const blocks: Map<string, string>[] = []
  let block = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [name, value] = fieldOf(line)
    if (!name) continue
    if (block.has(name)) {
      blocks.push(block)
      block = new Map()
    }
    block.set(name, value)
  }
  return block.size > 0 ? [...blocks, block] : blocks
}

/**
 * The name and the value of a line, whatever a mail program put before it. There is no pattern for
 * the whole line, because it would take hours on a line of a million spaces.
 */
function fieldOf(line: string): [name: (typeof names)[number] | undefined, value: string] {
  const colon = line.indexOf(':')
  const written = line.slice(0, Math.max(0, colon)).replace(/^[\s>]+/, '')
  const name = written.trimEnd().toLowerCase()
  return [names.find((known) => known === name), line.slice(colon + 1).trim()]
}

/** The state in a block, or what is wrong with it. */
function pointOf(block: ReadonlyMap<string, string>, isOfAny: boolean): WrittenState | string {
  const [database = '', txId, hash] = [
    block.get('database'),
    block.get('transaction'),
    block.get('hash'),
  ]
  if (database === '' && !isOfAny) return 'The database is missing.'
  if (!txId || !/^[1-9]\d{0,18}$/.test(txId.replace(/[,\s]/g, ''))) {
    return 'The transaction is not a number.'
  }
  const txHash = hashOf(hash ?? '')
  if (txHash === null) return 'The hash is not 64 hex digits or base64 of 32 bytes.'
  return {
    database,
    txId: txId.replace(/[,\s]/g, ''),
    txHash,
    server: block.get('server') ?? '',
    origin: block.get('address') ?? '',
    at: block.get('recorded') ?? '',
  }
}

function hashOf(text: string): string | null {
  const plain = text.replace(/\s/g, '')
  if (plain.length > 64) return null
  if (/^[0-9a-f]{64}$/i.test(plain)) return base64Of(plain)
  try {
    const bytes = base64ToBytes(plain)
    return bytes.length === 32 ? bytesToBase64(bytes) : null
  } catch {
    return null
  }
}

/** How a state from elsewhere compares with the states that this browser recorded. */
export type StateComparison =
  | { kind: 'same'; txId: string }
  | { kind: 'different'; txId: string; ours: string }
  /** The two sides share no transaction; which state is newer. */
  | { kind: 'older' | 'newer'; ours: string }
  | { kind: 'unknown' }

type Point = { txId: string; txHash: string }

/**
 * Compares a state with all recorded states of the same database; `recorded` starts with the
 * present one.
 */
export function compareStates(theirs: Point, recorded: readonly Point[]): StateComparison {
  const [present] = recorded
  if (!present) return { kind: 'unknown' }
  const common = recorded.filter(({ txId }) => txId === theirs.txId)
  const other = common.find(({ txHash }) => txHash !== theirs.txHash)
  if (other) return { kind: 'different', txId: theirs.txId, ours: other.txHash }
  if (common.length > 0) return { kind: 'same', txId: theirs.txId }
  const isOlder = BigInt(theirs.txId) < BigInt(present.txId)
  return { kind: isOlder ? 'older' : 'newer', ours: present.txId }
}
