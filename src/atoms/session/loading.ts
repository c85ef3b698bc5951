import { atom } from 'jotai'
import type { LoadingLabel } from '~/api/client'

const labelsAtom = atom<readonly LoadingLabel[]>([])

/** What the server is asked for at present, the oldest first. */
export const loadingAtom = atom((get) => get(labelsAtom).map(({ text }) => text))

/** Whether the answer to a write is awaited, so that nobody would know what became of it. */
export const isWritingAtom = atom((get) => get(labelsAtom).some(({ isWrite }) => isWrite))

/** Puts a label on top. The same call may be under way twice, so labels are things, not texts. */
export const pushLoadingAtom = atom(null, (get, set, label: LoadingLabel) =>
  set(labelsAtom, [...get(labelsAtom), label]),
)

/** Takes this very label away, wherever it stands. */
export const popLoadingAtom = atom(null, (get, set, label: LoadingLabel) =>
  set(
    labelsAtom,
    get(labelsAtom).filter((one) => one !== label),
  ),
)
