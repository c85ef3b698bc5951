import type { Client } from './client'
import { header, type Precondition, type TxHeader, wirePrecondition } from './keys'
import { wireScore } from './sorted-sets'

/** One part of a transaction; keys, sets and values are standard base64. */
export type Operation =
  /** `expiresAt`: seconds since 1970. */
  | { kind: 'set'; key: string; value: string; expiresAt: string | null }
  /** `atTx`: the transaction whose value it shows for ever; null for the newest value. */
  | { kind: 'reference'; key: string; target: string; atTx: string | null }
  | { kind: 'zadd'; set: string; score: number; key: string; atTx: string | null }

/** What must be true of a key. */
export type KeyCondition = { key: string; precondition: Precondition }

/**
 * The body of `POST /db/execall`. Keys are set first, because the server lets an operation refer to
 * keys that those before it set. It ignores a field that it does not know.
 */
export function execAllBody(
  operations: readonly Operation[],
  conditions: readonly KeyCondition[],
): object {
  return {
    Operations: [
      ...operations.filter(({ kind }) => kind === 'set'),
      ...operations.filter(({ kind }) => kind !== 'set'),
    ].map(wireOperation),
    preconditions: conditions.map(({ key, precondition }) => wirePrecondition(key, precondition)),
  }
}

function wireOperation(of: Operation): object {
  if (of.kind === 'set') {
    const { key, value, expiresAt } = of
    const metadata = expiresAt === null ? {} : { metadata: { expiration: { expiresAt } } }
    return { kv: { key, value, ...metadata } }
  }
  const bound = of.atTx === null ? {} : { atTx: of.atTx, boundRef: true }
  if (of.kind === 'reference') return { ref: { key: of.key, referencedKey: of.target, ...bound } }
  return { zAdd: { set: of.set, score: wireScore(of.score), key: of.key, ...bound } }
}

/**
 * `POST /db/execall`: all operations in one transaction, or none. The console never sends it twice.
 */
export function execAll(
  client: Client,
  request: { database: string; body: object },
): Promise<TxHeader> {
  const { database, body } = request
  return client.call(header, { method: 'POST', path: '/db/execall', body, database })
}
