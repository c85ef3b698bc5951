import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { timezoneAtom } from '~/core/page-view'
import { cutText } from '~/lib/visible-text'
import { formatCell, type TimeZone } from '~/sql/cells'
import { type Condition, keyOrder, noFilter, type RowQuery, valuesTaken } from '~/sql/row-filter'
import { typesOf } from '~/sql/table-rows'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeName, SafeText } from '~/ui/SafeText'
import { useRowQuery } from './address'
import { operatorWords } from './operator-words'
import type { RowList } from './use-rows'

/** Longest value that a chip shows, and how many of a list. */
const longestShown = 40
const mostShown = 3

type Props = {
  of: RowList
  /** The form is open and has the conditions. */
  isTyping: boolean
}

/** The filter that is applied, a condition at a time, and the order that no index gives. */
export function FilterChips({ of, isTyping }: Props) {
  const [query, setQuery] = useRowQuery()
  const { filter, order } = query ?? { filter: noFilter, order: keyOrder }
  const conditions = isTyping ? [] : filter.conditions
  const by = of.path.isSorted ? of.path.index[0] : undefined
  if (conditions.length === 0 && by === undefined) return null
  const without = (at: number): RowQuery => ({
    filter: { ...filter, conditions: filter.conditions.filter((_, other) => other !== at) },
    order,
  })
  return (
    <div className="flex max-h-20 flex-wrap items-center gap-1 overflow-y-auto border-line border-b px-2 py-1 text-sm">
      {conditions.map((condition, at) => (
        <ConditionChip
          key={JSON.stringify([at, condition])}
          of={of}
          condition={condition}
          onRemove={() => setQuery(without(at))}
        >
          {at > 0 && <span className="text-muted">{filter.isAny ? 'or' : 'and'}</span>}
        </ConditionChip>
      ))}
      {by !== undefined && (
        <span className="px-1 text-muted" role="status">
          No index begins with <Name text={by} />: the server reads every row and sorts, for each
          page.
        </span>
      )}
    </div>
  )
}

function Name({ text }: { text: string }) {
  return (
    <bdi translate="no">
      <SafeName text={text} />
    </bdi>
  )
}

type ChipProps = {
  of: RowList
  condition: Condition
  onRemove: () => void
  children: ReactNode
}

function ConditionChip({ of, condition, onRemove, children }: ChipProps) {
  const { column, operator } = condition
  const values = shownValues(condition, typesOf(of.columns)(column), useAtomValue(timezoneAtom))
  return (
    <>
      {children}
      <span className="flex min-w-0 max-w-full items-center gap-1 rounded-sm bg-raised ps-2">
        <span className="max-w-48 truncate font-medium">
          <Name text={column} />
        </span>
        <span className="shrink-0 text-muted">{operatorWords[operator]}</span>
        <span className="min-w-0 truncate font-mono" translate="no">
          <SafeText text={values} value />
        </span>
        <IconButton
          icon={<CloseIcon />}
          label={`Remove the condition ${column} ${operatorWords[operator]} ${values}`.trim()}
          onClick={onRemove}
          size="tiny"
        />
      </span>
    </>
  )
}

/** Values as the grid shows them; texts in quotes, so that blanks and digits are seen for what they are. */
function shownValues({ operator, values }: Condition, type: string, zone: TimeZone): string {
  const isText = type === 'VARCHAR' || type === 'JSON'
  const shown = values.slice(0, mostShown).map((value) => {
    const text = isText ? `'${value}'` : formatCell(type, value, zone).text
    return cutText(text, longestShown)
  })
  const more = values.length - shown.length
  if (valuesTaken(operator) === 2) return shown.join(' and ')
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
