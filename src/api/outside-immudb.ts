import * as v from 'valibot'
import { apiTimeout } from '~/lib/constants'
import { parsedJson } from '~/lib/parsed-json'
import type { Client } from './client'
import { ApiError } from './errors'
import { text, token } from './schemas'

const manifest = v.object({
  version: text,
  commit: text,
  entry: text,
  files: v.array(v.object({ path: v.string(), size: v.number(), sha256: v.string() })),
})
/** The build's description of itself: its files with sizes and hashes. */
export type Manifest = v.InferOutput<typeof manifest>

/** `manifest.json`, which lies beside the page (`embed/pipeline/manifest.ts`). */
export function readManifest(client: Client, signal?: AbortSignal): Promise<Manifest> {
  return readJson(client, manifest, 'manifest.json', signal)
}

const dockerAnswer = v.object({ token })

/** `GET /token` of the service that gives docker tokens. */
export async function readDockerToken(client: Client, baseURL: string): Promise<string> {
  return (await readJson(client, dockerAnswer, `${baseURL}/token`)).token
}

const repository = v.object({ stargazers_count: v.number() })

/** How many stars the code-hosting API counts for a repository. */
export async function readStars(client: Client, url: string, signal?: AbortSignal) {
  return (await readJson(client, repository, url, signal)).stargazers_count
}

/** Fetches JSON from another source than the database. Rejects only with `ApiError`. */
async function readJson<S extends v.GenericSchema>(
  client: Client,
  schema: S,
  address: string,
  signal?: AbortSignal,
): Promise<v.InferOutput<S>> {
  const { status, bytes } = await client.download({
    address,
    timeout: apiTimeout,
    ...(signal ? { signal } : {}),
  })
  if (status === 406 || status === 410) {
    throw new ApiError({ kind: 'docker-token', text: '', status })
  }
  if (status < 200 || status > 299) throw new ApiError({ kind: 'unavailable', text: '', status })
  const found = v.safeParse(schema, parsedJson(new TextDecoder().decode(bytes)))
  if (found.success) return found.output
  throw new ApiError({ kind: 'bad-answer', text: 'not what was expected', status })
}
