import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { databaseAtom } from '~/atoms/session'
import { type PinnedKey, seenKeyAtom } from '~/atoms/trust/signing-keys'
import { keyRefusal } from '~/lib/evidence-words'
import { readPublicKey } from '~/proof/public-key'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { SafeName } from '~/ui/SafeName'
import { Fingerprint } from './Fingerprint'

type Props = { pinned: PinnedKey | null; onPin: (key: string) => void }

/** The key in the server's newest state, which is only a claim until it is confirmed. */
export function SeenKey({ pinned, onPin }: Props) {
  const seen = useAtomValue(seenKeyAtom)
  const database = useAtomValue(databaseAtom) ?? ''
  if (seen.kind === 'unknown') return null
  if (seen.kind === 'unsigned') {
    return (
      <p className="text-muted">
        The newest state of <SafeName text={database} /> is not signed: the server was started
        without a key (<code className="font-mono">--signingKey</code> of immudb,{' '}
        <code className="font-mono">--signing-key</code> of webconsole).
      </p>
    )
  }
  const isPinned = pinned?.kind === 'key' && seen.key === pinned.key
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span>
          The newest state of <SafeName text={database} /> names{' '}
          {isPinned ? 'the pinned key.' : 'this key:'}
        </span>
        <Badge>Reported by server</Badge>
        {!isPinned && pinned?.kind === 'key' && <Badge tone="error">Not the pinned one</Badge>}
      </p>
      {!isPinned && <Claimed key={seen.key} onPin={onPin} publicKey={seen.key} />}
    </div>
  )
}

/** A server may name anything, and what is no key could never be found right or wrong. */
function Claimed({ publicKey, onPin }: { publicKey: string } & Pick<Props, 'onPin'>) {
  const [error, setError] = useState<string>()
  const read = async () => {
    const found = await readPublicKey(publicKey).catch(() => ({ none: 'unloaded' }))
    if ('none' in found) setError(keyRefusal(found.none))
    else onPin(found.key)
  }
  return (
    <>
      <Fingerprint of={publicKey} what="fingerprint of the seen key" />
      <div>
        <Button onClick={() => void read()} size="small">
          Confirm and pin…
        </Button>
      </div>
      {error !== undefined && (
        <p className="text-error" role="alert">
          {error}
        </p>
      )}
    </>
  )
}
