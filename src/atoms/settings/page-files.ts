import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import { ApiError } from '~/api/errors'
import { readDockerToken, readManifest, readStars } from '~/api/outside-immudb'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { dropToken } from '~/core/session/session-end'
import { changeStoredPart, storedAtom } from '~/core/storage/stored'
import { options } from '~/lib/build'
import { messages } from '~/lib/shared-sentences'

/** The manifest of the build that the server hands out now. */
export const manifestAtom = atomWithQuery((get) => {
  const client = get(clientAtom)
  return { queryKey: ['manifest'], queryFn: ({ signal }) => readManifest(client, signal) }
})

/** Stars of the repository; asked only while something shows them. */
export const starsAtom = atomWithQuery((get) => {
  const client = get(clientAtom)
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    readStars(client, options.starsUrl, signal)
  return { queryKey: ['stars'], queryFn }
})

/** The docker token as it is stored; null when there is none. */
export const dockerTokenAtom = atom((get) => get(storedAtom).docker.dockerToken)

function keepDockerToken(io: Io, dockerToken: string | null) {
  return changeStoredPart(io, (stored) => ({ ...stored, docker: { dockerToken } }))
}

/**
 * Fetches and stores a docker token; rejects with `ApiError`. 406 and 410 mean that the old one has
 * expired, which ends the session too. Other failures change nothing.
 */
export async function fetchDockerToken(io: Io, url: string) {
  try {
    keepDockerToken(io, await readDockerToken(io.get(clientAtom), url))
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'docker-token') {
      keepDockerToken(io, null)
      dropToken(io, { text: messages.dockerTokenExpired })
    }
    throw error
  }
}

export function forgetDockerToken(io: Io) {
  return keepDockerToken(io, null)
}
