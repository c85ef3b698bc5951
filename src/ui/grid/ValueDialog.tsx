import { type ReactNode, useMemo, useState } from 'react'
import { mostParts, partsPerStep } from '~/lib/constants'
import { locale } from '~/lib/locale'
import { textParts, totalLength } from '~/lib/text-parts'
import { pause } from '~/lib/work-in-slices'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { Dialog } from '~/ui/Dialog'
import { type Cell, copiedText, type GridColumn } from '~/ui/grid/cell'
import { JsonTree } from '~/ui/JsonTree'
import { LongText } from '~/ui/LongText'
import { Tabs } from '~/ui/Tabs'
import { cx } from '../cx'

type ValueDialogProps = {
  column: GridColumn | undefined
  row: number
  cell: Cell
  onClose: () => void
}

/** One whole value, as it is stored. */
export function ValueDialog({ column, row, cell, onClose }: ValueDialogProps) {
  const [limit, setLimit] = useState<number>(partsPerStep)
  const text = copiedText(cell)
  const parts = useMemo(() => textParts(text, limit), [text, limit])
  const showAll = async () => {
    for (let count = limit; count < mostParts && !isAll(text, textParts(text, count)); ) {
      count += partsPerStep
      setLimit(count)
      await pause()
    }
  }
  const isWhole = isAll(text, parts)
  const count = new Intl.NumberFormat(locale).format(text.length)
  const unit = text.length === 1 ? 'character' : 'characters'
  return (
    <Dialog
      description={
        <>
          Row {new Intl.NumberFormat(locale).format(row + 1)}
          {column?.detail && ` · ${column.detail}`} · {count} {unit}
        </>
      }
      footer={<CopyButton size="normal" text={text} what="value" worded />}
      onClose={onClose}
      open
      title={column?.title ?? ''}
      width="wide"
    >
      <Views isJson={cell.kind === 'json'} isShown={looksLikeJson(cell, text)} text={text}>
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
          tabIndex={0}
          aria-label="Value"
          className={cx(
            'max-h-[50vh] min-h-16 overflow-auto whitespace-pre-wrap break-words rounded border border-line bg-page px-3 py-2',
            cell.kind === 'text' ? 'text-base' : 'font-mono text-sm',
          )}
        >
          {cell.kind === 'null' && <span className="null">NULL</span>}
          {cell.kind === 'empty' && <span className="font-mono text-muted">''</span>}
          <LongText parts={parts} />
        </section>
        {cell.before && <Before cell={cell.before} />}
        {!isWhole && limit < mostParts && (
          <div className="mt-2">
            <Button onClick={() => void showAll()} size="small">
              Show all {count} characters
            </Button>
          </div>
        )}
        {!isWhole && limit >= mostParts && (
          <p className="mt-2 text-muted text-sm">
            This is the beginning. Copy the value to get all of it.
          </p>
        )}
      </Views>
    </Dialog>
  )
}

/** The beginning of what the value was before. */
function Before({ cell }: { cell: Cell }) {
  const text = copiedText(cell)
  return (
    <section aria-label="Value before" className="pt-2">
      <p className="flex items-center gap-2 pb-1 text-muted text-sm">
        Before <CopyButton text={text} what="value before" />
      </p>
      <div className="max-h-[25vh] overflow-auto whitespace-pre-wrap break-words rounded border border-line bg-page px-3 py-2 font-mono text-sm">
        {cell.kind === 'null' && <span className="null">NULL</span>}
        {cell.kind === 'empty' && "''"}
        <LongText parts={textParts(text, partsPerStep)} />
      </div>
    </section>
  )
}

function isAll(text: string, parts: readonly string[]): boolean {
  return totalLength(parts) === text.length
}

/** A text may hold an object too. */
function looksLikeJson({ kind }: Cell, text: string): boolean {
  return kind === 'json' || (kind === 'text' && /^\s*[[{]/.test(text))
}

type ViewsProps = { text: string; isShown: boolean; isJson: boolean; children: ReactNode }

/** A value that is made of others can be looked at as a tree, too. */
function Views({ text, isShown, isJson, children }: ViewsProps) {
  const [view, setView] = useState(isJson ? 'tree' : 'text')
  if (!isShown) return children
  const tree = (
    <div className="pt-2">
      <JsonTree label="Value as a tree" text={text} />
    </div>
  )
  return (
    <Tabs
      label="View"
      onChange={setView}
      tabs={[
        { id: 'tree', label: 'Tree', content: view === 'tree' && tree },
        { id: 'text', label: 'Text', content: <div className="pt-2">{children}</div> },
      ]}
      value={view}
    />
  )
}
