import { type FormEvent, useState } from 'react'
import { setNameForms } from '~/atoms/keys/name-drafts'
import { parseBytes } from '~/lib/byte-formats'
import { bytesToBase64 } from '~/lib/bytes'
import { Button } from '~/ui/Button'
import { useKeptForm } from '../tables/use-kept-form'
import { useKeysAddress } from './address'
import { noBytes, TypedField } from './TypedField'

/** Sets are not listed by the server, so one is asked for by its name. */
export function SetName() {
  const { database, go } = useKeysAddress()
  const [typed, setTyped] = useKeptForm(setNameForms, noBytes, database)
  const [isTried, setTried] = useState(false)
  const parsed = parseBytes(typed.text, typed.format)
  const bytes = 'bytes' in parsed && parsed.bytes.length > 0 ? parsed.bytes : null
  const error = 'error' in parsed ? parsed.error : 'Enter the name of the set.'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!bytes) return
    setTyped(noBytes)
    go({ key: bytesToBase64(bytes), isSet: true, revision: '' })
  }
  return (
    <form className="mx-auto grid max-w-[640px] gap-3 p-4" noValidate onSubmit={submit}>
      <h2 className="text-lg">Open a sorted set</h2>
      <p className="text-muted text-sm">
        The server does not list the sets of a database. Their names stand in the transactions that
        added to them.
      </p>
      <TypedField
        error={bytes === null && (isTried || 'error' in parsed) ? error : null}
        formatLabel="Format of the name of the set"
        label="Name of the set"
        onChange={setTyped}
        typed={typed}
      />
      <div className="flex justify-end gap-2">
        <Button
          onClick={() => {
            setTyped(noBytes)
            go({ key: null, isSet: false })
          }}
        >
          Cancel
        </Button>
        <Button type="submit" variant="primary">
          Open
        </Button>
      </div>
    </form>
  )
}
