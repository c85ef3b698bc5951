import * as v from 'valibot'
import type { Client } from './client'
import { wireEntry } from './entries'
import { int64, list, text } from './schemas'

const header = v.object({
  id: int64,
  ts: int64,
  nentries: v.optional(v.number(), 0),
  prevAlh: text,
  eH: text,
  blTxId: int64,
  blRoot: text,
  version: v.optional(v.number(), 0),
})

const terms = v.object({ terms: list(v.string()) })

const answer = v.object({
  entry: wireEntry,
  verifiableTx: v.object({
    tx: v.object({ header }),
    dualProof: v.object({
      sourceTxHeader: v.optional(header),
      targetTxHeader: v.optional(header),
      inclusionProof: list(v.string()),
      consistencyProof: list(v.string()),
      lastInclusionProof: list(v.string()),
      linearProof: v.optional(terms),
    }),
    signature: v.optional(v.object({ publicKey: text, signature: text })),
  }),
  inclusionProof: v.object({
    leaf: v.optional(v.number(), 0),
    width: v.optional(v.number(), 0),
    terms: list(v.string()),
  }),
})

/** An entry with what the server gives to prove it by. Nothing of it has been checked. */
export type ProofMaterial = v.InferOutput<typeof answer>

/** `POST /db/verifiable/get`; `since` is the transaction the dual proof starts from. */
export function getWithProof(
  client: Client,
  request: { database: string; key: string; revision?: string; since: string },
): Promise<ProofMaterial> {
  const { key, revision } = request
  return client.call(answer, {
    method: 'POST',
    path: '/db/verifiable/get',
    body: {
      keyRequest: { key, ...(revision === undefined ? {} : { atRevision: revision }) },
      proveSinceTx: request.since,
    },
    database: request.database,
    isRead: true,
  })
}
