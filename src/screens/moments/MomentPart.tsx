import { AsOfDialog, type AsOfDialogProps } from './AsOfDialog'
import { NamedMoments, type NamedMomentsProps } from './NamedMoments'
import { NameDialog, type NameMomentProps } from './NameMoment'
import { PastTables, type PastTablesProps } from './PastTables'
import { TableRules, type TableRulesProps } from './TableRules'

type Props =
  | AsOfDialogProps
  | NameMomentProps
  | NamedMomentsProps
  | PastTablesProps
  | TableRulesProps

/**
 * The choice of a moment, the list of named ones, the tables as of one, or what only the history
 * tells of a table: one script, because all of them are needed only when someone looks at the past.
 */
export function MomentPart(props: Props) {
  if ('naming' in props) return <NameDialog {...props} />
  if ('rules' in props) return <TableRules {...props} />
  if ('children' in props) return <PastTables {...props} />
  return 'wordsOf' in props ? <NamedMoments {...props} /> : <AsOfDialog {...props} />
}
