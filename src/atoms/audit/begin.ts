import type { AuditNews, StartAudit } from '~/proof/audit-messages'
import { clientAtom, ensureDatabaseToken } from '../client'
import type { Io } from '../io'
import { openWorker } from '../open-worker'
import { believedOffset } from '../server-clock'
import { apiAddressAtom, sessionAtom } from '../session'
import type { TrustRecord } from '../trust/record'
import { trustedPointsAtom } from '../trust/trusted-points'
import { hear, stop, tokenOf } from './news'
import type { AuditRecord } from './record'
import { enter, type Running, runningOf, send } from './running'
import { fail } from './show'

/** Begins an audit of a trusted history in a worker, or goes on with one. */
export async function begin(
  io: Io,
  trust: TrustRecord,
  record: AuditRecord,
  from: StartAudit['from'],
  isWanted: () => boolean,
): Promise<void> {
  const { id } = trust
  const { database, server } = id
  const worker = openWorker('audit')
  if (!worker) {
    const words =
      'This browser does not let the console work in the background, which an audit needs.'
    return fail(io, id, words, record.resting?.progress ?? null)
  }
  await ensureDatabaseToken(io, io.get(clientAtom), database).catch(() => {})
  const keeping = await io.get(trustedPointsAtom).keeping()
  if (!isWanted()) return
  const session = io.get(sessionAtom)
  const audit: Running = {
    worker,
    io,
    id,
    trust,
    keeping,
    user: session?.user ?? '',
    before: record.resting?.progress.active ?? 0,
    since: Date.now(),
    last: { record, progress: null, waiting: null },
  }
  enter(audit)
  worker.addEventListener('message', ({ data }: MessageEvent<AuditNews>) => {
    if (runningOf(id) === audit) hear(audit, data)
  })
  worker.addEventListener('error', (event) => {
    if (runningOf(id) === audit) stop(audit, 'The audit broke off.', event.message ?? '')
  })
  const token = tokenOf(session, database)
  const baseURL = new URL(io.get(apiAddressAtom), location.href).href
  const clockOffset = believedOffset(io.get)
  send(audit, { kind: 'start', baseURL, database, server, token, clockOffset, from })
}
