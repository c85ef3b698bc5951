import { useAtomValue, useSetAtom } from 'jotai'
import {
  draftAtom,
  draftNewAtom,
  draftValueAtom,
  dropDraftAtom,
  isDraftChangedAtom,
} from '~/atoms/key-draft'
import type { KeyState } from '~/atoms/key-state'
import { resetWritesAtom, saveStateAtom } from '~/atoms/key-write'
import { useKeysAddress } from './address'

/** Begins and ends the writing of values; only one is written at a time. */
export function useDrafts() {
  const { go } = useKeysAddress()
  const draft = useAtomValue(draftAtom)
  const isChanged = useAtomValue(isDraftChangedAtom)
  const isWriting = useAtomValue(saveStateAtom).kind === 'writing'
  const reset = useSetAtom(resetWritesAtom)
  const draftNew = useSetAtom(draftNewAtom)
  const draftValue = useSetAtom(draftValueAtom)
  const drop = useSetAtom(dropDraftAtom)
  return {
    draft,
    /** Why no other value can be written now; `key` is the one it would be for, null a new one. */
    reasonAgainst: (key: string | null) => {
      if (isWriting) return 'A value is being saved.'
      const isOther = draft !== null && draft.key !== key
      return isOther && isChanged ? 'Save or discard the value you are writing first.' : undefined
    },
    startNew: () => {
      reset()
      if (draft?.key !== null || !isChanged) draftNew()
      go({ key: null, revision: '' })
    },
    startValue: (key: string, state: KeyState) => {
      reset()
      draftValue(key, state)
      go({ key, revision: '' })
    },
    discard: () => {
      reset()
      drop()
    },
  }
}
