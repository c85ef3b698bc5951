import { type ReactNode, useState } from 'react'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { DownloadIcon } from '~/ui/Icon'
import { fileName, saveFile } from './file'

/** A file to be saved, its name without an ending. */
type JsonFile = { name: string; text: string }

type Props = {
  text: string
  /** Begins the sentence about a failure, such as “The report”. */
  what?: string
  /** Makes the files; where it rejects, nothing more is saved. */
  write: () => Promise<readonly JsonFile[]>
  /** Codes and texts of a failure for a report. */
  details: (error: unknown) => string
  size?: 'small' | 'normal'
  /** Shown below the row of buttons once the files are saved. */
  saved?: ReactNode
}

/** Saves JSON files; a failure is shown below its row of buttons. */
export function SaveButton(props: Props) {
  const { text, what = 'The evidence', write, details, size = 'normal', saved } = props
  const [isBusy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const save = async () => {
    setBusy(true)
    setFailure(null)
    try {
      for (const file of await write()) {
        saveFile(fileName(file.name, 'json'), file.text, 'application/json')
      }
      setSaved(true)
    } catch (error) {
      setFailure(details(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button busy={isBusy} icon={<DownloadIcon />} onClick={() => void save()} size={size}>
        {text}
      </Button>
      {isSaved && saved !== undefined && (
        <div className="order-last basis-full text-start">{saved}</div>
      )}
      {failure !== null && (
        <div className="order-last basis-full text-start">
          <ErrorNote
            advice="Keep this page open and do not reload it: what was found may be stored nowhere else. Check that the browser lets this page save files, then try again."
            busy={isBusy}
            details={failure}
            notDone="No file was saved."
            onRetry={() => void save()}
            title={`${what} could not be saved.`}
          />
        </div>
      )}
    </>
  )
}
