// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.
import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import type { TxEntries } from '~/api/transactions'
import { listPage, rememberedTxAtom, txPagesAtom } from '~/atoms/transactions/tx-list'
import { sentence } from '~/core/session/failure-words'
import { Button } from '~/ui/Button'
import { useListAddress } from './address'
import { type DrawRow, GridFrame, type Place, type Target } from './GridFrame'

type WholeProps = { newest: string; before: string | undefined }

/** Every transaction; what is drawn does not depend on how many there are. */
export function WholeHistory({ newest: newestText, before }: WholeProps) {
  const { place, setPlace } = useListAddress()
  const newest = BigInt(newestText)
  const wanted = place === null ? newest : least(BigInt(place), newest)
  const [anchor] = useState(newest)
  // What the list itself wrote into the address is no wish to go there.
  const written = useRef(place)
  const [end, setEnd] = useState(newest)
  const [target, setTarget] = useState(() => ({ id: wanted, isAtTop: true }))
  if (written.current !== place || end !== newest) {
    written.current = place
    setEnd(newest)
    setTarget({ id: wanted, isAtTop: true })
  }
  return (
    <GridFrame
      before={before}
      count={Number(newest)}
      idAt={(index) => newest - BigInt(index)}
      indexOf={(id) => Number(newest - id)}
      last={1n}
      newest={newest}
      onGoTo={(id) => setTarget({ id, isAtTop: false })}
      onSettled={(id) => {
        const next = id >= newest ? null : String(id)
        if (next === written.current) return
        written.current = next
        setPlace(next)
      }}
      rows={(range, row) => <Pages anchor={anchor} newest={newest} range={range} row={row} />}
      target={target}
    />
  )
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)

type FoundProps = { found: readonly TxEntries[]; before: string | undefined }

/** Transactions that fit a filter. */
export function FoundTransactions({ found, before }: FoundProps) {
  const [target, setTarget] = useState<Target | null>(null)
  const ids = found.map(({ header }) => BigInt(header.id))
  return (
    <GridFrame
      before={before}
      count={found.length}
      idAt={(index) => ids[index] ?? 0n}
      indexOf={(id) => ids.indexOf(id)}
      last={ids.at(-1) ?? 0n}
      newest={ids[0] ?? 0n}
      onGoTo={(id) => setTarget({ id, isAtTop: false })}
      rows={(range, row) =>
        range.map(({ index, start }) => row({ index, start, tx: found[index], state: 'here' }))
      }
      target={target}
    />
  )
}

type Span = { from: bigint; to: bigint }

type PagesProps = {
  range: readonly Place[]
  newest: bigint
  /** The newest one when the list was opened: pages are counted from there. */
  anchor: bigint
  row: DrawRow
}

/** The rows in sight, page by page. */
function Pages({ range, newest, anchor, row }: PagesProps) {
  const byPage = new Map<bigint, { span: Span; places: Place[] }>()
  for (const place of range) {
    const span = pageOf(newest - BigInt(place.index), anchor, newest)
    const page = byPage.get(span.from) ?? { span, places: [] }
    page.places.push(place)
    byPage.set(span.from, page)
  }
  return [...byPage].map(([from, { span, places }]) => (
    <Page key={String(from)} newest={newest} places={places} row={row} span={span} />
  ))
}

/** The page with a transaction; its bounds stay while transactions arrive. */
function pageOf(id: bigint, anchor: bigint, newest: bigint): Span {
  const size = BigInt(listPage)
  if (id > anchor) {
    const from = anchor + ((id - anchor - 1n) / size) * size + 1n
    return { from, to: least(from + size - 1n, newest) }
  }
  const to = anchor - ((anchor - id) / size) * size
  return { from: to > size ? to - size + 1n : 1n, to }
}

type PageProps = { span: Span; places: readonly Place[]; newest: bigint; row: DrawRow }

function Page({ span: { from, to }, places, newest, row }: PageProps) {
  const { database } = useListAddress()
  const remembered = useAtomValue(rememberedTxAtom)
  const { data, error, isFetching, refetch } = useAtomValue(
    useAtomValue(txPagesAtom)(database, String(from), String(to)),
  )
  const state = data ? 'here' : error && !isFetching ? 'failed' : 'coming'
  return (
    <>
      {places.map(({ index, start }) => {
        const id = String(newest - BigInt(index))
        const tx = data?.get(id) ?? remembered(database, id)
        return row({ index, start, tx, state: tx ? 'here' : state })
      })}
      {state === 'failed' && (
        <div
          className="absolute inset-x-0 z-sticky flex flex-wrap items-center gap-3 bg-error-tint px-3 py-2 text-sm"
          role="row"
          style={{ top: places[0]?.start }}
        >
          <span className="text-error" role="gridcell">
            These transactions could not be read. {sentence(error)}
          </span>
          <span role="gridcell">
            <Button onClick={() => void refetch()} size="small">
              Try again
            </Button>
          </span>
        </div>
      )}
    </>
  )
}
