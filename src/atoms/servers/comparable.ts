import { defaultDatabase, systemDatabase } from '~/lib/constants'
import type { Member, ReplicaGroup } from './replicas'
import type { Standing } from './standing'

/** A database whose history at least two servers hold. */
export type Comparable = {
  /** Its name on the primary where there are replicas. */
  database: string
  /** Servers that do not answer stand last. */
  members: readonly Member[]
}

/**
 * The databases that can be compared: those of one name on several servers, with their replicas
 * under other names, which only settings link to them.
 */
export function comparables(
  standings: readonly Standing[],
  groups: readonly ReplicaGroup[],
): readonly Comparable[] {
  const holders = new Map<string, Member[]>()
  const add = (database: string, member: Member) => {
    if (member.holding.loaded) holders.set(database, [...(holders.get(database) ?? []), member])
  }
  for (const standing of standings) {
    const { server, holdings } = standing
    for (const holding of holdings ?? []) add(holding.name, { server, holding, standing })
  }
  for (const { database, primary, candidates, replicas } of groups) {
    const isAlone = !primary && candidates.length === 0 && replicas.length < 2
    for (const replica of isAlone ? [] : replicas) {
      if (replica.holding.name !== database) add(database, replica)
    }
  }
  const isSilent = ({ standing }: Member) => Number(standing.kind === 'silent')
  return [...holders]
    .filter(([, members]) => members.length > 1)
    .map(([database, members]) => ({
      database,
      members: members.sort((one, other) => isSilent(one) - isSilent(other)),
    }))
}

/** What to compare first: a database that has replicas, or one that is not there from the start. */
export function firstOf(all: readonly Comparable[]): Comparable | undefined {
  const isMade = ({ database }: Comparable) =>
    database !== defaultDatabase && database !== systemDatabase
  const isCopied = ({ members }: Comparable) => members.some(({ holding }) => holding.primary)
  return all.find(isCopied) ?? all.find(isMade) ?? all[0]
}

/** What a server is called where one of its databases is compared under another name. */
export function comparedName({ server, holding }: Member, database: string): string {
  return holding.name === database ? server.name : `${server.name} (${holding.name})`
}
