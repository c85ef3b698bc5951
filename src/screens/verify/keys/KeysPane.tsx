import { useAtomValue } from 'jotai'
import { Suspense, useState } from 'react'
import { type PinnedKey, type ServerName, signingKeysAtom } from '~/atoms/trust/signing-keys'
import { publicKeyPem } from '~/proof/public-key'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { ErrorNote } from '~/ui/ErrorNote'
import { fetchedLater } from '~/ui/fetched-later'
import { GuideLink } from '~/ui/GuideLink'
import { Skeleton } from '~/ui/Skeleton'
import { ServerAt } from '../ServerAt'
import { Fingerprint } from './Fingerprint'
import type { KeyQuestion } from './KeyDialog'
import { PinForm } from './PinForm'
import { SeenKey } from './SeenKey'

const KeyDialog = fetchedLater(() => import('./KeyDialog').then((part) => part.KeyDialog))

/** Keys that must have signed what servers say. */
export function KeysPane() {
  const keys = useAtomValue(signingKeysAtom)
  const [question, setQuestion] = useState<KeyQuestion | null>(null)
  if (keys === null) return <Skeleton label="Reading the keys" lines={4} />
  const { here, pinned, others } = keys
  const ask = (key: string | null) => setQuestion({ of: here, before: pinned, key })
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="max-w-[680px] text-muted">
        A server that was started with a signing key signs each state. Once its public key is pinned
        here, a state without that signature is a failure, whoever answers.{' '}
        <GuideLink to="verify-signature">How to make a server sign</GuideLink>
      </p>
      <section
        aria-labelledby="own-key"
        className="grid grid-cols-1 gap-3 rounded border border-line bg-panel px-4 py-3"
      >
        <h2 className="font-medium" id="own-key">
          Key of this server
        </h2>
        {pinned === null && <p>No key is pinned, so signatures are not checked.</p>}
        {pinned?.kind === 'key' && <Pinned of={pinned.key} onRemove={() => ask(null)} />}
        {pinned?.kind === 'unread' && <Unread onRemove={() => ask(null)} why={pinned.why} />}
        <SeenKey onPin={ask} pinned={pinned} />
      </section>
      <PinForm onPin={ask} pinned={pinned?.kind === 'key' ? pinned.key : null} />
      {others.length > 0 && <Others keys={others} onAsk={setQuestion} />}
      {question && (
        <Suspense fallback={null}>
          <KeyDialog onClose={() => setQuestion(null)} question={question} />
        </Suspense>
      )}
    </div>
  )
}

function Pinned({ of, onRemove }: { of: string; onRemove: () => void }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <div>
        <p className="text-muted">Pinned, SHA-256 fingerprint</p>
        <Fingerprint of={of} what="fingerprint of the pinned key" />
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={publicKeyPem(of)} what="the pinned key as PEM" worded />
        <Button onClick={onRemove} size="small">
          Unpin…
        </Button>
      </div>
    </div>
  )
}

type UnreadProps = { why: 'damaged' | 'newer'; onRemove: () => void }

/** A key is pinned, and nobody can tell which one. */
function Unread({ why, onRemove }: UnreadProps) {
  const isNewer = why === 'newer'
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2">
      <ErrorNote
        advice={
          isNewer
            ? 'Open the newer console to use or change it.'
            : 'Pin the key again, or unpin it to do without signatures. Its record is on the tab Trusted states, where you can save it.'
        }
        notDone="Nothing of this server is verified without it."
        title={
          isNewer
            ? 'A newer version of this console pinned a key. This version cannot read it.'
            : 'A key is pinned, and its record in this browser is damaged.'
        }
        tone="unknown"
      />
      {!isNewer && (
        <Button onClick={onRemove} size="small">
          Unpin…
        </Button>
      )}
    </div>
  )
}

const unread = {
  damaged: 'The record of its key is damaged.',
  newer: 'A newer version of this console pinned its key.',
} as const

type OthersProps = {
  keys: readonly (ServerName & { pinned: PinnedKey })[]
  onAsk: (question: KeyQuestion) => void
}

function Others({ keys, onAsk }: OthersProps) {
  return (
    <section aria-labelledby="other-keys" className="grid grid-cols-1 gap-2">
      <h2 className="font-medium" id="other-keys">
        Keys of other servers
      </h2>
      <ul className="rounded border border-line bg-panel">
        {keys.map(({ pinned, ...of }) => (
          <li
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 first:border-t-0"
            key={`${of.origin} ${of.server}`}
          >
            <span className="min-w-0 flex-1">
              <span className="break-all">
                <ServerAt {...of} />
              </span>
              <span className="block">
                {pinned.kind === 'key' ? (
                  <Fingerprint of={pinned.key} what={`fingerprint of the key of ${of.server}`} />
                ) : (
                  unread[pinned.why]
                )}
              </span>
            </span>
            <Button onClick={() => onAsk({ of, before: pinned, key: null })} size="small">
              Unpin…
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
