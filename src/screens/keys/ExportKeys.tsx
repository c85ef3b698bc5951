import { useAtomValue, useSetAtom } from 'jotai'
import { exportKeysAtom, keysExportAtom, nameOfKeys, stopKeysExportAtom } from '~/atoms/keys/export'
import { Button } from '~/ui/Button'
import { ExportNote } from '~/ui/Export'
import { saveFile } from '~/ui/file'
import { DownloadIcon } from '~/ui/Icon'
import { useKeysAddress } from './address'

/** Saves every key of the list with its value, read or not, one in each line. */
export function ExportKeys() {
  const { database, prefix } = useKeysAddress()
  const made = useAtomValue(keysExportAtom)
  const start = useSetAtom(exportKeysAtom)
  const stop = useSetAtom(stopKeysExportAtom)
  const save = async () => {
    const file = await start({ database, prefix })
    if (file) saveFile(file.name, new Blob([...file.parts]), file.type)
  }
  return (
    <>
      {made?.of === nameOfKeys({ database, prefix }) && (
        <ExportNote made={made} onStop={() => stop()} />
      )}
      <Button
        disabledReason={made?.state === 'running' ? 'A file is being written.' : undefined}
        icon={<DownloadIcon />}
        onClick={() => void save()}
        size="small"
        title="Every key of this list with its value, as NDJSON"
        variant="quiet"
      >
        Export
      </Button>
    </>
  )
}
