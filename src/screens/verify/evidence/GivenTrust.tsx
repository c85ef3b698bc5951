import { useState } from 'react'
import { useAct } from '~/core/act'
import { hexOf } from '~/lib/bytes'
import { counted, formatTx } from '~/lib/text'
import { fingerprintOf } from '~/proof/public-key'
import { giveTrust } from '~/trust/evidence'
import { type GivenTrust as Given, readGivenTrust } from '~/trust/given-trust'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { FileDrop } from '~/ui/FileDrop'
import { readChosen } from '~/ui/file'
import { Hash } from '~/ui/Hash'
import { SafeName } from '~/ui/SafeText'
import { TextArea } from '~/ui/TextArea'

/** Files larger than this hold neither states nor a key. */
const sizeLimit = 1_000_000
/** States that are listed; of a file there may be hundreds. */
const mostListed = 4

/** Where the reader of a page without records gives what vouches for a file. */
export function GivenTrust({ given }: { given: Given }) {
  const give = useAct(giveTrust)
  const isEmpty = given.states.length + given.keys.length === 0
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const read = async (of: string, file?: string) => {
    const found = await readGivenTrust(of, file)
    setError('error' in found ? found.error : undefined)
    if ('error' in found) return
    setText('')
    await give(found.given)
  }
  const drop = async (file: File) => {
    const chosen = await readChosen(file, sizeLimit, 'This file is too large for states or a key.')
    if ('problem' in chosen) setError(chosen.problem)
    else await read(chosen.text, file.name)
  }
  return (
    <section
      aria-labelledby="given-trust"
      className={cx(
        'grid grid-cols-1 gap-2 rounded border border-line bg-panel px-4 py-3',
        isEmpty && 'print:hidden',
      )}
    >
      <h2 className="font-medium" id="given-trust">
        What to compare it with
      </h2>
      <p className="max-w-[680px] text-muted text-sm print:hidden">
        Anyone can make up a file that fits itself. Give a trusted state or the server’s public key
        that did not reach you with the file: from the operator, an auditor, or your own notes.
      </p>
      <GivenList given={given} onDrop={() => void give(null)} />
      <form
        className="grid grid-cols-1 print:hidden"
        onSubmit={(event) => {
          event.preventDefault()
          void read(text)
        }}
      >
        <TextArea
          error={error}
          label="Trusted state or public key"
          mono
          onChange={(next) => {
            setText(next)
            setError(undefined)
          }}
          placeholder={'transaction: 42\nhash: 9f2c…'}
          rows={3}
          value={text}
        />
        <div>
          <Button type="submit">Compare with this</Button>
        </div>
      </form>
      <FileDrop
        accept="*/*"
        action="Choose a file…"
        label="File with trusted states or a public key"
        onFile={(file) => void drop(file)}
      >
        or drop it here: trusted-states.txt, .state-… of immuclient, or a PEM file.
      </FileDrop>
    </section>
  )
}

/** What was given so far; it is printed with the verdict. */
function GivenList({ given, onDrop }: { given: Given; onDrop: () => void }) {
  const { states, keys } = given
  if (states.length + keys.length === 0) {
    return <p>Nothing given yet, so nothing here can be called verified.</p>
  }
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <ul aria-label="Given" className="grid min-w-0 flex-1 gap-1 text-sm">
        {states.slice(0, mostListed).map((state) => (
          <li className="[overflow-wrap:anywhere]" key={JSON.stringify(state)}>
            Trusted state tx {formatTx(state.txId)}{' '}
            <Hash hash={hexOf(state.txHash)} what="hash that you gave" />{' '}
            {state.database === '' ? 'of any database' : <SafeName text={state.database} />}
          </li>
        ))}
        {states.length > mostListed && (
          <li>and {counted(states.length - mostListed, 'more state')}</li>
        )}
        {keys.map((key) => (
          <li key={key}>
            Public key, fingerprint{' '}
            <Hash hash={fingerprintOf(key)} what="fingerprint of the key that you gave" />
          </li>
        ))}
      </ul>
      <span className="print:hidden">
        <Button onClick={onDrop} size="small">
          Remove all
        </Button>
      </span>
    </div>
  )
}
