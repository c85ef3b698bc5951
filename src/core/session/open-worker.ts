import type { Getter } from 'jotai'
import { workers } from '~/lib/build'
import { clientAtom } from './client'
import { apiAddressAtom, listedAsAtom } from './session'

/** Where a worker reaches the server, which has no address of its own to begin from, and how. */
export const workerAddress = (get: Getter) => ({
  baseURL: new URL(get(apiAddressAtom), location.href).href,
  listedAs: get(listedAsAtom)?.id ?? null,
  takesOwnHeader: get(clientAtom).takesOwnHeader(),
})

/** Starts a script that works apart from the page; null where the browser or the policy forbids it. */
export function openWorker(name: 'audit' | 'proof'): Worker | null {
  const file = workers.get(name)
  if (file === undefined || typeof Worker === 'undefined') return null
  try {
    // Every script of a build lies in the same folder.
    return new Worker(new URL(file, import.meta.url))
  } catch {
    return null
  }
}
