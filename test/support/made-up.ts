import { pointIdAtom } from '~/atoms/session'
import type { TrustedPoint } from '~/proof/context'
import { writeEvidence } from '~/proof/evidence'
import { verify } from '~/proof/verify'
import { about } from './evidence'
import { type ProvingServer, tabOf } from './proving-server'

/** A file of a transaction with a right proof from a point, as nobody but its maker has seen it. */
export async function madeUp(
  server: ProvingServer,
  tx: string,
  trusted: TrustedPoint,
  report?: unknown,
): Promise<string> {
  const path = `/api/db/verifiable/tx/${tx}?proveSinceTx=${trusted.txId}`
  const response: unknown = await (await server.fetch(path)).json()
  const asked = { context: { db: 'db', trusted, publicKey: null }, request: { tx }, response }
  const verified = await verify('tx', asked.context, asked.request, response)
  const outcome = { kind: 'ok', verified } as const
  const { origin } = tabOf(server).get(pointIdAtom)('db')
  return writeEvidence(
    { kind: 'tx', what: `transaction ${tx}`, ...asked, at: 0, outcome },
    { ...about, server: { uuid: server.uuid, origin }, report },
  )
}
