import type { Said } from '~/atoms/users/writes'
import { showToast } from '~/ui/toast'
import { type DialogWrite, useWrite } from '~/ui/use-write'

export type UserWrite = DialogWrite<Said>

/** A write about a user, which says what was done unless a report does. */
export function useUserWrite(onDone: () => void): UserWrite {
  return useWrite<Said>((said) => {
    if (said !== null) showToast({ kind: 'success', text: said })
    onDone()
  })
}
