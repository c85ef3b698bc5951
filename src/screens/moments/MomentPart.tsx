import { AsOfDialog, type AsOfDialogProps } from './AsOfDialog'
import { NamedMoments, type NamedMomentsProps } from './NamedMoments'

/** The choice of a moment, or the list of named ones: one script, because both need those. */
export function MomentPart(props: AsOfDialogProps | NamedMomentsProps) {
  return 'wordsOf' in props ? <NamedMoments {...props} /> : <AsOfDialog {...props} />
}
