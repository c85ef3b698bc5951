import { base64ToBytes, base64ToHex } from '~/lib/bytes'
import { exactSize } from '~/lib/size'
import { cutText } from '~/lib/visible-text'
import { Hash } from '~/ui/Hash'
import { entryName } from '../proof/entry-name'
import { Card, type Placed } from './EntryCard'

type Props = {
  database: string
  tx: string
  of: Placed
  value: string | undefined
  isFound: boolean
}

/** Digits of a key or value that are shown. */
const shownDigits = 160

/** An entry as it is stored: key, size, digest and value in hex digits. */
export function RawEntry({ database, tx, of, value, isFound }: Props) {
  const { entry } = of
  const { kind } = entryName(base64ToBytes(entry.key))
  return (
    <Card
      database={database}
      isFound={isFound}
      kind={kind}
      name={`entry ${of.number}`}
      of={of}
      said={[]}
      tx={tx}
      value={value}
      values={undefined}
    >
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Key</dt>
        <dd className="min-w-0 font-mono [overflow-wrap:anywhere]">
          {cut(base64ToHex(entry.key))}
        </dd>
        <dt className="text-muted">Digest</dt>
        <dd>
          <Hash hash={base64ToHex(entry.hValue)} what={`digest of entry ${of.number}`} />
        </dd>
        <dt className="text-muted">Value</dt>
        <dd className="min-w-0 font-mono [overflow-wrap:anywhere]">
          {value === undefined ? '–' : cut(base64ToHex(value.slice(0, 400)))}
          <span className="ps-2 font-sans text-muted">{exactSize(entry.vLen)}</span>
        </dd>
      </dl>
    </Card>
  )
}

const cut = (digits: string) => cutText(digits, shownDigits)
