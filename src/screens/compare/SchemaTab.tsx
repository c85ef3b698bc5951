import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { schemaExport } from '~/atoms/compare/comparison-export'
import { schemaSteps } from '~/atoms/compare/schema'
import type { Ddl } from '~/atoms/transactions/ddl'
import { useExport } from '~/core/files/use-export'
import type { RangeRead } from '~/core/history/transaction-reader'
import { timezoneAtom } from '~/core/page-view'
import { counted } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ExportBar, rowFormats } from '~/ui/ExportBar'
import { TableIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { TxLink } from '~/ui/TxLink'
import { useCompareAddress } from './address'
import { Between } from './RangeReader'

type Ends = { from: string; to: string }

/** Transactions before the first moment that are read without being asked. */
const few = 2_000n

/** What changed in the schema between two moments, as the statements that did it. */
export function SchemaTab({ from, to }: Ends) {
  const { database } = useCompareAddress()
  const [wantsNames, setWantsNames] = useState(BigInt(from) <= few)
  const hasBefore = from !== '0'
  const whole = { database, from: 1n, to: BigInt(to) }
  const part = { database, from: BigInt(from) + 1n, to: BigInt(to) }
  const isWhole = wantsNames || !hasBefore
  return (
    <Between key={String(isWhole)} span={isWhole ? whole : part} what="Schemas">
      {(range) => (
        <>
          <Changes ends={{ from, to }} isWhole={isWhole} range={range} />
          {!isWhole && (
            <p className="flex flex-wrap items-center gap-2 px-4 py-2 text-muted text-sm">
              Names from before tx {from} are not known.
              <Button onClick={() => setWantsNames(true)} size="small">
                Read from the first transaction on
              </Button>
            </p>
          )}
        </>
      )}
    </Between>
  )
}

type ChangesProps = { range: RangeRead; ends: Ends; isWhole: boolean }

function Changes({ range, ends, isWhole }: ChangesProps) {
  const { database } = useCompareAddress()
  const zone = useAtomValue(timezoneAtom)
  const { from } = ends
  const steps = useMemo(
    () => schemaSteps(range.catalogue, BigInt(from), isWhole),
    [range, from, isWhole],
  )
  const file = useExport(
    schemaExport({ database, ...ends, steps, unlisted: range.unlisted.length }),
  )
  const ofCollections = range.catalogue.filter(
    ({ isOfCollections, isCopy, tx }) => isOfCollections && !isCopy && BigInt(tx) > BigInt(from),
  )
  const withCollections = new Set(ofCollections.map(({ tx }) => tx)).size
  return (
    <>
      {steps.length === 0 ? (
        <EmptyState
          icon={<TableIcon />}
          text="No table, column, index, check, view or sequence changed in between."
          title="The schema is the same"
        />
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2 px-4 py-2 text-sm">
            <p role="status">{counted(steps.length, 'transaction')} changed the schema.</p>
            <ExportBar {...file} formats={rowFormats} title="Every change of the schema" />
          </div>
          <ol aria-label="Schema changes" className="divide-y divide-line border-line border-y">
            {steps.map(({ tx, ts, ddl }) => (
              <li className="grid gap-1 px-4 py-2" key={tx}>
                <p className="text-muted text-sm">
                  <TxLink database={database} id={tx} /> · {formatMoment(Number(ts) * 1_000, zone)}
                </p>
                {ddl.map((one, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the past does not change.
                  <Statement key={index} of={one} />
                ))}
              </li>
            ))}
          </ol>
        </>
      )}
      {withCollections > 0 && (
        <p className="px-4 py-2 text-muted text-sm">
          {counted(withCollections, 'transaction')} changed collections. immudb does not send what
          changed in them.
        </p>
      )}
    </>
  )
}

function Statement({ of }: { of: Ddl }) {
  return (
    <>
      {of.kind === 'sql' ? (
        <pre
          translate="no"
          className="overflow-x-auto whitespace-pre-wrap break-words font-mono text-sm"
        >
          <SafeText lines text={of.sql} />
        </pre>
      ) : (
        <p className="break-words">
          <SafeText text={of.text} />
        </p>
      )}
      {of.note && <p className="text-muted text-sm">{of.note}</p>}
    </>
  )
}
