import type { ReactNode } from 'react'
import { cx } from '~/ui/cx'
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

type ItemProps = Props & {
  name: string
  /** What stands behind the name. */
  children: ReactNode
}

/** A field or index in its list: marked with what was done, and with the focus, if it was just made. */
export function ChangedItem({ done, name, onClose, children }: ItemProps) {
  const made = done?.made === name ? done : null
  return (
    <li
      className={cx(
        'flex min-h-10 flex-wrap items-center gap-x-3 px-3 py-1',
        made && 'bg-success-tint',
      )}
    >
      <span
        className="min-w-0 grow basis-40 font-mono [overflow-wrap:anywhere]"
        {...(made?.takesFocus && { ref: focusOnce(made), tabIndex: -1 })}
      >
        <SafeName text={name} />
      </span>
      {children}
      {made && (
        <div className="w-full pb-1">
          <Note done={made} onClose={onClose} />
        </div>
      )}
    </li>
  )
}

function Note({ done, onClose }: { done: Changed; onClose: () => void }) {
  return (
    <ResultNote isDone onClose={onClose}>
      <SafeText text={done.text} />
    </ResultNote>
  )
}
