import { createSign, generateKeyPairSync } from 'node:crypto'
import { bytesToBase64 } from '~/lib/bytes'
import { type Evidence, writeEvidence } from '~/proof/evidence'
import { forkQuestion } from '~/proof/fork-question'
import type { Context } from '~/proof/kernel/context'
import { statePayload } from '~/proof/kernel/signed-state'
import { verify } from '~/proof/kernel/verify'
import { publicKeyOfPem } from '~/proof/public-key'
import { compareHistories, readSourceState, type Source } from '~/proof/same-history'
import { about } from './evidence'
import type { History, Json } from './history'

export type Signer = { publicKey: string; sign: (db: string, history: History, tx: number) => Json }

/** A key as servers have them, to sign states with. */
export function signer(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const point = publicKeyOfPem(String(pem)) ?? ''
  return {
    publicKey: point,
    sign: (db, history, tx) => {
      const payload = statePayload(db, { txId: BigInt(tx), txHash: history.alh(tx) })
      const signature = bytesToBase64(createSign('SHA256').update(payload).sign(privateKey))
      return { signature, publicKey: point }
    },
  }
}

export type Party = {
  history: History
  name: string
  db?: string
  key?: Signer
  server?: Evidence['server']
}

export function stateOf({ history, db = 'db', key }: Party): Json {
  const tx = history.headers.length
  return { db, ...history.point(tx), ...(key ? { signature: key.sign(db, history, tx) } : {}) }
}

function sourceOf(party: Party): Source {
  return {
    db: party.db ?? 'db',
    readState: async () => stateOf(party),
    readTx: async (tx, since) => {
      const { tx: whole, ...rest } = party.history.verifiableTx(Number(tx), Number(since))
      return { tx: { header: (whole as Json).header }, ...rest }
    },
  }
}

export type Question = { context: Context; request: { tx: string }; response: Json }

/** What a comparison of two forked histories saves, before it is checked. */
export async function forkBetween(one: Party, other: Party): Promise<Question> {
  const sources = [sourceOf(one), sourceOf(other)] as const
  const states = await Promise.all(sources.map((source) => readSourceState(verify, source)))
  const [first, second] = states
  if (!first || !second || 'why' in first || 'why' in second) throw new Error('no state')
  const found = await compareHistories(verify, sources, [first, second])
  if (found.kind !== 'forked') throw new Error(`not a fork: ${JSON.stringify(found)}`)
  const names = (party: Party) => {
    const { name, server = { uuid: null, origin: `https://${name}` } } = party
    return { name, server }
  }
  const asked = forkQuestion(
    found,
    [sources[0].db, sources[1].db],
    [first, second],
    [names(one), names(other)],
  )
  return asked as unknown as Question
}

/** The file of a fork, as it is saved. */
export async function forkFile(one: Party, other: Party): Promise<string> {
  const { context, request, response } = await forkBetween(one, other)
  const verified = await verify('fork', context, request, response)
  return writeEvidence(
    {
      kind: 'fork',
      what: 'fork',
      context,
      request,
      response,
      at: 1_767_323_045_000,
      outcome: { kind: 'ok', verified },
    },
    { ...about, server: one.server ?? about.server, firstContact: null },
  )
}
