import { atom } from 'jotai'

/** Why this browser cannot store anything, shown once; null while storage works. */
export const noticeAtom = atom<'unavailable' | 'full' | null>(null)
