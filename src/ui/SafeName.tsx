import { mixedScriptsNote } from '~/lib/mixed-scripts'
import { Marked } from './SafeText'

/**
 * The name of a user, database, table, column or key: besides what hides, spaces that would be
 * lost and letters of several scripts are marked, since two names must never look the same.
 */
export function SafeName({ text }: { text: string }) {
  const note = mixedScriptsNote(text)
  return (
    <>
      <Marked kind="name" text={text} />
      {note && (
        <span className="chip ms-1" title={note}>
          mixed scripts
        </span>
      )}
    </>
  )
}
