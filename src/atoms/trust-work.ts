import type { Getter } from 'jotai'
import { readVerifiableTx } from '~/api/proof'
import type { TrustedPoint } from '~/proof/context'
import { clientAtom, ensureDatabaseToken } from './client'
import { sentence } from './failure'
import { verifyApart } from './proof-worker'
import { databaseAtom } from './session'
import {
  type Comparison,
  type Decision,
  pointIdAtom,
  recordsVersionAtom,
  setTrustAtom,
  type Trust,
  trustsAtom,
} from './trust'
import { checkTrust, type Io, trustOf } from './trust-check'
import { base64Of, hexOf, type PointId, type TrustRecord } from './trust-record'
import { type LogLine, trustedPointsAtom } from './trusted-points'

export type Records = {
  records: readonly TrustRecord[]
  log: readonly LogLine[]
  /** Pinned keys by `origin` and `server`, as JSON of the two. */
  keys: ReadonlyMap<string, string>
  isKept: boolean
}

export async function listRecords(get: Getter): Promise<Records> {
  const points = get(trustedPointsAtom)
  const [records, log, isKept] = await Promise.all([points.all(), points.log(), points.isKept()])
  const keys = new Map<string, string>()
  for (const { origin, server } of [get(pointIdAtom)(''), ...records.map(({ id }) => id)]) {
    const key = await points.pinnedKey(origin, server)
    if (key !== null) keys.set(JSON.stringify([origin, server]), key)
  }
  return { records, log, keys, isKept }
}

const changed = ({ set }: Io) => set(recordsVersionAtom, (version) => version + 1)

export async function forgetPoint(io: Io, id: PointId, reason: string): Promise<void> {
  await io.get(trustedPointsAtom).forget(id, reason)
  changed(io)
  const here = io.get(pointIdAtom)(id.database)
  if (here.origin !== id.origin || here.server !== id.server) return
  if (io.get(trustsAtom).has(id.database)) {
    io.set(setTrustAtom, id.database, { kind: 'unchecked', why: null })
  }
}

export async function pinKey(
  io: Io,
  { origin, server }: Pick<PointId, 'origin' | 'server'>,
  publicKey: string | null,
): Promise<void> {
  await io.get(trustedPointsAtom).pinKey(origin, server, publicKey)
  changed(io)
}

export async function acceptServer(io: Io, reason: string): Promise<Trust> {
  const database = io.get(databaseAtom) ?? ''
  const { origin, server } = io.get(pointIdAtom)(database)
  await io.get(trustedPointsAtom).acceptServer(origin, server, reason)
  changed(io)
  return checkTrust(io, database)
}

export async function acknowledge(io: Io, decision: Decision, reason: string): Promise<Trust> {
  const database = io.get(databaseAtom) ?? ''
  const points = io.get(trustedPointsAtom)
  const id = io.get(pointIdAtom)(database)
  if (decision === 'forget') await forgetPoint(io, id, reason)
  if (decision !== 'keep') return checkTrust(io, database, { isForced: true })
  const record = await points.acknowledge(id, reason)
  const now = io.get(trustsAtom).get(database) ?? { kind: 'unchecked', why: null }
  const broken = now.kind === 'broken' ? { ...now.broken, acknowledgedAt: Date.now() } : null
  const trust: Trust = record?.break
    ? trustOf(record)
    : broken
      ? { kind: 'broken', record, broken }
      : now
  io.set(setTrustAtom, database, trust)
  return trust
}

export async function importPoint(io: Io, id: PointId, point: TrustedPoint): Promise<Comparison> {
  const points = io.get(trustedPointsAtom)
  if (!(await points.read(id))) {
    await points.import(id, point)
    changed(io)
    await checkTrust(io, id.database)
    return { kind: 'taken' }
  }
  const trust = await checkTrust(io, id.database)
  const known = (await points.read(id))?.point
  if (!known || trust.kind === 'unchecked') {
    return { kind: 'unknown', why: trust.kind === 'unchecked' ? (trust.why ?? '') : '' }
  }
  if (BigInt(known.txId) < BigInt(point.txId)) return { kind: 'ahead', newest: known.txId }
  try {
    return compared(point, await hashAt(io, id, known, point.txId))
  } catch (error) {
    return { kind: 'unknown', why: sentence(error) }
  }
}

/** The proven hash of a transaction up to the trusted one. */
async function hashAt(
  io: Io,
  { database, origin, server }: PointId,
  trusted: TrustedPoint,
  tx: string,
): Promise<string> {
  if (tx === trusted.txId) return trusted.txHash
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const asked = { database, tx, since: trusted.txId, entries: 'none' } as const
  const response = await readVerifiableTx(client, asked)
  const publicKey = await io.get(trustedPointsAtom).pinnedKey(origin, server)
  const { facts } = await verifyApart('tx', { db: database, trusted, publicKey }, { tx }, response)
  return base64Of(facts.alh)
}

function compared({ txId, txHash }: TrustedPoint, found: string): Comparison {
  if (txHash === found) return { kind: 'agrees' }
  return { kind: 'differs', txId, expected: hexOf(txHash), received: hexOf(found) }
}
