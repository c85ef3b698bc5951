import { useAtomValue } from 'jotai'
import { closeScript, scriptRequestAtom } from '~/atoms/scripts/script-request'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { lazyWithRetry } from '~/ui/lazy-with-retry'

const ScriptDialog = lazyWithRetry(() => import('./ScriptDialog').then((part) => part.ScriptDialog))

/** Shows the import of a script where one is asked for. */
export function ScriptHost() {
  const request = useAtomValue(scriptRequestAtom)
  const database = useAtomValue(databaseAtom)
  const close = useAct(closeScript)
  if (request === null || database === null) return null
  return <ScriptDialog database={database} dropped={request.file} onClose={close} />
}
