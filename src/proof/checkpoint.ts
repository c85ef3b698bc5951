import { areEqual, bytesToHex, decodeUtf8, encodeUtf8 } from '~/lib/bytes'
import { fromBase64 } from './kernel/bytes'
import type { TrustedState } from './kernel/context'
import { hash, hashSize } from './kernel/hash'

/**
 * Checkpoints: what an auditor has seen of a history, as signed notes of C2SP (signed-note), one
 * behind the other with an empty line between them. FORMAT.md section 6 says what is in one and what
 * must be refused. Nothing here needs a browser.
 */

/** A key that signs checkpoints, as C2SP writes it. */
export type VerifierKey = {
  /** `name+hash+key`. */
  text: string
  name: string
  /** The first four bytes of a hash over name and key, in hex digits. */
  keyHash: string
  /** 32 bytes of Ed25519. */
  publicKey: Uint8Array
}

/** Why a text is no key of a witness. */
export type NoVerifierKey = 'nothing' | 'private' | 'not-a-key' | 'other-kind' | 'wrong-hash'

/** The kind of key that signs checkpoints here, in front of its bytes. */
const ed25519Kind = 1

/** Names of keys have neither white space nor control characters nor a plus. */
const keyShape = /^([^\p{White_Space}\p{Cc}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u

/** Reads `name+hash+key`; what is around it may be white space. */
export async function readVerifierKey(
  text: string,
): Promise<{ key: VerifierKey } | { none: NoVerifierKey }> {
  const plain = text.trim()
  if (plain === '') return { none: 'nothing' }
  if (/PRIVATE[+ ]KEY/.test(plain)) return { none: 'private' }
  const [, name = '', keyHash = '', base64 = ''] = keyShape.exec(plain) ?? []
  const bytes = fromBase64(base64)
  if (name === '' || !bytes || bytes.length < 2) {
    return { none: 'not-a-key' }
  }
  if (keyHashOf(name, bytes) !== keyHash) return { none: 'wrong-hash' }
  const publicKey = bytes.subarray(1)
  if (bytes[0] !== ed25519Kind || publicKey.length !== 32) return { none: 'other-kind' }
  const { isNoteKey } = await import('./note-signature')
  return isNoteKey(publicKey)
    ? { key: { text: plain, name, keyHash, publicKey } }
    : { none: 'not-a-key' }
}

const keyHashOf = (name: string, key: Uint8Array) =>
  bytesToHex(hash(encodeUtf8(`${name}\n`), key).subarray(0, 4))

/** One note of a file. Its signatures are not checked yet. */
export type Checkpoint = TrustedState & {
  /** The server's id, empty for one that has none. */
  server: string
  database: string
  /** Where it begins in its file; lines count from 1. */
  line: number
  /** As it stands in its file, and the part of it that is signed. */
  note: Uint8Array
  signed: Uint8Array
  signatures: readonly NoteSignature[]
}

/** A line of signature; `bytes` are those behind the hash of its key. */
export type NoteSignature = { name: string; keyHash: string; bytes: Uint8Array }

/** What is wrong with a file. */
export type NoteFault =
  | 'empty'
  | 'bom'
  | 'crlf'
  | 'control'
  | 'not-utf-8'
  | 'origin'
  | 'another-origin'
  | 'transaction'
  | 'hash'
  | 'more-lines'
  | 'signature'
  | 'signatures'
  | 'separator'
  | 'cut'

/** A file that breaks a rule, of which nothing may be used. Lines count from 1. */
export class NoteError extends Error {
  readonly line: number
  readonly why: NoteFault

  constructor(line: number, why: NoteFault) {
    super(`line ${line}: ${why}`)
    this.line = line
    this.why = why
  }
}

const mostSignatures = 100

/**
 * Reads the notes of a file, one each step.
 * @throws NoteError
 */
export function* readCheckpoints(file: Uint8Array): Generator<Checkpoint, void, void> {
  const lines = new Lines(file)
  if (lines.isAtEnd) throw new NoteError(1, 'empty')
  if (areEqual(file.subarray(0, 3), byteOrderMark)) throw new NoteError(1, 'bom')
  let first: Checkpoint | null = null
  while (!lines.isAtEnd) {
    const note = noteIn(lines)
    first ??= note
    if (note.server !== first.server || note.database !== first.database) {
      throw new NoteError(note.line, 'another-origin')
    }
    yield note
  }
}

const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf)

const lineFeed = 0x0a
const carriageReturn = 0x0d
const firstPrinted = 0x20

/** The lines of a file; each ends with a line feed. */
class Lines {
  readonly #file: Uint8Array
  /** Where the next line begins. */
  at = 0
  /** The number of the next line. */
  number = 1

  constructor(file: Uint8Array) {
    this.#file = file
  }

  get isAtEnd(): boolean {
    return this.at >= this.#file.length
  }

  /** @throws NoteError where the file ends first */
  next(): string {
    const end = this.#file.indexOf(lineFeed, this.at)
    const bytes = this.#file.subarray(this.at, end < 0 ? this.#file.length : end)
    for (const byte of bytes) {
      if (byte >= firstPrinted) continue
      throw new NoteError(this.number, byte === carriageReturn ? 'crlf' : 'control')
    }
    const text = decodeUtf8(bytes)
    if (end < 0) throw new NoteError(this.number, 'cut')
    if (text === null) throw new NoteError(this.number, 'not-utf-8')
    this.at = end + 1
    this.number += 1
    return text
  }

  /** The bytes from a place to the next line. */
  since(from: number): Uint8Array {
    return this.#file.subarray(from, this.at)
  }

  /** Whether an empty line comes, which ends a note. */
  get isEmptyNext(): boolean {
    return this.#file[this.at] === lineFeed
  }
}

const originShape = /^immudb\/([^/]+)\/(.+)$/su
const signatureShape = /^— ([^\p{White_Space}\p{Cc}+]+) ([A-Za-z0-9+/]+={0,2})$/u
const mostTx = 2n ** 63n - 1n

function noteIn(lines: Lines): Checkpoint {
  const { at: from, number: line } = lines
  const [, server = '', database = ''] = originShape.exec(lines.next()) ?? []
  if (database === '') throw new NoteError(line, 'origin')
  const txId = lines.next()
  if (!/^[1-9]\d{0,18}$/.test(txId) || BigInt(txId) > mostTx) {
    throw new NoteError(line + 1, 'transaction')
  }
  const txHash = lines.next()
  if (fromBase64(txHash)?.length !== hashSize) throw new NoteError(line + 2, 'hash')
  const signed = lines.since(from)
  if (lines.next() !== '') throw new NoteError(line + 3, 'more-lines')
  const signatures = signaturesIn(lines)
  const note = lines.since(from)
  if (!lines.isAtEnd) {
    lines.next()
    if (lines.isAtEnd) throw new NoteError(lines.number - 1, 'cut')
    if (lines.isEmptyNext) throw new NoteError(lines.number, 'separator')
  }
  const of = { server: server === '-' ? '' : server, database, txId, txHash }
  return { ...of, line, note, signed, signatures }
}

/** Every line of signature up to an empty line or the end of the file. */
function signaturesIn(lines: Lines): NoteSignature[] {
  const signatures: NoteSignature[] = []
  while (!lines.isAtEnd && !lines.isEmptyNext) {
    const { number } = lines
    const [, name = '', base64 = ''] = signatureShape.exec(lines.next()) ?? []
    const bytes = fromBase64(base64)
    if (name === '' || !bytes || bytes.length < 5) throw new NoteError(number, 'signature')
    if (signatures.length === mostSignatures) throw new NoteError(number, 'signatures')
    signatures.push({ name, keyHash: bytesToHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) })
  }
  if (signatures.length === 0) {
    throw new NoteError(lines.number, lines.isAtEnd ? 'cut' : 'signature')
  }
  return signatures
}

/** Whether a note may stand behind another one in a file: it is newer, or the same again. */
export function follows({ txId, txHash }: Checkpoint, before: Checkpoint): boolean {
  if (txId === before.txId) return txHash === before.txHash
  return BigInt(txId) > BigInt(before.txId)
}

/** Whether a line of signature names a key. It may be wrong, or anyone's. */
export function isNamedIn(
  line: Pick<NoteSignature, 'name' | 'keyHash'>,
  { name, keyHash }: Pick<VerifierKey, 'name' | 'keyHash'>,
): boolean {
  return line.name === name && line.keyHash === keyHash
}

/** `other`: no line names the key, so nobody here vouches for the note. `wrong`: one does, falsely. */
export type Signed = 'signed' | 'wrong' | 'other'

/**
 * Whether the holder of a key has signed a checkpoint. A key is known by its name and its hash; of
 * its lines the first counts.
 */
export async function signedBy(
  { signed, signatures }: Checkpoint,
  { name, keyHash, publicKey }: VerifierKey,
): Promise<Signed> {
  const own = signatures.find((one) => isNamedIn(one, { name, keyHash }))
  if (!own) return 'other'
  const { isNoteSignature } = await import('./note-signature')
  return isNoteSignature(own.bytes, signed, publicKey) ? 'signed' : 'wrong'
}
