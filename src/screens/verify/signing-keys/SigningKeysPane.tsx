import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { fingerprintOf, publicKeyPem, readPublicKey } from '~/proof/public-key'
import {
  changeKey,
  type PinnedKey,
  type Seen,
  type ServerName,
  seenKeyAtom,
  signingKeysAtom,
} from '~/trust/signing-keys'
import { AskDialog } from '~/ui/AskDialog'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { ErrorNote } from '~/ui/ErrorNote'
import { GuideLink } from '~/ui/GuideLink'
import { SafeName } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { keyRefusal } from '~/words/public-key'
import { KeyForm } from '../KeyForm'
import { ServerAt } from '../ServerAt'

/** Keys that must have signed what servers say. */
export function SigningKeysPane() {
  const keys = useAtomValue(signingKeysAtom)
  const [question, setQuestion] = useState<KeyQuestion | null>(null)
  if (keys === null) return <Skeleton label="Reading the keys" lines={4} />
  const { here, pinned, others } = keys
  const ask = (key: string | null) => setQuestion({ of: here, before: pinned, key })
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="max-w-[680px] text-muted">
        Once a key is pinned, a state without its signature is reported as broken.{' '}
        <GuideLink to="verify-signature">How servers sign</GuideLink>
      </p>
      <section
        aria-labelledby="own-key"
        className="grid grid-cols-1 gap-3 rounded border border-line bg-panel px-4 py-3"
      >
        <h2 className="font-medium" id="own-key">
          Key of this server
        </h2>
        {pinned === null && <p>Not pinned: signatures are not checked.</p>}
        {pinned?.kind === 'key' && <Pinned of={pinned.key} onRemove={() => ask(null)} />}
        {pinned?.kind === 'unread' && <Unread onRemove={() => ask(null)} why={pinned.why} />}
        <SeenKey onPin={ask} pinned={pinned} />
      </section>
      <PinForm onPin={ask} pinned={pinned?.kind === 'key' ? pinned.key : null} />
      {others.length > 0 && <Others keys={others} onAsk={setQuestion} />}
      {question && <KeyDialog onClose={() => setQuestion(null)} question={question} />}
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

type Props = { pinned: string | null; onPin: (key: string) => void }

/** A key from elsewhere: pasted, or its file. */
function PinForm({ pinned, onPin }: Props) {
  const take = async (given: string) => {
    const found = await readPublicKey(given).catch(() => ({ none: 'unloaded' }))
    if ('none' in found) return { problem: keyRefusal(found.none) }
    if (found.key === pinned) return { problem: 'This key is pinned already.' }
    onPin(found.key)
    return {}
  }
  return (
    <KeyForm
      action="Pin…"
      advice="Get it from the operator, not through this server."
      field={{ label: 'Public key', placeholder: '-----BEGIN PUBLIC KEY-----', rows: 4 }}
      file={{
        accept: '.pem,.pub,.key,application/x-pem-file',
        action: 'Choose a PEM file…',
        label: 'PEM file',
        sizeLimit: 16_384,
        refusal: keyRefusal('not-a-key'),
      }}
      id="pin-key"
      isPrivate={(text) => text.includes('PRIVATE KEY')}
      onText={take}
      title="Pin a key from elsewhere"
    />
  )
}

type SeenKeyProps = { pinned: PinnedKey | null; onPin: (key: string) => void }

/** The key in the server's newest state, which is only a claim until it is confirmed. */
function SeenKey({ pinned, onPin }: SeenKeyProps) {
  const seen = useAtomValue(seenKeyAtom)
  const database = useAtomValue(databaseAtom) ?? ''
  if (seen.kind === 'unknown') return null
  if (seen.kind === 'unsigned') {
    return (
      <p className="text-muted">
        The newest state of <SafeName text={database} /> is not signed.
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

/** A server may name anything. Only a valid key can be pinned, so others are refused here. */
function Claimed({ publicKey, onPin }: { publicKey: string } & Pick<SeenKeyProps, 'onPin'>) {
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

/** A key to be pinned for a server, or null to unpin the present one. */
type KeyQuestion = { of: ServerName; before: PinnedKey | null; key: string | null }

type KeyDialogProps = { question: KeyQuestion; onClose: () => void }

/** Says what changes with a key before it is pinned or unpinned. */
function KeyDialog({ question: { of, before, key }, onClose }: KeyDialogProps) {
  const change = useAct(changeKey)
  const seen = useAtomValue(seenKeyAtom)
  return (
    <AskDialog
      action={key === null ? 'Unpin' : 'Pin this key'}
      description={key === null ? unpinning : pinning}
      failure={{
        title: 'This browser could not save the change.',
        notDone: 'Nothing was changed.',
      }}
      isDanger
      onAction={() => change(of, key)}
      onClose={onClose}
      title={key === null ? 'Unpin the signing key?' : 'Pin this signing key?'}
    >
      <div className="grid grid-cols-1 gap-3">
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
    </AskDialog>
  )
}

const pinning =
  'From now on every state and proof of this server must carry a valid signature of this key. Anything else is reported as broken. A signature shows that a holder of the key signed, not that the answer is recent.'

const unpinning =
  'Signatures are not checked any more: a state without one, or with one of any key, is no failure. Trusted states stay as they are. A line stays in the log.'

function warningOf(key: string, seen: Seen): string | null {
  if (seen.kind === 'unsigned') {
    return 'The server does not sign its states at present: it will be reported as broken at once.'
  }
  if (seen.kind === 'key' && seen.key !== key) {
    return 'The server signs with another key at present: it will be reported as broken at once.'
  }
  return null
}

/** SHA-256 of a key, whole: fingerprints are compared by eye, digit by digit. */
function Fingerprint({ of, what }: { of: string; what: string }) {
  const digits = fingerprintOf(of)
  const groups = digits.match(/.{1,8}/g) ?? []
  return (
    <span className="inline-flex max-w-full items-start gap-1">
      <code translate="no" className="flex min-w-0 flex-wrap gap-x-2 font-mono text-[13px]">
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same digits may come twice.
          <span key={index}>{group}</span>
        ))}
      </code>
      <span className="-my-3 xs:my-0">
        <CopyButton size="tiny" text={digits} what={what} />
      </span>
    </span>
  )
}
