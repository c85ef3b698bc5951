import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { timezoneAtom } from '~/core/page-view'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { txOfHash } from '~/trust/findings'
import type { Break, TrustRecord } from '~/trust/trust-record'
import { Hash } from '~/ui/Hash'
import { SafeText } from '~/ui/SafeText'
import { stepWords } from '~/words/proof-step'

export type BrokenProps = { broken: Break; record: TrustRecord | null }

/** What was expected and what came, and where it failed. */
export function Finding({ broken }: Pick<BrokenProps, 'broken'>) {
  const timezone = useAtomValue(timezoneAtom)
  const { kind, expected, received, step, part, reason, at, what } = broken
  const isIdentity = kind === 'other-server'
  return (
    <dl className="my-1.5 grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-0.5 text-sm md:grid-cols-[auto_auto_auto_1fr]">
      {reason === 'signature' ? (
        <>
          <Line name="Expected">a signature of the pinned key</Line>
          <Line name="Received">{signatureWords(broken)}</Line>
        </>
      ) : (
        <>
          <Line name="Expected">
            {isIdentity ? <SafeText text={expected} /> : hash(broken, expected, 'expected hash')}
          </Line>
          <Line name="Received">
            {isIdentity ? <SafeText text={received} /> : hash(broken, received, 'received hash')}
          </Line>
        </>
      )}
      {!isIdentity && (
        <Line name="Failed">
          {stepWords(step).title}
          <span className="text-muted">
            {' '}
            (reason {reason}, step {step}, part <SafeText text={part} />)
          </span>
        </Line>
      )}
      <Line name="Found">
        {formatMoment(at, timezone)}, in <SafeText text={what} />
      </Line>
    </dl>
  )
}

/** No hash was compared, and the transaction may be the very one that is trusted. */
function signatureWords({ kind, part }: Break): string {
  if (kind === 'unsigned') return 'no signature'
  return part === 'publicKey' ? 'a signature of another key' : 'no valid one'
}

function hash(broken: Break, text: string, what: string): ReactNode {
  if (text === '') return 'no hash'
  const tx = txOfHash(broken, text)
  return (
    <>
      {tx !== null && `tx ${formatTx(tx)} `}
      <Hash hash={text} what={what} />
    </>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
