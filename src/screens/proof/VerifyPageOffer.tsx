import { useState } from 'react'
import { useAct } from '~/core/act'
import { fetchVerifyPage, verifyPageName } from '~/trust/verify-page'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { saveFile } from '~/ui/file'
import { DownloadIcon } from '~/ui/Icon'

/** Saves the page with which anyone can check evidence, beside the evidence. */
export function VerifyPageOffer() {
  const fetchPage = useAct(fetchVerifyPage)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const save = async () => {
    setBusy(true)
    const found = await fetchPage()
    setBusy(false)
    setError('error' in found ? found.error : undefined)
    if ('page' in found) saveFile(verifyPageName, found.page, 'text/html')
  }
  return (
    <div className="grid grid-cols-1 gap-2 print:hidden">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <span className="text-muted">
          Anyone can check evidence with one page, from a disk: no console, no server.
        </span>
        <Button busy={isBusy} icon={<DownloadIcon />} onClick={() => void save()} size="small">
          Save verify.html
        </Button>
      </p>
      {error !== undefined && (
        <ErrorNote
          busy={isBusy}
          notDone="The page was not saved."
          onRetry={() => void save()}
          title={error}
        />
      )}
    </div>
  )
}
