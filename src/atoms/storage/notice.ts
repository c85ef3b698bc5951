import { atom } from 'jotai'

/** Why nothing can be kept in this browser, told once; null while storage works. */
export const noticeAtom = atom<'unavailable' | 'full' | null>(null)
