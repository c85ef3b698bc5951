import { useAtomValue, useSetAtom } from 'jotai'
import { draftAtom, isDraftChangedAtom, wantsFormFocusAtom } from '~/atoms/keys/drafts'
import { draftKeyValue, draftNewKey, dropDraft } from '~/atoms/keys/edit-draft'
import type { KeyState } from '~/atoms/keys/key-state'
import { resetSave, saveStateAtom } from '~/atoms/keys/key-write'
import { useAct } from '~/core/act'
import { isBusy } from '~/lib/write-state'
import { useKeysAddress } from './address'

const beingSaved = 'A value is being saved.'

/** Begins and ends the writing of values; one at a time in each database. */
export function useDrafts() {
  const { go } = useKeysAddress()
  const draft = useAtomValue(draftAtom)
  const isChanged = useAtomValue(isDraftChangedAtom)
  const state = useAtomValue(saveStateAtom)
  const isSaving = isBusy(state)
  const reset = useAct(resetSave)
  const draftNew = useAct(draftNewKey)
  const draftValue = useAct(draftKeyValue)
  const drop = useAct(dropDraft)
  const wantFocus = useSetAtom(wantsFormFocusAtom)
  return {
    draft,
    /** Why no other value can be written now; `key` is the one it would be for, null a new one. */
    reasonAgainst: (key: string | null) => {
      if (isSaving) return beingSaved
      if (draft === null || draft.key === key) return undefined
      if (state.kind === 'unknown') return 'Check first what became of the value that you sent.'
      return isChanged ? 'First save or discard the value that you are writing.' : undefined
    },
    startNew: () => {
      if (draft?.key !== null || !isChanged) {
        reset()
        draftNew()
      }
      wantFocus(true)
      go({ key: null, revision: '' })
    },
    startValue: (key: string, state: KeyState) => {
      reset()
      draftValue(key, state)
      wantFocus(true)
      go({ key, revision: '' })
    },
    reasonAgainstDiscard: isSaving ? beingSaved : undefined,
    /** Goes back to a value that was begun before. */
    resume: () => {
      if (!draft) return
      wantFocus(true)
      go({ key: draft.key, revision: '' })
    },
    discard: () => {
      reset()
      drop()
      focusPane()
    },
  }
}

/** The form that had the focus is gone; what takes its place has it, or the list on a phone. */
export function focusPane(): void {
  requestAnimationFrame(() =>
    (document.getElementById('open-key') ?? document.getElementById('content'))?.focus(),
  )
}
