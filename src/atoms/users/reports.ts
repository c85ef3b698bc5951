import { atom } from 'jotai'
import type { Grant } from '~/immudb/privileges'

/** What a change of a user led to, kept until it is put aside. */
export type UserReport = {
  readonly id: number
  readonly user: string
  /** What was done. */
  readonly text: string
  /** What the operator should know about it. */
  readonly lines: readonly string[]
  readonly isWarning: boolean
  /** Live tokens may be left, which only a new password ends for sure. */
  readonly offersPassword: boolean
  /** Privileges that are gone and can be given back. */
  readonly lost: readonly Grant[]
}

const allReportsAtom = atom<readonly UserReport[]>([])

export const userReportsAtom = atom((get) => get(allReportsAtom))

const countAtom = atom(0)

/** Adds a report; an older one about the same user that is only good news makes room for it. */
export const addReportAtom = atom(null, (get, set, report: Omit<UserReport, 'id'>) => {
  const id = get(countAtom) + 1
  set(countAtom, id)
  const kept = get(allReportsAtom).filter(
    ({ user, isWarning }) => isWarning || user !== report.user,
  )
  set(allReportsAtom, [{ ...report, id }, ...kept])
})

export const dismissReportAtom = atom(null, (get, set, id: number) =>
  set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.id !== id),
  ),
)

/** Puts aside everything that was reported about a user. */
export const dismissReportsAtom = atom(null, (get, set, user: string) =>
  set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.user !== user),
  ),
)

/** A new password has ended all sessions, so no warning about them is left. */
export const settleSessionsAtom = atom(null, (get, set, user: string) =>
  set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.user !== user || !report.offersPassword),
  ),
)
