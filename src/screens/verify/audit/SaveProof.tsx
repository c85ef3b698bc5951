import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { evidenceFileAtom } from '~/atoms/evidence'
import type { Verification } from '~/atoms/verification'
import { Button } from '~/ui/Button'
import { DownloadIcon } from '~/ui/Icon'
import { fileName, saveFile } from '~/ui/save-file'

/** Saves a verification as one file that can be checked elsewhere. */
export function SaveProof({ proof }: { proof: Verification }) {
  const write = useSetAtom(evidenceFileAtom)
  return <SaveButton text="Save evidence" write={() => write(proof)} />
}

type Props = { text: string; write: () => Promise<{ name: string; text: string }> }

export function SaveButton({ text, write }: Props) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const file = await write()
      saveFile(fileName(file.name, 'json'), file.text, 'application/json')
    } finally {
      setBusy(false)
    }
  }
  return (
    <div>
      <Button busy={isBusy} icon={<DownloadIcon />} onClick={() => void save()}>
        {text}
      </Button>
    </div>
  )
}
