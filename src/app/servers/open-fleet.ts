import { createStore } from 'jotai'
import { countSessions, logOutOf } from '~/atoms/servers/logout-everywhere'
import { renewList, storedOr } from '~/atoms/servers/other-logins'
import { connect, endSessionLoss, type Store } from '~/core/session/client'
import { type Fleet, fleetAtom, serverListAtom, unknownServerAtom } from '~/core/session/fleet'
import { type Logout, onLogoutElsewhere } from '~/core/session/logout-channel'
import { serverAtom, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { forgetStored } from '~/core/session/session-end'
import { beginSession, restoreSession } from '~/core/session/session-start'
import { partOf } from '~/core/storage/storage-part'
import { readStored, storageAtom, storedAtom } from '~/core/storage/stored'
import { readTab, writeTab } from '~/core/storage/tab'
import { storageKey } from '~/lib/constants'
import { placeOf, type Server, type ServerList, serverHeader } from '~/lib/servers'
import type { Join, Owner } from '../identity'
import { clearAddress, databaseInAddress } from '../page-start'

/** Where a tab notes the server that it shows. */
const shownKey = 'webconsole.server'

/**
 * Chooses among the servers of a list: the one that the address names, the last one of this tab, or
 * the first. Each has its own store and its own part of the browser's storage, so nothing of one is
 * sent to another. Of a server that is not shown only the session stays in memory.
 */
export function openFleet(baseURL: string, list: ServerList, first: Server, owner: Owner): Join {
  const store = createStore()
  store.set(serverListAtom, list)
  const listed = () => store.get(serverListAtom).servers
  const unshown = () => listed().filter(({ id }) => id !== shown.id)
  const byName = (name: unknown) => listed().find((server) => server.name === name)
  let shown = byName(serverInAddress()) ?? byName(readTab(shownKey)) ?? first
  /** The stores of other servers, by their ids. */
  const others = new Map<string, Store>()

  const joinTo = (of: Store, server: Server) => {
    const folder = baseURL.replace(/\/api$/, '')
    connect(of, `${folder}/s/${server.name}/api`, undefined, {
      server,
      headers: { [serverHeader]: server.id },
      folder,
      onHeaders,
    })
    of.set(storageAtom, partOf(owner.storage, placeOf(server)))
    of.set(fleetAtom, fleet)
    return of
  }
  const onHeaders = (headers: Headers) => {
    const version = headers.get('Webconsole-Servers')
    if (version !== null && version !== store.get(serverListAtom).version) void renewList(fleet)
  }
  const show = (server: Server) => {
    keepSession()
    const looks = owner.present().get(storedAtom)
    const part = partOf(owner.storage, placeOf(server))
    void part.change(storageKey, (value) => storedOr(looks, value))
    const had = others.get(server.id)
    others.delete(server.id)
    shown = server
    writeTab(shownKey, server.name)
    if (serverInAddress() !== server.name) {
      clearAddress()
      nameInAddress()
    }
    owner.renew((next) => {
      // Shows a server that has taken the place of the one that issued the session.
      next.set(serverAtom, had?.get(serverAtom) ?? null)
      const session = had?.get(sessionLossAtom) === null ? had.get(sessionAtom) : null
      if (!session) return restoreSession(next, databaseInAddress())
      return next
        .get(storageAtom)
        .read(storageKey)
        .then((value) =>
          beginSession(next, {
            stored: readStored(value),
            session,
            notice: null,
            wanted: databaseInAddress(),
          }),
        )
    })
  }
  /** Keeps nothing but the session of the server that was shown. */
  const keepSession = () => {
    const left = owner.present()
    const session = left.get(sessionAtom)
    const isOver = left.get(sessionLossAtom) !== null
    // Late writes of this store must not find a user.
    endSessionLoss(left, false)
    left.set(sessionAtom, null)
    if (!session || session.mode || isOver) return
    const kept = joinTo(createStore(), shown)
    kept.set(serverAtom, left.get(serverAtom))
    kept.set(sessionAtom, session)
    others.set(shown.id, kept)
  }
  const fleet: Fleet = {
    store,
    storage: owner.storage,
    present: owner.present,
    show,
    storeOf: (server) => {
      if (server.id === shown.id) return owner.present()
      const found = others.get(server.id) ?? joinTo(createStore(), server)
      others.set(server.id, found)
      return found
    },
    othersSignedIn: () => countSessions(unshown().map(fleet.storeOf)),
    logOutOthers: () => {
      const user = owner.present().get(sessionAtom)?.user ?? ''
      return Promise.all(unshown().map((server) => logOutOf(fleet.storeOf(server), server, user)))
    },
    lock: () => {
      others.clear()
      for (const server of unshown()) {
        const place = placeOf(server)
        void forgetStored(partOf(owner.storage, place), place, { user: null, forgets: 'token' })
      }
    },
  }
  const nameInAddress = () => {
    if (listed().length < 2) return
    const { pathname, search, hash } = window.location
    const found = new URLSearchParams(search)
    found.set('server', shown.name)
    window.history.replaceState(null, '', `${pathname}?${found}${hash}`)
  }
  /** Shows the server that the address names; a step back may name another one. */
  const follow = () => {
    const named = serverInAddress()
    if (named === shown.name) return
    const found = byName(named)
    if (found) return show(found)
    if (named !== null) {
      store.set(unknownServerAtom, named)
      clearAddress()
    }
    nameInAddress()
  }
  follow()
  // Before the router hears of it, which would look for the database of one server in another.
  for (const event of ['popstate', 'pushState', 'replaceState']) addEventListener(event, follow)
  onLogoutElsewhere((logout) => {
    const of = others.get(logout.server ?? '')
    if (of && isOf(logout, of)) of.set(sessionAtom, null)
  })
  return (next) => void joinTo(next, shown)
}

function isOf({ user, at }: Logout, store: Store): boolean {
  const session = store.get(sessionAtom)
  return session?.user === user && session.since <= at
}

/** The server that the address names, or null. */
function serverInAddress(): string | null {
  return new URLSearchParams(window.location.search).get('server')
}
