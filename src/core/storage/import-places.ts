import { importedStorageKey, importsStorageKey } from '~/lib/storage-keys'
import type { DraftOwner } from './drafts'
import type { Storage } from './storage'

/** What the places of all imports begin with that one user left before their end. */
export function importsOf({ server, user }: DraftOwner): string {
  return `${importsStorageKey} ${JSON.stringify([server, user])} `
}

/** Where files are remembered that a user imported into one place. */
export function importedOf({ server, user }: DraftOwner, into: string): string {
  return `${importedStorageKey} ${JSON.stringify([server, user])} ${into}`
}

/** Where the imports are that a user left before their end. */
export async function importPlaces(storage: Storage, owner: DraftOwner): Promise<string[]> {
  const beginning = importsOf(owner)
  return (await storage.keys()).filter((key) => key.startsWith(beginning))
}

/** Where it is remembered which files a user imported. */
export async function importedPlaces(storage: Storage, owner: DraftOwner): Promise<string[]> {
  const beginning = importedOf(owner, '')
  return (await storage.keys()).filter((key) => key.startsWith(beginning))
}
