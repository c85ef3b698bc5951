import type { Trust } from '../../src/atoms/trust'
import { api } from '../support/api'
import { type ImmudbServer, startServer } from '../support/immudb'

// The build puts these in; what reads them is imported afterwards.
Object.assign(globalThis, { __WORKERS__: {}, __VERSION__: 'soak', __COMMIT__: 'soak' })

type Options = {
  polls: number
  writers: number
  /** How often the server is ended, by turns killed and asked to end. */
  restarts: number
  say: (line: string) => void
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Asks for the state and proves it, back to back, while others write and the server is ended now
 * and then. Resolves false if any of the polls said that the history is broken.
 */
export async function soakPolls(options: Options): Promise<boolean> {
  const server = await startServer()
  const load = { isOver: false, written: 0 }
  const writers = Array.from({ length: options.writers }, (_, at) => writer(server, `w${at}`, load))
  const kinds = await polled(server, options)
  load.isOver = true
  await Promise.all(writers)
  await server.dispose()
  const counts = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')
  options.say(`${options.polls} polls, ${load.written} writes: ${counts}`)
  return !kinds.has('broken') && (kinds.get('consistent') ?? 0) > 0
}

type Load = { isOver: boolean; written: number }

/** Writes one key after the other, signing in again when the server was away. */
async function writer(server: ImmudbServer, key: string, load: Load): Promise<void> {
  while (!load.isOver) {
    try {
      const rest = await api(server.url)
      while (!load.isOver) {
        await rest.call('/db/set', { KVs: [{ key: btoa(key), value: btoa(String(load.written)) }] })
        load.written += 1
      }
    } catch {
      await pause(100)
    }
  }
}

/** How often each state was found. */
async function polled(
  at: ImmudbServer,
  { polls, restarts, say }: Options,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const every = Math.floor(polls / (restarts + 1))
  const check = await checker(at)
  let restarting: Promise<void> | null = null
  for (let poll = 1; poll <= polls; poll += 1) {
    if (poll % every === 0 && poll < polls) {
      await restarting
      restarting = at.restart(poll % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
    }
    const trust = await check()
    found.set(trust.kind, (found.get(trust.kind) ?? 0) + 1)
    if (trust.kind === 'broken') say(`poll ${poll}: ${JSON.stringify(trust.broken)}`)
    if ('why' in trust && trust.why !== null) {
      found.set(trust.why, (found.get(trust.why) ?? 0) + 1)
      await restarting
    }
  }
  await restarting
  return found
}

/** A tab that signs in anew whenever its token is no good any more. */
async function checker(at: ImmudbServer): Promise<() => Promise<Trust>> {
  const [{ createStore }, { connect }, session, { checkTrustAtom }, points, door] =
    await Promise.all([
      import('jotai'),
      import('../../src/atoms/client'),
      import('../../src/atoms/session'),
      import('../../src/atoms/trust'),
      import('../../src/atoms/trusted-points'),
      import('../../src/atoms/points-door'),
    ])
  const kept = new points.TrustedPoints(() => Promise.resolve(door.memoryDoor()))
  let store = createStore()
  const open = async () => {
    store = createStore()
    connect(store, `${at.url}/api`, (input, init) => {
      const { redirect: _redirect, ...rest } = init ?? {}
      return fetch(input, rest)
    })
    const { token } = await api(at.url)
    const databaseTokens = new Map([['defaultdb', token]])
    store.set(session.sessionAtom, { user: '', token, databaseTokens, isStored: false, since: 0 })
    store.set(session.databaseAtom, 'defaultdb')
    store.set(points.trustedPointsAtom, kept)
  }
  await open()
  return async () => {
    const asked = store.set(checkTrustAtom)
    // Where the console would show the form, this signs in again.
    const lost = new Promise<null>((resolve) => {
      const stop = store.sub(session.sessionLossAtom, () => {
        stop()
        resolve(null)
      })
    })
    const trust = await Promise.race([asked, lost])
    if (trust) return trust
    await open().catch(() => pause(100))
    return { kind: 'unchecked', why: 'signed in again' }
  }
}
