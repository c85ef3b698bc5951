import { useAtomValue } from 'jotai'
import {
  countFiltered,
  filteredCountAtom,
  firstPlace,
  type Place,
  type RowsPage,
} from '~/atoms/tables/table-rows'
import { useAct } from '~/core/act'
import { tablePageSizes } from '~/lib/constants'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { CountIcon } from '~/ui/QueryIcons'
import { Select } from '~/ui/Select'
import { Spinner } from '~/ui/Spinner'
import { ScrolledBar } from './ScrolledBar'
import type { RowList } from './use-rows'

type Props = {
  of: RowList
  page: RowsPage
  isFetching: boolean
  go: (to: Place) => void
  size: number
  setSize: (size: number) => void
}

/** Whether a page has all rows. */
export const isOnly = ({ next, previous }: RowsPage) => next === null && previous === null

/** Goes from page to page; a page is found by the key of the row in front of it. */
export function Pager({ of, page, isFetching, go, size, setSize }: Props) {
  const { next, previous, unread } = page
  const isAll = isOnly(page)
  const { rowCount } = unread ?? page.rows
  const noPrevious = previous ? undefined : 'These are the first rows.'
  const noNext = next ? undefined : 'These are the last rows.'
  return (
    <nav
      aria-label="Pages of rows"
      className="flex flex-wrap items-center gap-1 border-line border-t px-2 xs:py-1"
    >
      <ScrolledBar>
        <PageButton go={() => go(firstPlace)} label="First" reason={noPrevious} sign="«" />
        <PageButton
          go={() => previous && go(previous)}
          label="Previous"
          reason={noPrevious}
          sign="‹"
        />
        <PageButton go={() => next && go(next)} label="Next" reason={noNext} sign="›" />
        {of.path.key !== null && (
          <PageButton go={() => go({ kind: 'last' })} label="Last" reason={noNext} sign="»" />
        )}
        <Select
          label="Rows per page"
          onChange={(value) => setSize(Number(value))}
          options={tablePageSizes.map((one) => ({
            value: String(one),
            label: `${formatCount(one)} per page`,
          }))}
          quiet
          size="small"
          value={String(size)}
        />
        <span className="ms-2 flex items-center gap-2 text-muted text-sm" role="status">
          {isAll ? `${counted(rowCount, 'row')} in all` : placeOf(page, rowCount)}
          {isFetching && <Spinner />}
        </span>
        {!isAll && !(page.start !== null && next === null) && <Count of={of} />}
      </ScrolledBar>
      {of.path.key === null && !isAll && (
        <span className="min-w-0 flex-1 basis-0 truncate text-muted text-sm" title={counting}>
          {counting}
        </span>
      )}
    </nav>
  )
}

const counting =
  'Pages are counted off: rows that change between two pages may be missed or shown twice.'

/** Which rows these are, as exactly as it is known. */
function placeOf({ start, next }: RowsPage, rowCount: number): string {
  if (rowCount === 0) return 'No rows here'
  if (start === null) return next ? counted(rowCount, 'row') : `Last ${counted(rowCount, 'row')}`
  const range = `Rows ${formatCount(start + 1)}–${formatCount(start + rowCount)}`
  return next ? range : `${range} of ${formatCount(start + rowCount)}`
}

type ButtonProps = {
  label: string
  /** In place of the label where the bar is short. */
  sign: string
  reason: string | undefined
  go: () => void
}

function PageButton({ label, sign, reason, go }: ButtonProps) {
  return (
    <Button
      aria-label={`${label} page`}
      disabledReason={reason}
      onClick={go}
      size="small"
      variant="quiet"
    >
      <span className="@max-3xl:xs:hidden">{label}</span>
      <span aria-hidden="true" className="hidden @max-3xl:xs:inline">
        {sign}
      </span>
    </Button>
  )
}

/** The number of rows, when asked for: the server reads all of them to count them. */
function Count({ of }: { of: RowList }) {
  const found = useAtomValue(filteredCountAtom)(of)
  const count = useAct(countFiltered)
  if (found?.state === 'done') {
    return (
      <span className="text-muted text-sm" role="status">
        of {counted(BigInt(found.text), 'row')}
      </span>
    )
  }
  return (
    <>
      <Button
        busy={found?.state === 'running'}
        icon={<CountIcon />}
        onClick={() => void count(of)}
        size="small"
        variant="quiet"
      >
        <span className="@max-3xl:xs:sr-only">Count rows</span>
      </Button>
      {found?.state === 'failed' && (
        <span className="text-sm text-warning" role="status">
          They were not counted. {found.text}
        </span>
      )}
    </>
  )
}
