import { atom } from 'jotai'
import type { Client } from '~/api/client'
import { type Health, readIdentity } from '~/api/server'
import type { Io } from '~/core/act'
import { identityFor } from '~/lib/constants'
import { storedAtom } from '../storage/stored'
import { clientAtom } from './client'
import { anotherServer, loginNoticeAtom, serverAtom, sessionAtom, sessionLossAtom } from './session'

/** The server shown since the last login; null: it gives no id, undefined: none was shown. */
export const namedAtom = atom<string | null | undefined>(undefined)

type Identity = { health: Health & { at: number }; server: string | null }

/** What was asked while a password was typed, and when; see `performance.now`. */
type Early = { client: Client; at: number; answer: Promise<Identity> }

const earlyAtom = atom<Early | null>(null)

const hasAge = ({ at }: Early, limit: number) => performance.now() - at >= limit

async function identify(client: Client, isPoll = false): Promise<Identity> {
  const { health, server } = await readIdentity(client, { isPoll })
  return { health: { ...health, at: Date.now() }, server }
}

/**
 * Asks which server answers while the password is still typed, so that the login need not wait for
 * it. Not over lost work or after a word of another server: there, what is on the screen when the
 * password is sent decides, and it must not change under it.
 */
export function askIdentityEarly({ get, set }: Io): void {
  if (get(sessionAtom) || get(loginNoticeAtom)?.kind) return
  const client = get(clientAtom)
  const before = get(earlyAtom)
  // A slow typist's answer is asked for again before it is too old.
  if (before?.client === client && !hasAge(before, identityFor / 2)) return
  const early = { client, at: performance.now(), answer: identify(client, true) }
  set(earlyAtom, early)
  // The login asks again, and says why nothing came.
  early.answer.catch(() => set(earlyAtom, (now) => (now === early ? null : now)))
}

/** The answer of just now, used once; else null. */
function takeEarly({ get, set }: Io): Promise<Identity> | null {
  const early = get(earlyAtom)
  set(earlyAtom, null)
  if (!early || early.client !== get(clientAtom) || hasAge(early, identityFor)) return null
  return get(sessionAtom) || get(loginNoticeAtom)?.kind ? null : early.answer
}

/**
 * Checks which server answers right before a password is sent, because it may have been replaced
 * while the form was open. Null when it differs from the last login; the form then says so. Typing
 * the password again accepts that server. Rejects with `ApiError`.
 */
export async function confirmServerIdentity(io: Io) {
  const { get, set } = io
  const hasSession = get(sessionAtom) !== null
  const said = hasSession ? get(sessionLossAtom) : get(loginNoticeAtom)?.kind
  const before = get(serverAtom)
  const { health, server } = await (takeEarly(io) ?? identify(get(clientAtom)))
  const known = get(storedAtom).auth.server
  const isMeant = server === get(namedAtom) || (said === 'another-server' && server === before)
  if (known === null || server === known || isMeant) return health
  set(namedAtom, server)
  if (hasSession) set(sessionLossAtom, 'another-server')
  else set(loginNoticeAtom, anotherServer)
  return null
}
