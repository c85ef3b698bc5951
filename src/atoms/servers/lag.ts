import { atom } from 'jotai'
import { type Member, memberKey, type ReplicaGroup } from './replicas'

/**
 * One look at the databases of a server. `from` and `to` count what this page asked and was
 * answered, so that they tell which of two looks came first whatever the clocks say.
 */
export type Look = {
  readonly from: number
  readonly to: number
  /** The newest transaction of each database that told one. */
  readonly txIds: ReadonlyMap<string, string>
}

/** The looks of one round, by the ids of servers. */
export type Round = ReadonlyMap<string, readonly Look[]>

/**
 * How many transactions a replica lacks: certainly `least`, because the primary had them before the
 * replica was asked; `most` with what came while it was asked. A negative `most` is a finding: asked
 * later, the primary still lacked them. Null where it was not asked afterwards.
 */
export type Lag = { readonly least: bigint; readonly most: bigint | null }

/** What a server said of a database in a round, and how far a replica is behind there. */
export type Figure = {
  readonly tx: string
  readonly lag: Lag | null
  /** When the round ended, in milliseconds since 1970. */
  readonly at: number
}

/** By `memberKey`. */
export type Figures = ReadonlyMap<string, Figure>

/** The last round of each group. */
export const comparedAtom = atom<Figures>(new Map<string, Figure>())

/** Compares what the members of groups said within one round, and nothing else. */
export function compareRound(groups: readonly ReplicaGroup[], round: Round, at: number): Figures {
  const figures = new Map<string, Figure>()
  for (const { primary, replicas } of groups) {
    const of = primary ? looksAt(primary, round) : []
    const last = of.at(-1)
    if (primary && last) figures.set(memberKey(primary), { tx: last.tx, lag: null, at })
    for (const replica of replicas) {
      const look = looksAt(replica, round).at(-1)
      if (look) figures.set(memberKey(replica), { tx: look.tx, lag: lagBetween(of, look), at })
    }
  }
  return figures
}

type Seen = { from: number; to: number; tx: string }

function looksAt({ server, holding }: Member, round: Round): Seen[] {
  return (round.get(server.id) ?? []).flatMap(({ from, to, txIds }) => {
    const tx = txIds.get(holding.name)
    return tx === undefined ? [] : [{ from, to, tx }]
  })
}

/** The lag of a replica by what its primary said before and after; null where neither tells any. */
export function lagBetween(primary: readonly Seen[], replica: Seen): Lag | null {
  const own = BigInt(replica.tx)
  const missing = (looks: readonly Seen[]) => looks.map(({ tx }) => BigInt(tx) - own)
  const before = missing(primary.filter(({ to }) => to <= replica.from))
  const after = missing(primary.filter(({ from }) => from >= replica.to))
  let least = 0n
  for (const lag of before) if (lag > least) least = lag
  let most: bigint | null = null
  for (const lag of after) if (most === null || lag < most) most = lag
  if (most === null) return least > 0n ? { least, most } : null
  // Histories only grow, unless a database was made again in between.
  return least > most && most >= 0n ? { least: most, most } : { least, most }
}

export const isSameLag = (one: Lag | null, other: Lag | null) =>
  one?.least === other?.least && one?.most === other?.most

/** Whether a replica has transactions that its primary does not have. */
export const isAhead = (lag: Lag | null) => lag !== null && lag.most !== null && lag.most < 0n

/** The replica of a server that differs most from its primary, either way; null: nothing is known. */
export function worstLag(
  serverId: string,
  groups: readonly ReplicaGroup[],
  figures: Figures,
): Lag | null {
  return groups
    .flatMap(({ replicas }) => replicas.filter(({ server }) => server.id === serverId))
    .map((replica) => figures.get(memberKey(replica))?.lag ?? null)
    .reduce((worst, lag) => {
      if (lag === null) return worst
      return worst === null || weight(lag) > weight(worst) ? lag : worst
    }, null)
}

/** One that is ahead weighs more than any that is behind. */
function weight(lag: Lag): bigint {
  if (lag.most !== null && lag.most < 0n) return (1n << 64n) - lag.most
  return lag.most ?? lag.least
}
