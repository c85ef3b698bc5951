import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { isSameTyped, type UnappliedForms } from '~/core/drafts'

/**
 * What is typed in a small form, and how to change it. It stays in this tab, so that a reload or a
 * log-out does not lose it, until the form is empty again: once it is sent or cancelled.
 * @param name which of the forms of its kind it is
 */
export function useKeptForm<T>(forms: UnappliedForms<T>, empty: T, ...name: readonly unknown[]) {
  const kept = useAtomValue(forms.readAtom)
  const keep = useSetAtom(forms.keepAtom)
  const [typed, setTyped] = useState(() => kept(...name) ?? empty)
  const put = (next: T) => {
    setTyped(() => next)
    keep(isSameTyped(next, empty) ? null : next, ...name)
  }
  return [typed, put] as const
}
