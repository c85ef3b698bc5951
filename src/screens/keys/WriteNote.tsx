import { useAtomValue } from 'jotai'
import type { SaveState } from '~/atoms/keys/key-write'
import { databaseAtom } from '~/core/session/session'
import { WriteNote as PlainNote, SlowNote } from '~/ui/WriteNote'

type Props = {
  state: SaveState
  what: 'save' | 'delete'
  onCheck: () => void
}

/** Where a write stands when it is neither idle nor done; nothing in all other cases. */
export function WriteNote({ state, what, onCheck }: Props) {
  const database = useAtomValue(databaseAtom) ?? ''
  if (state.kind === 'sending') return <SlowNote state={state} />
  const done = what === 'save' ? 'stored' : 'deleted'
  return (
    <PlainNote
      database={database}
      notDone={`Nothing was ${done}.`}
      notKnown={`this was ${done}`}
      onCheck={onCheck}
      state={state}
    />
  )
}
