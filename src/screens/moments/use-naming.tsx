import { useState } from 'react'
import { loadOrReload } from '~/ui/lazy-with-retry'
import { showToast } from '~/ui/toast'

const load = () => import('./MomentPart').then((part) => part.MomentPart)

/** Opens the dialog that names a transaction of the open database. */
export function useNaming() {
  const [tx, setTx] = useState<string | null>(null)
  const [Part, setPart] = useState<Awaited<ReturnType<typeof load>> | null>(null)
  const open = (of: string) => {
    setTx(of)
    loadOrReload(load).then(
      (found) => setPart(() => found),
      () => showToast({ kind: 'error', text: 'The form for a name could not be loaded.' }),
    )
  }
  const dialog = Part && tx !== null && <Part naming={tx} onClose={() => setTx(null)} />
  return { open, dialog }
}
