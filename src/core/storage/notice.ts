import { atom } from 'jotai'
import type { StorageFailure } from './storage'

/** Why this browser cannot store something; null while it has everything. */
export const noticeAtom = atom<StorageFailure | null>(null)
