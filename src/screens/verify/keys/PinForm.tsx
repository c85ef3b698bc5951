import { useState } from 'react'
import { keyRefusal } from '~/lib/evidence-words'
import { readPublicKey } from '~/proof/public-key'
import { Button } from '~/ui/Button'
import { readChosen } from '~/ui/chosen-file'
import { FileDrop } from '~/ui/FileDrop'
import { TextArea } from '~/ui/TextArea'

type Props = { pinned: string | null; onPin: (key: string) => void }

/** Files larger than this are no keys. */
const sizeLimit = 16_384

/** A key from elsewhere: pasted, or its file. */
export function PinForm({ pinned, onPin }: Props) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const read = async (given: string) => {
    const found = await readPublicKey(given).catch(() => ({ none: 'unloaded' }))
    if ('none' in found) return setError(keyRefusal(found.none))
    if (found.key === pinned) return setError('This key is pinned already.')
    setError(undefined)
    onPin(found.key)
  }
  const drop = async (file: File) => {
    const given = await readChosen(file, sizeLimit, keyRefusal('not-a-key'))
    if ('problem' in given) return setError(given.problem)
    // A private key that was dropped by mistake is not even shown.
    if (!given.text.includes('PRIVATE KEY')) setText(given.text)
    await read(given.text)
  }
  return (
    <section
      aria-labelledby="pin-key"
      className="grid grid-cols-1 gap-2 rounded border border-line bg-panel px-4 py-3"
    >
      <h2 className="font-medium" id="pin-key">
        Pin a key from elsewhere
      </h2>
      <p className="max-w-[680px] text-muted text-sm">
        Best by a way that does not lead through this server: whoever operates it gives out the
        public key, or its fingerprint.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void read(text)
        }}
      >
        <TextArea
          error={error}
          label="Public key"
          mono
          onChange={(next) => {
            setText(next)
            setError(undefined)
          }}
          placeholder="-----BEGIN PUBLIC KEY-----"
          rows={4}
          value={text}
        />
        <Button type="submit">Pin…</Button>
      </form>
      <FileDrop
        accept=".pem,.pub,.key,application/x-pem-file"
        action="Choose a PEM file…"
        label="PEM file"
        onFile={(file) => void drop(file)}
      >
        or drop it here.
      </FileDrop>
    </section>
  )
}
