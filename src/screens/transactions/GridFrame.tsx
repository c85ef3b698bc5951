// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { TxEntries } from '~/api/transactions'
import { isTxId } from '~/immudb/moment'
import { pathTo } from '~/lib/paths'
import { actionOf } from '~/lib/shortcuts'
import { focusContent } from '~/ui/focus-content'
import { useNavigate } from '~/ui/location'
import { useLinesInSight } from '~/ui/tree/viewport'
import { useNarrow } from '~/ui/use-narrow'
import { useListAddress } from './address'
import { Head, type ReadState, TxRow } from './TxRow'

// Outside React: the rows in sight are read, and the focus.

export type Target = { id: bigint; isAtTop: boolean }
export type Place = { index: number; start: number }
type RowOf = Place & { tx: TxEntries | undefined; state: ReadState }
export type DrawRow = (of: RowOf) => ReactNode

type FrameProps = {
  count: number
  idAt: (index: number) => bigint
  indexOf: (id: bigint) => number
  newest: bigint
  last: bigint
  target: Target | null
  /** The transaction from which someone returns to the list, where they continue. */
  before: string | undefined
  onGoTo: (id: bigint) => void
  /** The first transaction in sight once the list stands still. */
  onSettled?: (id: bigint) => void
  rows: (range: readonly Place[], row: DrawRow) => ReactNode
}

/** Milliseconds without scrolling after which the position goes into the address. */
const settleTime = 300

/** The scrolling box with its keys; the focus stays on it, and one row is the active one. */
export function GridFrame(props: FrameProps) {
  const { count, idAt, indexOf, newest, last, target, onGoTo, onSettled, before } = props
  const isNarrow = useNarrow()
  const height = isNarrow ? 92 : 36
  const { database } = useListAddress()
  const navigate = useNavigate()
  const sight = useLinesInSight(count, height)
  const box = useRef<HTMLElement | null>(null)
  const { attach: watch } = sight
  const attach = useCallback(
    (element: HTMLElement | null) => {
      box.current = element
      return watch(element)
    },
    [watch],
  )
  const gridId = useId()
  const returned = before !== undefined && isTxId(before) ? BigInt(before) : null
  const [active, setActive] = useState(returned)
  const [aim, setAim] = useState(target)
  if (aim !== target) {
    setAim(target)
    if (target?.isAtTop) setActive(target.id)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the return takes the focus.
  useEffect(() => {
    const place = document.activeElement
    const isFree = place === document.body || place?.id === 'content'
    if (returned !== null && isFree) box.current?.focus({ preventScroll: true })
  }, [])
  const headerHeight = isNarrow ? 0 : 30
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target is a wish to go there.
  useLayoutEffect(() => {
    if (!target) return
    const index = indexOf(target.id)
    if (target.isAtTop) sight.moveTo(index)
    else sight.reveal(index, headerHeight)
  }, [target])
  const [first, end] = [sight.lines[0]?.index ?? 0, sight.lines.at(-1)?.index ?? 0]
  const settled = idAt(sight.top)
  useSettled(settled, onSettled)
  const open = (id: bigint) => {
    focusContent()
    navigate(pathTo('transactions', { db: database, id: String(id) }))
  }
  const press = (event: KeyboardEvent) => {
    const action = actionOf('transactions', event)
    const at = indexOf(active ?? settled)
    const page = sight.page(headerHeight)
    const steps: Record<string, number> = { up: -1, down: 1, pageUp: -page, pageDown: page }
    if (action === undefined) return
    if (action === 'open') {
      if (active === null || event.target !== event.currentTarget) return
      event.preventDefault()
      return open(active)
    }
    event.preventDefault()
    const isFirst = active === null && (action === 'up' || action === 'down')
    const next = Math.min(count - 1, Math.max(0, at + (isFirst ? 0 : (steps[action] ?? 0))))
    const id = action === 'first' ? newest : action === 'last' ? last : idAt(next)
    setActive(id)
    onGoTo(id)
  }
  const draw: DrawRow = ({ index, start, tx, state }) => {
    const id = idAt(index)
    return (
      <TxRow
        database={database}
        id={String(id)}
        isActive={id === active}
        isNarrow={isNarrow}
        key={String(id)}
        onOpen={open}
        place={Number(newest - id) + 2}
        rowId={`${gridId}-${id}`}
        start={start}
        state={state}
        tx={tx}
      />
    )
  }
  const isDrawn = active !== null && indexOf(active) >= first && indexOf(active) <= end
  return (
    <div
      aria-activedescendant={isDrawn ? `${gridId}-${active}` : undefined}
      aria-label="Transactions"
      aria-readonly="true"
      aria-rowcount={Number(newest) + 1}
      className="@container relative min-h-0 grow overflow-auto overscroll-x-contain bg-panel outline-none [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary"
      onFocus={() => setActive((now) => now ?? settled)}
      onKeyDown={press}
      ref={attach}
      role="grid"
      tabIndex={0}
    >
      <Head isNarrow={isNarrow} />
      <div className="relative" role="rowgroup" style={{ height: sight.boxHeight }}>
        {props.rows(sight.lines, draw)}
      </div>
    </div>
  )
}

function useSettled(id: bigint, tell: ((id: bigint) => void) | undefined) {
  const latest = useRef(tell)
  useLayoutEffect(() => {
    latest.current = tell
  })
  useEffect(() => {
    const timer = setTimeout(() => latest.current?.(id), settleTime)
    return () => clearTimeout(timer)
  }, [id])
}
