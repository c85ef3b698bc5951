import { formatTx } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import type { Rechecked } from '~/proof/check-evidence'
import type { ForkFacts, ForkSide } from '~/proof/kernel/proven-facts'
import { fingerprintOf } from '~/proof/public-key'
import type { ForkSideKnown } from '~/trust/evidence'
import { Fact, Facts } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { SafeName, SafeText } from '~/ui/SafeText'
import { sideWords } from '~/words/evidence'

type Props = {
  rechecked: Rechecked
  sides: readonly ForkSideKnown[]
  /** The reader gave what they are compared with; otherwise this browser keeps it. */
  isGiven: boolean
}

/** Where two histories part, and what is known of each side. */
export function ForkSides({ rechecked: { outcome }, sides, isGiven }: Props) {
  const facts = outcome.kind === 'ok' ? (outcome.verified.facts as ForkFacts | null) : null
  if (!facts) return null
  const { after, prevAlh } = facts
  return (
    <section aria-labelledby="fork-sides" className="grid grid-cols-1 gap-2.5">
      <h3 className="font-medium" id="fork-sides">
        {after === '0' ? 'No transaction in common' : `Forked after tx ${formatTx(after)}`}
      </h3>
      {after !== '0' && (
        <p>
          The last transaction of both is tx {formatTx(after)}{' '}
          <Hash hash={prevAlh} what="hash of the last common transaction" />
        </p>
      )}
      <ul aria-label="Sides of the fork" className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {facts.sides.map((side, index) => (
          <SideOf
            first={String(BigInt(after) + 1n)}
            isGiven={isGiven}
            key={side.alh}
            known={sides[index]}
            side={side}
            title={index === 0 ? 'First history' : 'Second history'}
          />
        ))}
      </ul>
    </section>
  )
}

type SideProps = {
  side: ForkSide
  first: string
  known: ForkSideKnown | undefined
  /** Ours: the name of a side is only a word in the file. */
  title: string
  isGiven: boolean
}

/** Characters of a name that are shown. */
const longestName = 200

function SideOf({ side, first, known, title, isGiven }: SideProps) {
  if (!known) return null
  const { party, own, key } = known
  return (
    <li className="grid min-w-0 grid-cols-1 content-start gap-1.5 rounded border border-line bg-panel px-4 py-3">
      <b className="font-medium">{title}</b>
      <Facts>
        <Fact name="The file says">
          “<SafeText text={cutText(party.name, longestName)} />” at{' '}
          <SafeText text={cutText(party.server.origin, longestName)} />
        </Fact>
        <Fact name="Database">
          <SafeName text={side.db} />
        </Fact>
        <Fact name={`Tx ${formatTx(first)}`}>
          <Hash hash={side.alh} what={`hash of tx ${first}`} />
        </Fact>
        <Fact name="State">
          tx {formatTx(side.stateTx)} <Hash hash={side.stateHash} what="hash of the state" />
        </Fact>
        <Fact name="Signed with">
          {side.key === null ? (
            'not signed'
          ) : (
            <Hash hash={fingerprintOf(side.key)} what="fingerprint of the key" />
          )}
        </Fact>
        <Fact name={isGiven ? 'You gave' : 'In this browser'}>
          {sideWords(own.kind, key, isGiven)}
        </Fact>
      </Facts>
    </li>
  )
}
