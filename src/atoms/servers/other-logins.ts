import { login } from '~/api/auth'
import { ApiError } from '~/api/errors'
import { readIdentity } from '~/api/server'
import { listServers } from '~/api/servers'
import { clientAtom, endSessionLoss, type Store } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { type Fleet, loginRefusalsAtom, serverListAtom } from '~/core/session/fleet'
import type { Credentials } from '~/core/session/login'
import { serverPlaceAtom, sessionAtom } from '~/core/session/session'
import { endLeaving } from '~/core/session/session-end'
import {
  bannerOf,
  readStored,
  type Stored,
  storageAtom,
  storedAtom,
  withoutIdentity,
} from '~/core/storage/stored'
import { storageKey } from '~/lib/constants'
import type { Server } from '~/lib/servers'
import { messages } from '~/lib/shared-sentences'
import { hasSession } from './clients'

/** Logins that run at the same time: each takes a connection and the server's password check. */
const loginsAtOnce = 3

/**
 * Tries a name and password on servers without a session; the password is in memory until the last
 * one has answered. What each says is in `loginRefusalsAtom`.
 * @returns why each refused, by its id; null for one that took the login
 */
export async function logInElsewhere(
  fleet: Fleet,
  servers: readonly Server[],
  credentials: Credentials,
): Promise<ReadonlyMap<string, string | null>> {
  const waiting = [...servers]
  const results = new Map<string, string | null>()
  const looks = fleet.present().get(storedAtom)
  const work = async () => {
    for (let server = waiting.shift(); server; server = waiting.shift()) {
      const reason = await logInTo(fleet.storeOf(server), credentials, looks).then(
        () => null,
        sentence,
      )
      results.set(server.id, reason)
      noteRefusal(fleet, server, reason)
    }
  }
  await Promise.all(Array.from({ length: loginsAtOnce }, work))
  return results
}

function noteRefusal({ store }: Fleet, { id }: Server, reason: string | null) {
  const refusals = new Map(store.get(loginRefusalsAtom))
  if (reason === null) refusals.delete(id)
  else refusals.set(id, reason)
  store.set(loginRefusalsAtom, refusals)
}

/** A password goes only to the server that answered at the last login, or to one without a login. */
async function logInTo(
  store: Store,
  { user, password, isStored }: Credentials,
  looks: Stored,
): Promise<void> {
  if (hasSession(store)) return
  const client = store.get(clientAtom)
  const { server } = await readIdentity(client)
  const storage = store.get(storageAtom)
  const known = readStored(await storage.read(storageKey)).auth.server
  if (known !== null && known !== server)
    throw new ApiError({ kind: 'refused', text: messages.anotherServer })
  const { token, warning } = await login(client, user, password)
  const auth = {
    permission: null,
    server,
    ...(isStored ? { token, user } : { token: null, user: null }),
  }
  await storage.change(storageKey, (value) => {
    const stored = ofUser(storedOr(looks, value), user, warning)
    return { ...stored, auth, view: { ...stored.view, banner: bannerOf(warning) } }
  })
  endLeaving(store.get(serverPlaceAtom))
  // Last, so that a reload finds every session that the list has shown.
  const since = Date.now()
  store.set(sessionAtom, { user, token, databaseTokens: new Map(), isStored, since })
  endSessionLoss(store, false)
}

/** What is stored of a server; of one that is new here, the looks of another one. */
export function storedOr({ view: { banner: _own, ...looks } }: Stored, value: unknown): Stored {
  return readStored(value ?? { view: looks })
}

/** Nothing of another user's is left for this one. */
function ofUser(stored: Stored, user: string, warning: string | null): Stored {
  const isSame = stored.auth.user === null || stored.auth.user === user
  return isSame ? stored : withoutIdentity(stored, warning)
}

let isRenewing = false

/** Reads the list again, after an answer named another version of it. */
export async function renewList(fleet: Fleet): Promise<void> {
  if (isRenewing) return
  isRenewing = true
  try {
    const list = await listServers(fleet.present().get(clientAtom))
    if (list) fleet.store.set(serverListAtom, list)
  } finally {
    isRenewing = false
  }
}
