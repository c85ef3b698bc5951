import { atom } from 'jotai'
import type { Io } from '~/core/act'

/** A file that was dropped where no screen takes one. */
export type DroppedFile = Pick<File, 'name' | 'size' | 'slice' | 'arrayBuffer' | 'text'>

const waitingAtom = atom<DroppedFile | null>(null)

/** A file with states that waits to be compared on Verify, or null. */
export const droppedStatesAtom = atom((get) => get(waitingAtom))

export function putDroppedStates({ set }: Io, file: DroppedFile): void {
  set(waitingAtom, file)
}

/** Takes the file that waits. */
export function takeDroppedStates({ get, set }: Io): DroppedFile | null {
  const file = get(waitingAtom)
  set(waitingAtom, null)
  return file
}
