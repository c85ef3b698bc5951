import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { unanswered, type WritePlace } from '~/core/write'
import { idle, isBusy, type Write } from '~/lib/write-state'
import { changeEdits, editsOfAtom } from './edits'
import { type Place, placeName } from './edits-stored'

/** What became of the edits that were committed together. */
export type CommitReceipt = {
  /** Null when a check found the rows as staged: what wrote them is not known then. */
  readonly tx: string | null
  /** What was committed, as a sentence. */
  readonly text: string
  /** Why it may be stored more than once, or otherwise than it was sent; null when nothing says so. */
  readonly warning: string | null
}

export type CommitState = Write<CommitReceipt>

const statesAtom = atom<ReadonlyMap<string, CommitState>>(new Map<string, CommitState>())

/** The state of the present or last commit of a table's edits. */
export const commitStateAtom = atom((get) => {
  const states = get(statesAtom)
  const edits = get(editsOfAtom)
  return (place: Place): CommitState => {
    const state = states.get(placeName(place)) ?? idle
    // It was sent before the page was loaded again, and the answer went to the page of before.
    return state.kind === 'idle' && edits(place).sent ? lost : state
  }
})

const lost = unanswered('it', 'the page was left')

/** Where the write of a table's edits keeps how far it is. */
export function commitPlace({ get, set }: Io, place: Place): WritePlace<CommitState> {
  return {
    read: () => get(commitStateAtom)(place),
    tell: (state) => set(statesAtom, new Map(get(statesAtom)).set(placeName(place), state)),
  }
}

/** Forgets the last commit of a table's edits before the next one. */
export function forgetCommit(io: Io, place: Place) {
  const { read, tell } = commitPlace(io, place)
  if (isBusy(read())) return
  tell(idle)
  if (io.get(editsOfAtom)(place).sent) changeEdits(io, place, { sent: null })
}
