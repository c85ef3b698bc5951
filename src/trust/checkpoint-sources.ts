import {
  type CheckpointsFile,
  checkpointsAddress,
  largestCheckpoints,
  listCheckpoints,
  readCheckpointsFile,
} from '~/api/checkpoints'
import { isTooLarge } from '~/api/errors'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { type CheckpointSource, loadCheckpoints } from './checkpoint-run'

/** Bytes of a file that is read. */
export const largestFile = largestCheckpoints

export const tooLarge =
  'It is larger than 64 MiB, so it was not read. Split it between two checkpoints.'

/** Reads a file of checkpoints from the host of this page, by its name in the list. */
export function loadHostCheckpoints(io: Io, { name }: CheckpointsFile): Promise<void> {
  return loadCheckpoints(io, sourceAt(io, name, checkpointsAddress(name)))
}

/** Reads checkpoints at an address of the origin of this page; see `addressHere`. */
export function loadCheckpointsAt(io: Io, address: string): Promise<void> {
  return loadCheckpoints(io, sourceAt(io, address, address))
}

function sourceAt(io: Io, name: string, address: string): CheckpointSource {
  return {
    name,
    read: async (signal) => {
      try {
        return { bytes: await readCheckpointsFile(io.get(clientAtom), address, signal) }
      } catch (error) {
        return {
          problem: isTooLarge(error) ? tooLarge : `${sentence(error)} Nothing was compared.`,
        }
      }
    },
  }
}

/** The whole address of what was typed, or why it is not fetched: it is of another origin. */
export function addressHere(
  text: string,
  here = location.href,
): { address: string } | { none: 'invalid' | 'elsewhere' } {
  const found = urlOf(text.trim(), here)
  if (!found) return { none: 'invalid' }
  const { origin, href, username, password } = found
  if (origin !== new URL(here).origin) return { none: 'elsewhere' }
  return username || password ? { none: 'invalid' } : { address: href }
}

function urlOf(text: string, base: string): URL | null {
  try {
    return text === '' ? null : new URL(text, base)
  } catch {
    return null
  }
}

/** What the host of this page serves; null where it serves no checkpoints or cannot be asked. */
export async function findHostCheckpoints(io: Io) {
  return listCheckpoints(io.get(clientAtom)).catch(() => null)
}
