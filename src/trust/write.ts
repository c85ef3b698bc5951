import type { Io } from '~/core/act'
import { type WritePlan as Plan, takeWrite, type WritePlace } from '~/core/write'
import type { Settled, Write } from '~/lib/write-state'
import { findWriteBlock, type WriteOf } from './write-block'

/** The parts that each writer adds. */
export type WritePlan<T, Own = never> = Plan<T, Own> & {
  /** The database whose broken history would hold the write; null for none. */
  database: string | null
  /** The content of the database, unless it says otherwise. */
  of?: WriteOf
}

/**
 * Takes a write through the states of `Write`, unless the history of its database is broken or this
 * browser only reads it: then it is refused and not sent. See `takeWrite`.
 */
export function runWrite<T, Own extends { kind: string } = never>(
  io: Io,
  place: WritePlace<Write<T> | Own>,
  { database, of = 'content', ...plan }: WritePlan<T, Own>,
): Promise<Settled<T> | Own | null> {
  const confirm = async () => {
    const held = database === null ? null : await findWriteBlock(io, database, of)
    return held ?? (await plan.confirm?.()) ?? null
  }
  return takeWrite(place, { ...plan, confirm })
}
