import type { Said } from '~/atoms/users/writes'
import { showToast } from '~/ui/toast'
import { useWrite } from '~/ui/use-write'
import type { WriteNoteProps } from '~/ui/WriteNote'

/** A write about a user, which says what was done unless a report does. */
export function useUserWrite(onDone: () => void) {
  const write = useWrite<Said>((said) => {
    if (said !== null) showToast({ kind: 'success', text: said })
    onDone()
  })
  return {
    ...write,
    /** How to show it; `check` reads what became of one without an answer, as a sentence. */
    shown: (notDone: string, check: () => Promise<string>): WriteNoteProps => ({
      state: write.state,
      notDone,
      onCheck: () => void write.check(check),
    }),
  }
}
