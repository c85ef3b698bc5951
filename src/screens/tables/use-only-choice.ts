import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useAct } from '~/core/act'
import { noteOnlyOpened, wasOnlyOpenedAtom } from '~/core/storage/only-opened'

// Outside React: the address, and use of the page.

type Choice = {
  kind: 'tables' | 'collections'
  /** All there are; undefined before they are known. */
  names: readonly string[] | undefined
  /** The address names something else to show, or there is something to go on with. */
  isTaken: boolean
  open: (name: string) => void
}

/**
 * Opens the only one of a list where nothing else is to be shown: it needs no choice. Once for a
 * database and tab, so that whoever closes it finds it closed; only when a screen is opened, not when
 * the first one is made while it is looked at; and never away from what someone has begun to do.
 */
export function useOnlyChoice({ kind, names, isTaken, open }: Choice) {
  const isDecided = useRef(false)
  const wasOpened = useAtomValue(wasOnlyOpenedAtom)(kind)
  const note = useAct(noteOnlyOpened)
  const decide = useEffectEvent((known: readonly string[]) => {
    if (isDecided.current) return
    isDecided.current = true
    const [only] = known
    if (isTaken || wasOpened || known.length !== 1 || only === undefined) return
    note(kind)
    open(only)
  })
  useEffect(() => {
    if (names) decide(names)
  }, [names])
  useEffect(() => {
    const begin = () => {
      isDecided.current = true
    }
    const uses = ['pointerdown', 'keydown'] as const
    for (const use of uses) window.addEventListener(use, begin, { capture: true, once: true })
    return () => {
      for (const use of uses) window.removeEventListener(use, begin, { capture: true })
    }
  }, [])
}
