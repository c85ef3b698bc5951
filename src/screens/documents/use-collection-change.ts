import { useSetAtom } from 'jotai'
import { useRef } from 'react'
import type { CollectionChange } from '~/api/collections'
import { changeCollectionAtom, checkCollectionAtom } from '~/atoms/documents/collection-writes'
import { useWrite } from '~/ui/use-write'

/** Sends a change of a collection once, hands on what was done, and checks one without an answer. */
export function useCollectionChange(onDone: (text: string) => void) {
  const change = useSetAtom(changeCollectionAtom)
  const check = useSetAtom(checkCollectionAtom)
  const sent = useRef<CollectionChange | null>(null)
  const { state, isBusy, ...write } = useWrite<string>(onDone)
  return {
    isBusy,
    /** What is shown of it, and how to look what became of it. */
    shown: {
      state,
      onCheck: () => {
        const wanted = sent.current
        if (wanted) void write.check(() => check(wanted))
      },
    },
    start: (wanted: CollectionChange) => {
      sent.current = wanted
      void write.start(() => change(wanted))
    },
  }
}
