import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { stateAtom } from '~/atoms/state'
import { hexOf, type TrustRecord } from '~/atoms/trust/record'
import { isCurrent } from '~/atoms/trust/shown'
import { type PinnedKey, type SigningKeys, signingKeysAtom } from '~/atoms/trust/signing-keys'
import type { Trust } from '~/atoms/trust/trust'
import { timezoneAtom } from '~/atoms/view'
import { howWords } from '~/lib/how-words'
import { counted, formatMoment, formatTx } from '~/lib/text'
import { Hash } from '~/ui/Hash'
import { SafeText } from '~/ui/SafeText'

/** The point, the first contact, and what the server reports beside it. */
export function PointFacts({ record, trust }: { record: TrustRecord; trust: Trust }) {
  const timezone = useAtomValue(timezoneAtom)
  const keys = useAtomValue(signingKeysAtom)
  const { id, point, firstContact, moved, checked, how } = record
  return (
    <section aria-label="Trusted state">
      <h2 className="mb-2 font-medium">Trusted state</h2>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5">
        <Line name="Recorded">
          <Point {...point} /> <span className="text-muted">({howWords(how)})</span>
        </Line>
        <Reported point={point} trust={trust} />
        <Line name="Checked last">
          {checked === 0 ? 'not yet' : formatMoment(checked, timezone)}
        </Line>
        <Line name="Followed since">
          <Point {...firstContact} />{' '}
          <span className="inline-block text-muted">{formatMoment(firstContact.at, timezone)}</span>
        </Line>
        <Line name="Advanced by proof">{moved === 0 ? 'not yet' : counted(moved, 'time')}</Line>
        <Line name="Signing key">{keyWords(keys && pinnedFor(id, keys))}</Line>
        <Line name="Server">
          <code className="break-all font-mono text-sm">
            <SafeText text={id.server || 'does not say who it is'} />
          </code>
        </Line>
      </dl>
    </section>
  )
}

function pinnedFor({ origin, server }: TrustRecord['id'], keys: SigningKeys): PinnedKey | null {
  const { here, pinned, others } = keys
  if (here.origin === origin && here.server === server) return pinned
  return others.find((one) => one.origin === origin && one.server === server)?.pinned ?? null
}

function keyWords(pinned: PinnedKey | null): string {
  if (pinned === null) return 'none pinned'
  return pinned.kind === 'key'
    ? 'pinned: every state must be signed with it'
    : 'pinned, but it cannot be read: pin it again on Verify'
}

/** What the server says is the newest, and whether it is what was recorded. */
function Reported({ point, trust }: { point: TrustRecord['point']; trust: Trust }) {
  const { data } = useAtomValue(stateAtom)
  if (!data) return null
  const words = reportedWords(data, point, trust)
  return (
    <Line name="Reported by server">
      <Point txHash={data.txHash} txId={data.txId} /> <span className="text-muted">({words})</span>
    </Line>
  )
}

type Pointed = TrustRecord['point']

function reportedWords(reported: Pointed, point: Pointed, trust: Trust): string {
  if (reported.txId === point.txId && reported.txHash === point.txHash) return 'the same'
  if (trust.kind === 'broken') return 'not proven'
  const isNewer = BigInt(reported.txId) > BigInt(point.txId)
  if (!isNewer) return 'asked for before the trusted state advanced'
  const isComing = trust.kind === 'checking' || isCurrent(trust)
  return isComing ? 'newer, being checked' : 'newer, not checked'
}

/** A transaction with its hash. */
function Point({ txId, txHash }: { txId: string; txHash: string }) {
  return (
    <span className="whitespace-nowrap">
      {txId === '0' ? 'empty' : `tx ${formatTx(txId)}`}{' '}
      <Hash hash={hexOf(txHash)} what={`hash of tx ${formatTx(txId)}`} />
    </span>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}
