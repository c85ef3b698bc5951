import { AsOfDialog, type AsOfDialogProps } from './AsOfDialog'
import { NamedMoments, type NamedMomentsProps } from './NamedMoments'
import { PastTables, type PastTablesProps } from './PastTables'

/**
 * The choice of a moment, the list of named ones, or the tables as of one: one script, because all
 * of them are needed only when someone looks at the past.
 */
export function MomentPart(props: AsOfDialogProps | NamedMomentsProps | PastTablesProps) {
  if ('children' in props) return <PastTables {...props} />
  return 'wordsOf' in props ? <NamedMoments {...props} /> : <AsOfDialog {...props} />
}
