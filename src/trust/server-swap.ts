import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { newIncident } from './incident-log'
import { noteIncident } from './incidents'
import type { KnownServer } from './trust-record'
import { trustedStatesAtom } from './trusted-states'

/** One accepted server answers in the place of another. */
export type ServerSwap = { origin: string; before: string; now: KnownServer; at: number }

const shownAtom = atom<ServerSwap | null>(null)

/** The last swap, until an operator has seen it. */
export const serverSwapAtom = atom((get) => get(shownAtom))

export function dismissSwap({ set }: Io) {
  return set(shownAtom, null)
}

/**
 * The server that answered last in this page, by address; another tab may have noted a swap first.
 */
const answeredAtom = atom<ReadonlyMap<string, string>>(new Map<string, string>())

/** Notes the server at an address without showing a swap, for instance after it was accepted. */
export function noteAnswered(
  io: Io,
  { origin, server }: Pick<DatabaseId, 'origin' | 'server'>,
): void {
  io.set(answeredAtom, new Map(io.get(answeredAtom)).set(origin, server))
}

/** Notes and shows each change between accepted servers. Never rejects. */
export async function noteSwap(io: Io, id: DatabaseId): Promise<void> {
  const { origin, server } = id
  const points = io.get(trustedStatesAtom)
  const own = io.get(answeredAtom).get(origin)
  noteAnswered(io, id)
  const noted = await points.noteAnswering(origin, server).catch(() => null)
  const known = await points.servers(origin).catch(() => [])
  const before = own ?? noted
  const now = known.find((one) => one.server === server)
  const isSwap = before !== null && before !== server && now !== undefined
  if (!isSwap || !known.some((one) => one.server === before)) return
  const swap = newIncident('server-swapped', 'the identity of the server')
  await noteIncident(io, { ...id, database: '' }, { ...swap, expected: before, received: server })
  io.set(shownAtom, { origin, before, now, at: swap.at })
}
