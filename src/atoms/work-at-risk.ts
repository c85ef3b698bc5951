import { atom } from 'jotai'
import { isDraftAtRiskAtom } from './editor'
import { isAnyDraftAtRiskAtom } from './key-drafts'

/** Whether something typed would be lost with the page. */
export const isWorkAtRiskAtom = atom((get) => get(isDraftAtRiskAtom) || get(isAnyDraftAtRiskAtom))
