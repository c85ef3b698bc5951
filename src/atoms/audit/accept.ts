import { atom } from 'jotai'
import { trustedStatesAtom as trustedPointsAtom } from '../trust/trusted-states'
import type { Renumbered } from './collections'
import { setDeepAuditAtom } from './deep-audit'
import type { AuditReport } from './record'
import { findRecord, keepRecord } from './store'

const forgotten =
  'The trusted state that this audit ended at was forgotten since. Of the history that is followed now its report says nothing.'
const notKept = 'The new number could not be kept in this browser. Nothing was accepted.'

/**
 * Pins the number that an audit found of a collection, because the operator knows why it changed;
 * resolves with why that cannot be, as a sentence, or null.
 */
export const acceptCollectionAtom = atom(
  null,
  async (get, set, report: AuditReport, wanted: Renumbered): Promise<string | null> => {
    const { id, contact } = report
    const { name, found } = wanted
    const seen = { id, firstContact: contact }
    try {
      const isPinned = await get(trustedPointsAtom).pinCollection(seen, name, found)
      if (!isPinned) return forgotten
    } catch {
      return notKept
    }
    const collections = (report.collections ?? []).map((one) =>
      one.name === name && one.found === found ? ({ ...one, isAccepted: true } as const) : one,
    )
    const accepted = { ...report, collections }
    set(setDeepAuditAtom, id, { report: accepted })
    const { trust, record } = await findRecord({ get, set }, id)
    if (trust && record.report?.finishedAt === report.finishedAt) {
      // If it cannot be kept it is only told again, of a number that is accepted.
      await keepRecord({ get, set }, trust, { ...record, report: accepted }).catch(() => {})
    }
    return null
  },
)
