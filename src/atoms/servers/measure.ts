import { atom } from 'jotai'
import { readState } from '~/api/server'
import { listTransactions } from '~/api/transactions'
import type { Io } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { type Fleet, fleetAtom } from '~/core/session/fleet'
import { clientOf } from './clients'
import { comparedAtom, type Figure, type Figures, isAhead, type Lag, lagBetween } from './lag'
import { type Member, memberKey, type ReplicaGroup } from './replicas'

/** How long a server may take until its state is here, in milliseconds. */
const patience = 10_000

/** What a server said of a database when it was asked. */
export type Measured =
  | {
      kind: 'read'
      committed: string
      precommitted: string
      /** Time of the newest transaction in milliseconds since 1970; null where there is none. */
      time: number | null
      /** Of a replica, by what its primary said before and after. */
      lag: Lag | null
      /** How much older the newest transaction of a replica is, in milliseconds; negative: newer. */
      lagTime: number | null
      /** When it answered, in milliseconds since 1970. */
      at: number
    }
  | { kind: 'failed'; reason: string }

/** By `memberKey`. */
export const measuredAtom = atom<ReadonlyMap<string, Measured>>(new Map())

/**
 * Reads states and the times of the newest transactions of a group: that of the primary, those of
 * the replicas, and that of the primary again. So a replica is behind or ahead only if it really was.
 */
export async function measureGroup({ get, set }: Io, group: ReplicaGroup) {
  const fleet = get(fleetAtom)
  if (!fleet) return
  let count = 0
  const read = async (member: Member): Promise<Stamped> => {
    count += 1
    const from = count
    const found = await measure(fleet, member)
    count += 1
    return { key: memberKey(member), found, from, to: count }
  }
  const { primary } = group
  const before = primary && (await read(primary))
  const replicas = await Promise.all(group.replicas.map(read))
  const after = primary && (await read(primary))
  const found = replicas.map((one) => [one.key, withLag(one, before, after)] as const)
  set(
    measuredAtom,
    (known) => new Map([...known, ...found, ...(after ? [[after.key, after.found] as const] : [])]),
  )
}

type Stamped = { key: string; found: Measured; from: number; to: number }

/** A replica with its lag by what its primary said. */
function withLag({ found, from, to }: Stamped, ...primary: readonly (Stamped | null)[]): Measured {
  if (found.kind !== 'read') return found
  const looks = primary.flatMap((one) =>
    one?.found.kind === 'read' ? [{ from: one.from, to: one.to, tx: one.found.committed }] : [],
  )
  const lag = lagBetween(looks, { from, to, tx: found.committed })
  const times = primary.map((one) => (one?.found.kind === 'read' ? one.found.time : null))
  return { ...found, lag, lagTime: lagTime(found.time, times, lag) }
}

function lagTime(
  own: number | null,
  [before = null, after = null]: readonly (number | null)[],
  lag: Lag | null,
): number | null {
  const other = isAhead(lag) ? after : before
  if (own === null || other === null) return null
  return isAhead(lag) ? Math.min(0, other - own) : Math.max(0, other - own)
}

async function measure(fleet: Fleet, { server, holding, standing }: Member): Promise<Measured> {
  if (standing.kind !== 'answers') return { kind: 'failed', reason: standing.reason }
  const client = clientOf(fleet, server)
  const signal = AbortSignal.timeout(patience)
  try {
    const state = await readState(client, holding.name, signal)
    const [newest] =
      state.txId === '0'
        ? []
        : await listTransactions(client, {
            database: holding.name,
            upTo: state.txId,
            limit: 1,
            signal,
            isPoll: true,
          })
    return {
      kind: 'read',
      committed: state.txId,
      precommitted: state.precommittedTxId,
      time: newest ? Number(newest.ts) * 1_000 : null,
      lag: null,
      lagTime: null,
      at: Date.now(),
    }
  } catch (error) {
    const isLate = signal.aborted
    return {
      kind: 'failed',
      reason: isLate ? `No answer within ${patience / 1_000} seconds.` : sentence(error),
    }
  }
}

/** What is shown of the members of groups: states where they were read, else the last whole round. */
export const figuresAtom = atom((get): Figures => {
  const figures = new Map(get(comparedAtom))
  for (const [key, found] of get(measuredAtom)) {
    if (found.kind === 'read') figures.set(key, figureOf(found))
  }
  return figures
})

const figureOf = ({ committed, lag, at }: Extract<Measured, { kind: 'read' }>): Figure => ({
  tx: committed,
  lag,
  at,
})
