import { workers } from '~/lib/build'

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
