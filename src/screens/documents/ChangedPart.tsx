import { focusOnce } from '~/ui/focus-once'
import { ResultNote } from '~/ui/ResultNote'
import { SafeName, SafeText } from '~/ui/SafeText'

/** The last change of the fields or of the indexes of a collection. */
export type Changed = {
  /** The name of the field or index that was made; null when one was removed. */
  readonly made: string | null
  /** What was done. */
  readonly text: string
  /** False where the next one is typed at once. */
  readonly takesFocus: boolean
}

type Props = { done: Changed | null; onClose: () => void }

/** What was done, above the list as long as the list does not have what came of it. */
export function ChangedNote({ done, names, onClose }: Props & { names: readonly string[] }) {
  if (done === null || (done.made !== null && names.includes(done.made))) return null
  const hasFocus = done.made === null && done.takesFocus
  return (
    <div ref={hasFocus ? focusOnce(done) : null} tabIndex={-1}>
      <Note done={done} onClose={onClose} />
    </div>
  )
}

/** The name in its line, which has the focus when it was just made. */
export function ChangedName({ done, name }: { done: Changed | null; name: string }) {
  const takes = done?.made === name && done.takesFocus
  return (
    <span
      className="min-w-0 grow basis-40 font-mono [overflow-wrap:anywhere]"
      {...(takes && { ref: focusOnce(done), tabIndex: -1 })}
    >
      <SafeName text={name} />
    </span>
  )
}

/** What was done, in the line that came of it. */
export function ChangedLine({ done, name, onClose }: Props & { name: string }) {
  if (done?.made !== name) return null
  return (
    <div className="w-full pb-1">
      <Note done={done} onClose={onClose} />
    </div>
  )
}

function Note({ done, onClose }: { done: Changed; onClose: () => void }) {
  return (
    <ResultNote isDone onClose={onClose}>
      <SafeText text={done.text} />
    </ResultNote>
  )
}
