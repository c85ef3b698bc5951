import { atom } from 'jotai'
import type { Io } from '~/core/act'

/** Milliseconds within which the console takes the password of a login. */
const handedFor = 10_000

/** The password of a login; `isWanted`: a search of documents needs it now. */
export type HandedPassword = { readonly password: string; readonly isWanted: boolean }

/**
 * The password of a login, for the session that searches of documents need. It is here until that
 * session is opened, or was found not to be needed, for a few seconds at most.
 */
export const handedPasswordAtom = atom<HandedPassword | null>(null)

/** Hands the password of a login on. */
export function handPassword({ set }: Io, password: string, isWanted: boolean) {
  set(handedPasswordAtom, { password, isWanted })
  // It must not hold the password itself.
  setTimeout(() => set(handedPasswordAtom, null), handedFor)
}

/**
 * Set while the console keeps a session for documents: `take` opens one with the password of a login
 * over a lost session, `close` ends it, for instance when the console is locked.
 */
export const documentLoginAtom = atom<{
  readonly take: (password: string) => void
  readonly close: () => void
} | null>(null)
