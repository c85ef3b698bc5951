import { useAtomValue, useSetAtom } from 'jotai'
import {
  changeKeyAtom,
  type PinnedKey,
  type Seen,
  type ServerName,
  seenKeyAtom,
} from '~/atoms/trust/signing-keys'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { useAttempt } from '../use-attempt'
import { Fingerprint } from './Fingerprint'

/** A key to be pinned for a server, or null for none any more. */
export type KeyQuestion = { of: ServerName; before: PinnedKey | null; key: string | null }

type Props = { question: KeyQuestion; onClose: () => void }

/** Says what changes with a key before it is pinned or unpinned. */
export function KeyDialog({ question: { of, before, key }, onClose }: Props) {
  const change = useSetAtom(changeKeyAtom)
  const seen = useAtomValue(seenKeyAtom)
  const { isBusy, hasFailed, attempt } = useAttempt(onClose)
  return (
    <ConfirmDialog
      action={key === null ? 'Unpin' : 'Pin this key'}
      busy={isBusy}
      description={key === null ? unpinning : pinning}
      onClose={onClose}
      onConfirm={() => void attempt(() => change(of, key))}
      open
      title={key === null ? 'Unpin the signing key?' : 'Pin this signing key?'}
    >
      <div className="grid grid-cols-1 gap-3">
        {hasFailed && (
          <ErrorNote notDone="Nothing was changed." title="This browser could not keep it." />
        )}
        {before?.kind === 'unread' && <p>The damaged record of the pinned key is kept aside.</p>}
        {key !== null && (
          <>
            <div>
              <p className="text-muted text-sm">SHA-256 fingerprint: compare every digit.</p>
              <Fingerprint of={key} what="fingerprint of the key" />
            </div>
            {warningOf(key, seen) !== null && (
              <p className="text-warning">{warningOf(key, seen)}</p>
            )}
            {before?.kind === 'key' && <p>The key that is pinned now is replaced.</p>}
          </>
        )}
      </div>
    </ConfirmDialog>
  )
}

const pinning =
  'From now on every state and every proof of this server must carry a valid signature of this key, in all of its databases. What is not signed, or signed by another key, is reported as broken. A signature tells who answered, not that the answer is recent.'

const unpinning =
  'Signatures are not checked any more: a state without one, or with one by anybody, is no failure. Trusted states stay as they are. A line stays in the log.'

function warningOf(key: string, seen: Seen): string | null {
  if (seen.kind === 'unsigned') {
    return 'The server does not sign its states at present: it will be reported as broken at once.'
  }
  if (seen.kind === 'key' && seen.key !== key) {
    return 'The server signs with another key at present: it will be reported as broken at once.'
  }
  return null
}
