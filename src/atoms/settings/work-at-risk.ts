import { atom } from 'jotai'
import { isAnyDraftAtRiskAtom } from '../keys/drafts'
import { isDraftAtRiskAtom } from '../query/editor'
import { areRowEditsAtRiskAtom } from '../tables/edits-at-risk'

/** Whether something typed would be lost with the page. */
export const isWorkAtRiskAtom = atom(
  (get) => get(isDraftAtRiskAtom) || get(isAnyDraftAtRiskAtom) || get(areRowEditsAtRiskAtom),
)
