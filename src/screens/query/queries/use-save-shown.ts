import { saveShownText } from '~/atoms/queries/query-saving'
import { useAct } from '~/core/act'
import { showToast } from '~/ui/toast'

/** Saves the text of the shown editor: at once where it is that of a saved query. */
export function useSaveShown(): () => void {
  const save = useAct(saveShownText)
  return () => {
    void save().then((end) => {
      if (end?.kind === 'done') showToast({ kind: 'success', text: end.text })
    })
  }
}
