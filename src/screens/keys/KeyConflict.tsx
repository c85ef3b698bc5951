import { useAtomValue } from 'jotai'
import type { KeyState } from '~/atoms/keys/key-state'
import { saveOverStored } from '~/atoms/keys/key-write'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Conflict } from '~/ui/Conflict'
import { ValueView } from '~/ui/ValueView'
import { sendersUnknown } from '~/words/outcome'
import { useKeysAddress } from './address'
import { KeyName } from './KeyName'
import { Moment } from './Moment'

type Props = {
  stored: KeyState
  /** As in `WriteState`. */
  seenIn: readonly string[] | null
  /** The draft is of a new key. */
  isNew: boolean
  /** Standard base64; null while it has no bytes. */
  yours: string | null
  /** The key that yours refers to, instead of a value. */
  target: string | null
  onStored: (key: string | null) => void
  onDiscard: () => void
}

/** The key is not as the draft began: both versions, and what can be done. */
export function KeyConflict(props: Props) {
  const { stored, seenIn, isNew, yours, target, onStored, onDiscard } = props
  const saveOver = useAct(saveOverStored)
  const refusal = useAtomValue(writeRefusalAtom)
  return (
    <Conflict
      buttons={
        <>
          <Button onClick={onDiscard}>Discard mine</Button>
          <Button
            disabledReason={
              refusal ?? (yours === null && target === null ? 'Your value is empty.' : undefined)
            }
            onClick={() => void saveOver(stored).then(onStored)}
          >
            Save mine over it
          </Button>
        </>
      }
      isAlert
      title={titleOf(isNew && isThere(stored), seenIn)}
    >
      {seenIn !== null && seenIn.length > 0 && <p className="text-sm">{sendersUnknown}</p>}
      <div className="grid gap-4 md:grid-cols-2">
        <div className="grid content-start gap-2">
          <h4 className="flex flex-wrap gap-x-3 text-sm">
            <span className="font-medium">Stored now</span> <When stored={stored} />
          </h4>
          <Standing stored={stored} />
        </div>
        <div className="grid content-start gap-2">
          <h4 className="font-medium text-sm">Yours</h4>
          {target !== null ? (
            <p>
              A reference to <KeyName of={target} />
            </p>
          ) : (
            yours !== null && <ValueView name="your value" value={yours} />
          )}
        </div>
      </div>
    </Conflict>
  )
}

/** Without an answer it is not known whether a save was stored before the key was changed. */
function titleOf(isTaken: boolean, seenIn: readonly string[] | null): string {
  const why = isTaken ? 'a key of this name exists already' : 'this key was changed meanwhile'
  if (seenIn === null) return `It is not known whether this was stored: ${why}`
  if (seenIn.length === 0) return `Nothing was stored: ${why}`
  return `${seenIn.map((tx) => `tx ${formatTx(tx)}`).join(', ')} stored this value, and the key was changed again`
}

function isThere({ kind }: KeyState): boolean {
  return kind === 'live' || kind === 'too-large' || kind === 'gone' || kind === 'dangling'
}

function When({ stored }: { stored: KeyState }) {
  const { database } = useKeysAddress()
  if (!('entry' in stored)) return null
  return (
    <span className="flex flex-wrap gap-x-2 text-muted">
      <Moment database={database} tx={stored.entry.tx} />
    </span>
  )
}

function Standing({ stored }: { stored: KeyState }) {
  if (stored.kind === 'live')
    return <ValueView name="the stored value" value={stored.entry.value} />
  if (stored.kind === 'too-large') return <p>A value larger than 4 MiB.</p>
  if (stored.kind === 'gone') return <p>A value that the server no longer has.</p>
  if (stored.kind === 'deleted') return <p>It was deleted.</p>
  if (stored.kind === 'expired') return <p>A value that has expired.</p>
  return <p>{stored.kind === 'dangling' ? 'A reference to nothing.' : 'Nothing.'}</p>
}
