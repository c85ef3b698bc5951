import { useAtomValue } from 'jotai'
import { loadingAtom } from '~/atoms/loading'
import { Progress } from '~/ui/Progress'

/** The bar along the top while the server is being asked; quick answers do not show it. */
export function Busy() {
  const labels = useAtomValue(loadingAtom)
  return <Progress active={labels.length > 0} label="Waiting for the server" />
}
