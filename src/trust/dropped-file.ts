import type { Io } from '~/core/act'
import { readStateText } from '~/immudb/state-text'
import { decodeUtf8 } from '~/lib/bytes'
import { readStates, serverOfFile } from '~/proof/immuclient-state'
import { loadCheckpoints } from './checkpoint-run'
import { largestFile, tooLarge } from './checkpoint-sources'
import { type DroppedFile, putDroppedStates } from './dropped-states'
import { openEvidence } from './evidence'
import { hasCheckpoints } from './given-trust'

/** The part of Verify that reads a file. */
type ReadBy = 'evidence' | 'witnesses' | 'points'

/** Bytes at either end of a file that tell what it is. */
const looked = 65_536
/** Files larger than this hold no trusted states. */
const mostStates = 1_000_000

/**
 * Has Verify read a file of evidence, which a fork certificate is too, of checkpoints, or of states.
 * @returns the part of Verify that shows it, or in a sentence why nothing was opened
 */
export async function openDropped(
  io: Io,
  file: DroppedFile,
): Promise<{ readonly tab: ReadBy } | { readonly problem: string }> {
  const head = await bytesOf(file.slice(0, looked))
  const tail = await bytesOf(file.slice(Math.max(0, file.size - looked)))
  if (!head || !tail) return { problem: 'The file could not be read. Nothing was opened.' }
  const text = `${latin.decode(head)}\n${latin.decode(tail)}`
  if (text.startsWith('PK\u0003\u0004')) {
    const what = 'This is an archive. Unpack it, and drop the files of its folder evidence.'
    return { problem: `${what} Nothing was opened.` }
  }
  if (/^\W{0,8}\{/.test(text) && text.includes(evidenceMark)) {
    void openEvidence(io, file)
    return { tab: 'evidence' }
  }
  if (hasCheckpoints(head)) {
    const read = async () => {
      const bytes = file.size > largestFile ? null : await bytesOf(file)
      return bytes ? { bytes } : { problem: tooLarge }
    }
    void loadCheckpoints(io, { name: file.name, read })
    return { tab: 'witnesses' }
  }
  if (file.size <= mostStates && (await hasStates(file))) {
    putDroppedStates(io, file)
    return { tab: 'points' }
  }
  return {
    problem:
      'Verify reads evidence, checkpoints and trusted states, and this file is none of them.',
  }
}

/** What every evidence file says of itself. */
const evidenceMark = '"immudb webconsole evidence"'
const latin = new TextDecoder('latin1')

const bytesOf = (part: Pick<Blob, 'arrayBuffer'>) =>
  part.arrayBuffer().then(
    (bytes) => new Uint8Array(bytes),
    () => null,
  )

async function hasStates(file: DroppedFile): Promise<boolean> {
  const bytes = await bytesOf(file)
  const text = bytes && decodeUtf8(bytes)
  if (text === null) return false
  return readStates(text, serverOfFile(file.name)) !== null || 'points' in readStateText(text)
}
