import type { Io } from '~/core/act'
import { trustedStatesAtom as trustedPointsAtom } from '../trusted-states'
import type { AuditReport } from './audit-record'
import type { Renumbered } from './collections'
import { setDeepAudit } from './deep-audit'
import { findRecord, keepRecord } from './store'

const forgotten =
  'The trusted state of this audit has since been forgotten. Its report says nothing about the present history.'
const notKept = 'The new number could not be saved in this browser. Nothing was accepted.'

/**
 * Pins the number that an audit found for a collection, because the operator knows why it changed.
 * Resolves with null, or a sentence about why that is not possible.
 */
export async function acceptCollection(
  io: Io,
  report: AuditReport,
  wanted: Renumbered,
): Promise<string | null> {
  const { id, contact } = report
  const { name, found } = wanted
  const seen = { id, firstContact: contact }
  try {
    const isPinned = await io.get(trustedPointsAtom).pinCollection(seen, name, found)
    if (!isPinned) return forgotten
  } catch {
    return notKept
  }
  const collections = (report.collections ?? []).map((one) =>
    one.name === name && one.found === found ? ({ ...one, isAccepted: true } as const) : one,
  )
  const accepted = { ...report, collections }
  setDeepAudit(io, id, { report: accepted })
  const { trust, record } = await findRecord(io, id)
  if (trust && record.report?.finishedAt === report.finishedAt) {
    // If this cannot be saved, the screen only reports an accepted number again.
    await keepRecord(io, trust, { ...record, report: accepted }).catch(() => {})
  }
  return null
}
