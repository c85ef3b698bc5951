import type { Io } from '~/core/act'
import type { SentTx } from '~/core/upload'
import type { WritePlace, WritePlan } from '~/core/write'
import type { Write } from '~/lib/write-state'
import { verifyWrite } from './receipts'
import { uncomparedWrite } from './sent'
import { runWrite } from './write'

/** The `write` of an upload: refused where the history of its database is broken. */
export function writeUpload(
  io: Io,
  place: WritePlace<Write<SentTx>>,
  plan: WritePlan<SentTx> & { database: string },
) {
  return runWrite<SentTx>(io, place, plan)
}

/** Verifies the last transaction of an upload in the background, as its receipt shows it. */
export function verifyUpload(io: Io, database: string, tx: string | undefined): void {
  if (tx === undefined) return
  const write = { database, tx, txBefore: '0' }
  void verifyWrite(io, { ...write, of: 'import', questions: uncomparedWrite(write) })
}
