import { useAtomValue } from 'jotai'
import { timezoneAtom } from '~/core/page-view'
import { counted } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { beginning } from '~/lib/visible-text'
import type { CellFacts, RowFacts } from '~/proof/kernel/proven-facts'
import { formatCell } from '~/sql/cells'
import { Badge } from '~/ui/Badge'
import { CopyButton } from '~/ui/CopyButton'
import { Fact, Facts } from '~/ui/Facts'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'
import { ProvenTx } from './ProvenTx'

/** Characters of a value that are shown; the copy is always whole. */
const shownLength = 400

/** A proven row: its cells from the proven bytes. */
export function RowContent({ facts }: { facts: RowFacts }) {
  return (
    <div className="grid gap-3">
      <Facts>
        <WrittenIn facts={facts} />
      </Facts>
      <Table caption="Cells" titles={['Column', 'Value']}>
        {Object.entries(facts.named).map(([name, cell]) => (
          <tr key={name}>
            <th className="max-w-40 break-words" scope="row">
              <SafeName text={name} />
              {cell && (
                <span className="block text-muted text-xs">
                  <SafeText text={cell.type} />
                </span>
              )}
            </th>
            <td>
              <Cell cell={cell} name={name} />
            </td>
          </tr>
        ))}
      </Table>
      {facts.hidden.length > 0 && (
        <p className="text-sm">
          {counted(facts.hidden.length, 'dropped column')}{' '}
          {facts.hidden.length === 1 ? 'has' : 'have'} content in this row: stored and proven, but
          no query shows it.
        </p>
      )}
      {facts.hidden.map((id) => (
        <Hidden digits={facts.raw[id] ?? ''} id={id} key={id} />
      ))}
    </div>
  )
}

function Cell({ cell, name }: { cell: CellFacts | null; name: string }) {
  const zone = useAtomValue(timezoneAtom)
  if (cell === null) return <span className="null">NULL</span>
  const text = String(cell.value)
  if (text === '' && cell.type !== 'BLOB') return <span className="font-mono text-muted">''</span>
  const shown =
    cell.type === 'TIMESTAMP'
      ? formatCell('TIMESTAMP', text, zone).text
      : cell.type === 'BLOB' || cell.isBytes
        ? `0x${text}`
        : text
  return (
    <span className="flex items-start gap-1">
      <span className="min-w-0 whitespace-pre-wrap font-mono [overflow-wrap:anywhere]">
        <SafeText lines text={beginning(shown, shownLength)} />
        {shown.length > shownLength && '…'}
        {cell.isBytes && (
          <span className="block font-sans text-muted text-xs">
            These bytes are not UTF-8 text, so they are shown as they are.
          </span>
        )}
      </span>
      <span className="-my-3 xs:my-0">
        <CopyButton size="tiny" text={text} what={`the value of ${name} in the proof`} />
      </span>
    </span>
  )
}

function Hidden({ id, digits }: { id: number; digits: string }) {
  return (
    <p className="text-sm">
      <span className="text-muted">Dropped column number {id}: </span>
      <code translate="no" className="font-mono [overflow-wrap:anywhere]">
        0x{beginning(digits, shownLength)}
        {digits.length > shownLength && '…'}
      </code>
    </p>
  )
}

type Props = { facts: { readonly tx: string; readonly ts: string; readonly deleted: boolean } }

/** Which transaction wrote or deleted a row or document, and when. */
export function WrittenIn({ facts }: Props) {
  const zone = useAtomValue(timezoneAtom)
  return (
    <>
      <Fact name="Written in">
        <ProvenTx id={facts.tx} />, {formatMoment(Number(facts.ts) * 1_000, zone)}
      </Fact>
      {facts.deleted && (
        <Fact name="State">
          <Badge tone="warning">Deleted</Badge> in this transaction; this is its last content.
        </Fact>
      )}
    </>
  )
}
