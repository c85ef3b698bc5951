import { decodeUtf8, hexToBytes } from '~/lib/bytes'
import { beginning } from '~/lib/visible-text'
import type { ComparedLeaf, Value } from '~/proof/shown'
import { labelOf, textOf, unequalLeaves } from '~/trust/object-verdict'
import type { Proof } from '~/trust/verification'
import { cx } from '~/ui/cx'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'

/** Characters of a value that are shown. */
const shownLength = 400
/** Lines that are drawn; a transaction may have thousands of entries. */
const mostLines = 50

type Props = {
  of: Proof
  /** Nothing of the answer is verified. */
  isDoubted: boolean
}

/** What is shown and not the same as proven, with both values; nothing where there is none. */
export function Unequal({ of, isDoubted }: Props) {
  const leaves = unequalLeaves(of).filter(({ match }) => match !== 'uncovered')
  if (leaves.length === 0) return null
  const isSent = of.verification.shown.sentAfter !== undefined
  return (
    <Table
      caption={
        isDoubted ? 'What is shown and what the answer has' : 'What is shown and what is proven'
      }
      look="table-fixed"
      titles={[
        { title: 'Part', look: 'w-1/4' },
        isSent ? 'Sent' : 'Shown',
        isDoubted ? 'In the answer' : 'Proven',
      ]}
    >
      {leaves.slice(0, mostLines).map((leaf) => (
        <Line key={`${leaf.group} ${leaf.name} ${leaf.value.of}`} leaf={leaf} />
      ))}
    </Table>
  )
}

function Line({ leaf }: { leaf: ComparedLeaf }) {
  const [drawn, proven] = textsOf(leaf)
  return (
    <tr>
      <th className="break-words" scope="row">
        <SafeName text={labelOf(leaf)} />
      </th>
      <td
        className={cx(
          'font-mono [overflow-wrap:anywhere]',
          leaf.match === 'differs' && 'text-error',
        )}
      >
        <SafeText text={beginning(drawn, shownLength)} value />
      </td>
      <td className="font-mono [overflow-wrap:anywhere]">
        <SafeText text={beginning(proven, shownLength)} value />
      </td>
    </tr>
  )
}

/** The shown and the proven value, with their types where both have one and these differ. */
function textsOf({ value, proven }: ComparedLeaf): readonly [drawn: string, proven: string] {
  const isRetyped =
    value.type !== undefined && proven?.type !== undefined && value.type !== proven.type
  const text = (of: Value | null) => `${valueText(of)}${isRetyped ? `, as ${of?.type}` : ''}`
  return [text(value), text(proven)]
}

/** Bytes as text where they are some. */
function valueText(value: Value | null): string {
  if (value?.is !== 'bytes') return textOf(value)
  const text = decodeUtf8(hexToBytes(value.of) ?? new Uint8Array())
  return text === null || text === '' ? textOf(value) : text
}
