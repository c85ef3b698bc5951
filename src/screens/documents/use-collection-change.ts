import { useRef } from 'react'
import type { CollectionChange } from '~/api/collections'
import { changeCollection, checkCollection } from '~/atoms/documents/collection-writes'
import { useAct } from '~/core/act'
import { useWrite } from '~/ui/use-write'

/** Sends a change of a collection once, hands on what was done, and checks one without an answer. */
export function useCollectionChange(onDone: (text: string) => void) {
  const change = useAct(changeCollection)
  const check = useAct(checkCollection)
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
