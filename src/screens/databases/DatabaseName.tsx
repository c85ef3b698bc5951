import { codePoints, isUnusualName } from '~/lib/database-name'
import { mixedScriptsNote } from '~/lib/mixed-scripts'
import { visibleText } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { SafeText } from '~/ui/SafeText'

/** A name, marked when it has letters that can look like others. */
export function DatabaseName({ name }: { name: string }) {
  const note = mixedScriptsNote(name)
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="truncate" title={visibleText(name)}>
        <SafeText text={name} />
      </span>
      {isUnusualName(name) && (
        <Badge title={[note, codePoints(name)].filter(Boolean).join(' ')} tone="warning">
          {note ? 'mixed scripts' : 'not a–z'}
        </Badge>
      )}
    </span>
  )
}
