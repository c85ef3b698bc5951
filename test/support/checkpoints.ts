import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** What a note says; `server` is empty for one without an id. */
export type Noted = { server: string; database: string; txId: string; txHash: string }

/** One who signs checkpoints, made with `node:crypto` alone. */
export type Signer = {
  /** As it is pinned. */
  verifierKey: string
  note(of: Noted): string
  /** The line for any text. */
  signature(text: string): string
}

/** Somebody else's program for signed notes of C2SP, with a key of its own. */
export function newSigner(
  name: string,
  key: KeyObject = generateKeyPairSync('ed25519').privateKey,
): Signer {
  const { x = '' } = key.export({ format: 'jwk' })
  const coded = Buffer.concat([Buffer.of(1), Buffer.from(x, 'base64url')])
  const keyHash = createHash('sha256').update(`${name}\n`).update(coded).digest().subarray(0, 4)
  const signature = (text: string) => {
    const bytes = Buffer.concat([keyHash, sign(null, Buffer.from(text), key)])
    return `— ${name} ${bytes.toString('base64')}\n`
  }
  return {
    verifierKey: `${name}+${keyHash.toString('hex')}+${coded.toString('base64')}`,
    signature,
    note: ({ server, database, txId, txHash }) => {
      const text = `immudb/${server || '-'}/${database}\n${txId}\n${txHash}\n`
      return `${text}\n${signature(text)}`
    },
  }
}

/** A file of notes. */
export const checkpointFile = (notes: readonly string[]) => notes.join('\n')
