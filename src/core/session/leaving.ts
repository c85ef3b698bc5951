import { storageKey } from '~/lib/constants'
import { parsedJson } from '~/lib/parsed-json'
import { historyStorageKey } from '~/lib/storage-keys'
import { type DraftOwner, eraseDrafts } from '../drafts'
import { inArea } from '../storage/area'
import type { Storage } from '../storage/storage'
import { readStored, type Stored, withoutIdentity, withoutToken } from '../storage/stored'

/** What storage has to forget of a session that ends. */
export type Leaving = {
  /** Null for anyone's token. */
  readonly user: string | null
  readonly forgets: 'token' | 'identity'
  /** Whose drafts are erased. */
  readonly drafts?: DraftOwner | null
}

const key = 'webconsole.leaving'

// Without such storage only a page that is closed too early leaves the session behind.
const withNotes = <T>(use: (notes: globalThis.Storage) => T) => inArea('localStorage', use)

/**
 * Forgets a session in storage. The browser's databases may answer only after the page has closed,
 * so it is noted at once what is to be forgotten; the next page finds the note and does it.
 * @param place the end of what is stored of this server
 * @param warning the server's, for the user who comes next
 */
export async function forgetStored(
  storage: Storage,
  place: string,
  leaving: Leaving,
  warning?: string | null,
): Promise<void> {
  const note = JSON.stringify(leaving)
  withNotes((notes) => notes.setItem(key + place, note))
  const { user, forgets, drafts } = leaving
  const done = await Promise.all([
    storage.change(storageKey, (value) => withoutSession(leaving, readStored(value), warning)),
    forgets === 'token' ||
      storage.change(historyStorageKey, (value) => {
        const owner: unknown = Object(value).user
        return typeof owner === 'string' && owner !== user ? value : null
      }),
    ...(drafts ? eraseDrafts(storage, drafts) : []),
  ])
  // Another end may have begun meanwhile.
  const isOwn = withNotes((notes) => notes.getItem(key + place)) === note
  if (isOwn && done.every(Boolean)) endLeaving(place)
}

/** What the page before had still to forget, or null. */
export function leavingAt(place: string): Leaving | null {
  const note = Object(parsedJson(withNotes((notes) => notes.getItem(key + place)) ?? ''))
  return note.forgets ? note : null
}

/** A new session is in storage: nothing of it is to be forgotten. */
export function endLeaving(place: string): void {
  withNotes((notes) => notes.removeItem(key + place))
}

/** A state without what is to be forgotten; another user's session stays. */
export function withoutSession(
  leaving: Leaving | null,
  stored: Stored,
  warning: string | null = null,
): Stored {
  if (leaving?.forgets === 'token') return withoutToken(stored)
  const { user } = stored.auth
  const isAnothers = !leaving || (user !== null && user !== leaving.user)
  return isAnothers ? stored : withoutIdentity(stored, warning)
}
