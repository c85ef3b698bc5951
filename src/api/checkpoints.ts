import * as v from 'valibot'
import { apiTimeout } from '~/lib/constants'
import { parsedJson } from '~/lib/parsed-json'
import type { Client } from './client'
import { ApiError } from './errors'

/** Bytes of a file of checkpoints that is read; the host serves no larger one. */
export const largestCheckpoints = 67_108_864

/** Milliseconds until a file of that size must be there. */
const fileTimeout = 300_000
/** Bytes of the list, which has a thousand lines at most. */
const largestList = 2_097_152

const file = v.object({
  name: v.string(),
  origin: v.string(),
  size: v.number(),
  modified: v.string(),
})
const list = v.object({ files: v.array(file), isCut: v.boolean() })

/** A file of checkpoints on the console's own host. */
export type CheckpointsFile = v.InferOutput<typeof file>

/** `GET /checkpoints/` of the host, which serves them with `--checkpoints`; null where it does not. */
export async function listCheckpoints(
  client: Client,
): Promise<{ files: readonly CheckpointsFile[]; isCut: boolean } | null> {
  const { status, bytes } = await client.download({
    address: '/checkpoints/',
    timeout: apiTimeout,
    read: (body) => readAtMost(body, largestList),
  })
  if (status !== 200) return null
  const found = v.safeParse(list, parsedJson(new TextDecoder().decode(bytes)))
  return found.success ? found.output : null
}

/** The address of a file of the list. */
export const checkpointsAddress = (name: string) => `/checkpoints/${encodeURIComponent(name)}`

/**
 * Fetches checkpoints from the console's own origin.
 * @param address below the console's folder, or a whole one of the same origin
 * @throws ApiError of kind `too-large` above `largestCheckpoints`
 */
export async function readCheckpointsFile(
  client: Client,
  address: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { status, bytes } = await client.download({
    address,
    timeout: fileTimeout,
    signal,
    read: (body) => readAtMost(body, largestCheckpoints),
  })
  if (status === 413) throw new ApiError({ kind: 'too-large', text: '', status })
  if (status !== 200) throw new ApiError({ kind: 'unavailable', text: '', status })
  return new Uint8Array(bytes)
}

/** A body up to a number of bytes, so that an endless one fills no memory. */
async function readAtMost(body: ReadableStream<Uint8Array>, most: number): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts).arrayBuffer()
    size += value.length
    if (size > most) {
      void reader.cancel().catch(() => {})
      throw new ApiError({ kind: 'too-large', text: '', status: 200 })
    }
    parts.push(value as Uint8Array<ArrayBuffer>) // those of an answer are never shared
  }
}
