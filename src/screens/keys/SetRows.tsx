// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a table are read, not focused.
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
import type { SetEntry } from '~/api/sorted-sets'
import { base64ToBytes, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { Link } from '~/ui/Link'
import { useLinesInSight } from '~/ui/lines-in-sight'
import { Rows, Titles } from '~/ui/Rows'
import { SafeText } from '~/ui/SafeText'
import { useNarrow } from '~/ui/use-narrow'
import { useKeysAddress } from './address'
import { KeyName } from './KeyName'

const columns =
  'grid items-center gap-x-4 px-4 grid-cols-[minmax(80px,1fr)_minmax(0,3fr)_minmax(0,4fr)]'

/** The entries of a sorted set; only those in sight are drawn. */
export function SetRows({ entries, name }: { entries: readonly SetEntry[]; name: string }) {
  const sight = useLinesInSight(entries.length, useNarrow() ? 48 : 32)
  return (
    <Rows
      head={{
        cells: <Titles titles={['Score', 'Key', 'Value']} />,
        height: 32,
        look: cx(columns, 'bg-raised'),
      }}
      label={`Entries of ${name}`}
      role="table"
      row={(index) => {
        const entry = entries[index]
        return entry && <Cells entry={entry} />
      }}
      rowLook={() => cx(columns, 'border-line border-b text-sm hover:bg-hover')}
      sight={sight}
    />
  )
}

function Cells({ entry: { score, key, atTx, entry } }: { entry: SetEntry }) {
  const { pathOf } = useKeysAddress()
  return (
    <>
      <span className="truncate font-mono tabular-nums" role="cell">
        {scoreText(score)}
      </span>
      <span className="flex min-w-0 items-center gap-2" role="cell">
        <Link
          className="truncate font-mono text-primary underline"
          to={pathOf({ key, isSet: false, revision: '' })}
        >
          <KeyName of={key} />
        </Link>
        {atTx !== '0' && <Badge>tx {formatTx(atTx)}</Badge>}
      </span>
      <span className="truncate text-muted" role="cell">
        <SafeText text={shownValue(entry.value)} value />
      </span>
    </>
  )
}

/** The score as it is: JavaScript writes −0 as 0. */
function scoreText(score: number): string {
  return Object.is(score, -0) ? '-0' : String(score)
}

const shownLength = 200

function shownValue(value: string): string {
  // Four characters of base64 are three bytes, so a cut at a multiple of four cuts no byte.
  const bytes = base64ToBytes(value.slice(0, shownLength * 4))
  const text = decodeUtf8(bytes)
  return beginning(text ?? `hex ${bytesToHex(bytes.subarray(0, shownLength / 2))}`, shownLength)
}
