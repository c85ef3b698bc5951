import { atom } from 'jotai'
import type { LoadingLabel } from '~/api/client'
import type { Io } from '~/core/act'

const labelsAtom = atom<readonly LoadingLabel[]>([])

/** The calls in progress, oldest first. */
export const loadingAtom = atom((get) => get(labelsAtom).map(({ text }) => text))

/** Whether a write awaits its answer; closing the page now would lose its outcome. */
export const isWritingAtom = atom((get) => get(labelsAtom).some(({ isWrite }) => isWrite))

/** Puts a label on top. The same call may be under way twice, so labels are things, not texts. */
export function pushLoading({ get, set }: Io, label: LoadingLabel) {
  return set(labelsAtom, [...get(labelsAtom), label])
}

/** Takes this very label away, wherever it stands. */
export function popLoading({ get, set }: Io, label: LoadingLabel) {
  return set(
    labelsAtom,
    get(labelsAtom).filter((one) => one !== label),
  )
}
