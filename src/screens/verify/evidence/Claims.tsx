import { useAtomValue } from 'jotai'
import type { OwnKey } from '~/atoms/trust/evidence-verdict'
import { hexOf } from '~/atoms/trust/record'
import { timezoneAtom } from '~/atoms/view'
import { mostParts } from '~/lib/constants'
import { formatMoment, formatTx } from '~/lib/text'
import { textParts } from '~/lib/text-parts'
import type { EvidenceFile } from '~/proof/check-evidence'
import { fingerprintOf } from '~/proof/public-key'
import { Hash } from '~/ui/Hash'
import { LongText } from '~/ui/LongText'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'
import { Fact } from '../Fact'

/** How the key of the file stands to the one that is pinned here for that server. */
const keyWords: Readonly<Record<OwnKey, string>> = {
  same: 'The same key is pinned in this browser for that server.',
  different: 'This browser pinned another key for that server.',
  missing: 'This browser pinned a key for that server, and the file has none.',
  none: 'This browser pinned no key for that server.',
  unread: 'The key that this browser pinned for that server cannot be read here.',
}

/** What surrounds the proof in the file; none of it can be verified. */
export function Claims({ evidence, ownKey }: { evidence: EvidenceFile; ownKey: OwnKey }) {
  const { context, server, console: build, firstContact, checkedAt, report } = evidence
  const timezone = useAtomValue(timezoneAtom)
  const time = (at: string) => formatMoment(Date.parse(at), timezone)
  return (
    <dl className="grid grid-cols-1 gap-1.5">
      <Fact name="Checked first">{time(checkedAt)}</Fact>
      <Fact name="Database">
        <SafeName text={context.db} />
      </Fact>
      <Fact name="Server">
        <SafeText text={server.uuid ?? 'did not say its name'} /> at{' '}
        <SafeText text={server.origin} />
      </Fact>
      <Fact name="Trusted state">
        {context.trusted ? (
          <>
            tx <SafeText text={formatTx(context.trusted.txId)} />{' '}
            <Hash hash={hexOf(context.trusted.txHash)} what="hash of the trusted state" />
          </>
        ) : (
          'none'
        )}
      </Fact>
      <Fact name="First contact">
        {firstContact ? (
          <>
            {time(firstContact.at)}, at tx <SafeText text={formatTx(firstContact.txId)} />
          </>
        ) : (
          'not recorded'
        )}
      </Fact>
      <Fact name="Signing key">
        {context.publicKey === null ? (
          'none was pinned'
        ) : (
          <>
            fingerprint{' '}
            <Hash hash={fingerprintOf(context.publicKey)} what="fingerprint of the key" />
          </>
        )}
        <span className="block text-muted text-sm">{keyWords[ownKey]}</span>
      </Fact>
      <Fact name="Console">
        <SafeText text={`webconsole ${build.version}, build ${build.commit}, ${build.bundle}`} />
      </Fact>
      {report !== null && (
        <div>
          <dt className="text-muted">Report</dt>
          <dd>
            <pre className="mt-1 overflow-auto rounded border border-line bg-panel px-3 py-2 font-mono text-xs">
              <LongText parts={textParts(report, mostParts)} />
            </pre>
          </dd>
        </div>
      )}
    </dl>
  )
}
