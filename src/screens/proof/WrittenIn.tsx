import { useAtomValue } from 'jotai'
import { timezoneAtom } from '~/atoms/settings/view'
import { formatMoment, formatTx } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Fact } from '~/ui/Facts'

type Props = { facts: { readonly tx: string; readonly ts: string; readonly deleted: boolean } }

/** Which transaction wrote or deleted a row or document, and when. */
export function WrittenIn({ facts }: Props) {
  const zone = useAtomValue(timezoneAtom)
  return (
    <>
      <Fact name="Written in">
        <span className="font-mono">tx {formatTx(facts.tx)}</span>,{' '}
        {formatMoment(Number(facts.ts) * 1_000, zone)}
      </Fact>
      {facts.deleted && (
        <Fact name="State">
          <Badge tone="warning">Deleted</Badge> in this transaction; this is its last content.
        </Fact>
      )}
    </>
  )
}
