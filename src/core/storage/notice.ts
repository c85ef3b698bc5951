import { atom } from 'jotai'
import type { StorageFailure } from './storage'

/** Why this browser cannot store anything, shown once; null while storage works. */
export const noticeAtom = atom<StorageFailure | null>(null)
