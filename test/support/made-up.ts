import { databaseIdAtom } from '~/core/session/session'
import { writeEvidence } from '~/proof/evidence'
import type { TrustedState } from '~/proof/kernel/context'
import { verify } from '~/proof/kernel/verify'
import { about } from './evidence'
import { type ProvingServer, tabOf } from './proving-server'
import type { RowServer } from './row-server'

/** A file of a transaction with a right proof from a point, as nobody but its maker has seen it. */
export async function madeUp(
  server: ProvingServer,
  tx: string,
  trusted: TrustedState,
  report?: unknown,
): Promise<string> {
  const path = `/api/db/verifiable/tx/${tx}?proveSinceTx=${trusted.txId}`
  const response: unknown = await (await server.fetch(path)).json()
  const asked = { context: { db: 'db', trusted, publicKey: null }, request: { tx }, response }
  const verified = await verify('tx', asked.context, asked.request, response)
  const outcome = { kind: 'ok', verified } as const
  const { origin } = tabOf(server).get(databaseIdAtom)('db')
  return writeEvidence(
    { kind: 'tx', what: `transaction ${tx}`, ...asked, at: 0, outcome },
    { ...about, server: { uuid: server.uuid, origin }, report },
  )
}

/** The same of row 1 as a transaction left it, with the names that the server gives it by now. */
export async function madeUpRow(
  server: RowServer,
  tx: number,
  trusted: TrustedState | null,
): Promise<string> {
  const sqlGetRequest = { table: 't', pkValues: [{ n: '1' }], atTx: String(tx) }
  const body = JSON.stringify({ sqlGetRequest, proveSinceTx: trusted?.txId ?? '0' })
  const response: unknown = await (
    await server.answer('/api/db/verifiable/sqlget', { body })
  ).json()
  const context = { db: 'db', trusted, publicKey: null, schema: server.schema }
  const asked = { context, request: { sqlGetRequest }, response }
  const verified = await verify('row', context, asked.request, response)
  const { origin } = tabOf(server).get(databaseIdAtom)('db')
  return writeEvidence(
    { kind: 'row', what: 'row 1', ...asked, at: 0, outcome: { kind: 'ok', verified } },
    { ...about, server: { uuid: server.uuid, origin } },
  )
}
