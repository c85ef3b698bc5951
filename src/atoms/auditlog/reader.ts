import { atom } from 'jotai'
import { systemDatabase } from '~/lib/constants'
import { levelOnAtom } from '../users/viewer'

/** Whether the user may read `systemdb`, where the audit log is. */
export const isAuditReaderAtom = atom((get) => get(levelOnAtom)(systemDatabase) > 0)
