import { useState } from 'react'
import { useAct } from '~/core/act'
import { hexOf } from '~/lib/bytes'
import { evidenceSizeLimit } from '~/lib/constants'
import { counted, formatCount, formatTx } from '~/lib/text'
import { fingerprintOf } from '~/proof/public-key'
import { giveTrust } from '~/trust/evidence'
import {
  type GivenTrust as Given,
  readGivenFile,
  readGivenTrust,
  unsignedIn,
} from '~/trust/given-trust'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { FileDrop } from '~/ui/FileDrop'
import { readChosenBytes } from '~/ui/file'
import { Hash } from '~/ui/Hash'
import { SafeName, SafeText } from '~/ui/SafeText'
import { TextArea } from '~/ui/TextArea'

/** States that are listed; of a file there may be hundreds. */
const mostListed = 4

/** Where the reader of a page without records gives what vouches for a file. */
export function GivenTrust({ given }: { given: Given }) {
  const give = useAct(giveTrust)
  const isEmpty = isNothing(given)
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const take = async (found: Awaited<ReturnType<typeof readGivenTrust>>) => {
    setError('error' in found ? found.error : undefined)
    if ('error' in found) return
    setText('')
    await give(found.given)
  }
  const drop = async (file: File) => {
    const chosen = await readChosenBytes(file, evidenceSizeLimit, 'This file is too large.')
    if ('problem' in chosen) setError(chosen.problem)
    else await take(await readGivenFile(chosen.bytes, file.name))
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
        Anyone can make up a file that fits itself. Give a trusted state, the server’s public key,
        or checkpoints with the key of their auditor. It must not have reached you with the file.
      </p>
      <GivenList given={given} onDrop={() => void give(null)} />
      <form
        className="grid grid-cols-1 print:hidden"
        onSubmit={(event) => {
          event.preventDefault()
          void readGivenTrust(text).then(take)
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
        or drop it here: trusted-states.txt, .state-… of immuclient, a PEM file, or checkpoints.
      </FileDrop>
    </section>
  )
}

const isNothing = (given: Given) =>
  [given.states, given.keys, given.witnesses, given.notes].every((all) => all.length === 0)

/** Who signed checkpoints, as far as no signature has to be checked. */
function signersOf(checkpoints: Given['notes'][number]['checkpoints'], keys: Given['witnesses']) {
  if (keys.length === 0) return ': give the key of the witness that signed them, too'
  const unsigned = unsignedIn(checkpoints, keys)
  return unsigned > 0 && `, not signed by a known key: ${formatCount(unsigned)}`
}

/** What was given so far; it is printed with the verdict. */
function GivenList({ given, onDrop }: { given: Given; onDrop: () => void }) {
  const { states, keys, witnesses, notes } = given
  if (isNothing(given)) {
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
        {witnesses.map(({ text, name }) => (
          <li key={text}>
            Key of the witness <SafeName text={name} />
          </li>
        ))}
        {notes.map(({ name, checkpoints }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name.
          <li className="[overflow-wrap:anywhere]" key={at}>
            {counted(checkpoints.length, 'checkpoint')} of{' '}
            <SafeName text={checkpoints[0]?.database ?? ''} /> in <SafeText text={name} />
            {signersOf(checkpoints, witnesses)}
          </li>
        ))}
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
