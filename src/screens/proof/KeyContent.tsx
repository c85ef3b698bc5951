import { useAtomValue } from 'jotai'
import { timezoneAtom } from '~/atoms/view'
import { bytesToBase64 } from '~/lib/base64'
import { hexToBytes } from '~/lib/hex'
import { formatMoment, formatTx } from '~/lib/text'
import { decodeUtf8 } from '~/lib/utf8'
import type { GetFacts } from '~/proof/facts'
import { SafeName } from '~/ui/SafeName'
import { ValueView } from '~/ui/ValueView'
import { Fact, Facts } from './Facts'

/** A proven key: its value, or the reference that it is. */
export function KeyContent({ facts }: { facts: GetFacts }) {
  const zone = useAtomValue(timezoneAtom)
  const { meta, tx, ts } = facts
  return (
    <div className="grid grid-cols-1 gap-3">
      <Facts>
        <Fact name="Key">
          <Bytes of={facts.key} />
        </Fact>
        <Fact name="Written in">
          <span className="font-mono">tx {formatTx(tx)}</span>,{' '}
          {formatMoment(Number(ts) * 1_000, zone)}
        </Fact>
        {meta.expiresAt !== null && (
          <Fact name="Expires">{formatMoment(Number(meta.expiresAt) * 1_000, zone)}</Fact>
        )}
        {facts.kind === 'reference' && (
          <Fact name="Refers to">
            <Bytes of={facts.referencedKey} />
            {facts.referencedAtTx === '0'
              ? ', as it is at present'
              : `, as written in tx ${formatTx(facts.referencedAtTx)}`}
          </Fact>
        )}
      </Facts>
      {facts.kind === 'value' ? (
        <ValueView name="the value in the proof" value={bytesToBase64(bytesOf(facts.value))} />
      ) : (
        <p className="text-muted text-sm">
          This is the proof of the reference alone. The value behind it has its own.
        </p>
      )}
    </div>
  )
}

function bytesOf(digits: string): Uint8Array {
  return hexToBytes(digits) ?? new Uint8Array()
}

function Bytes({ of }: { of: string }) {
  const text = decodeUtf8(bytesOf(of))
  return (
    <span className="font-mono [overflow-wrap:anywhere]">
      {text === null ? `hex ${of}` : <SafeName text={text} />}
    </span>
  )
}
