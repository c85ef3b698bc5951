import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type RefObject, useEffect, useRef } from 'react'
import {
  droppedCountAtom,
  type OutputItem,
  outputAtom,
  setOutputAtom,
  severityAtom,
  visibleOutputAtom,
} from '~/atoms/output'
import { openResultLimit } from '~/lib/constants'
import { counted } from '~/lib/text'
import { EmptyState } from '~/ui/EmptyState'
import { TerminalIcon, TrashIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'
import { ResultEntry } from './ResultEntry'

const severities = [
  { value: 'all', label: 'Everything' },
  { value: 'stdtable', label: 'Results' },
  { value: 'stderr', label: 'Errors' },
]

/** The results of this tab, the newest at the end. */
export function OutputPane() {
  const items = useAtomValue(visibleOutputAtom)
  const all = useAtomValue(outputAtom)
  const dropped = useAtomValue(droppedCountAtom)
  return (
    <section aria-label="Output" className="flex h-full flex-col bg-page">
      <OutputBar hasOutput={all.length > 0} />
      {dropped > 0 && (
        <p className="px-3 py-1 text-muted text-sm">
          {counted(dropped, 'older result')} dropped to keep this page quick.
        </p>
      )}
      {items.length === 0 ? (
        <EmptyState
          icon={<TerminalIcon />}
          text={
            all.length > 0 ? 'The filter hides every result.' : 'Run a statement to see its result.'
          }
          title="No output"
        />
      ) : (
        <OutputList items={items} />
      )}
    </section>
  )
}

function OutputBar({ hasOutput }: { hasOutput: boolean }) {
  const [severity, setSeverity] = useAtom(severityAtom)
  const setOutput = useSetAtom(setOutputAtom)
  return (
    <header className="flex h-10 shrink-0 items-center gap-2 border-line border-b bg-panel ps-3 pe-1">
      <h2 className="font-medium">Output</h2>
      <div className="ms-auto flex items-center gap-1">
        <Select
          label="Filter by severity"
          onChange={(value) =>
            setSeverity(value === 'stdtable' || value === 'stderr' ? value : 'all')
          }
          options={severities}
          quiet
          size="small"
          value={severity}
        />
        <IconButton
          disabledReason={hasOutput ? undefined : 'There is no output.'}
          icon={<TrashIcon />}
          label="Clear the output"
          onClick={() => setOutput([])}
          size="small"
        />
      </div>
    </header>
  )
}

function OutputList({ items }: { items: readonly OutputItem[] }) {
  const list = useRef<HTMLDivElement>(null)
  const entries = items.filter((item) => item.kind === 'entry')
  const newest = entries.at(-1)?.number ?? 0
  const firstOpen = entries.at(-openResultLimit)?.number ?? 0
  useNewestInSight(list, newest)
  return (
    <div className="min-h-0 grow overflow-auto" ref={list}>
      {items.map((item, index) =>
        item.kind === 'entry' ? (
          <ResultEntry entry={item} isOpenFirst={item.number >= firstOpen} key={item.number} />
        ) : (
          index < items.length - 1 && <hr className="border-line" key={`divider ${item.number}`} />
        ),
      )}
    </div>
  )
}

/**
 * Scrolls to the newest result when it appears and once more when its content has come; sizes and
 * scroll positions are the browser's.
 */
function useNewestInSight(list: RefObject<HTMLDivElement | null>, newest: number) {
  useEffect(() => {
    const last = newest > 0 ? list.current?.lastElementChild : null
    if (!last) return
    const show = () => last.scrollIntoView({ block: 'nearest' })
    show()
    const observer = new ResizeObserver(show)
    // Earlier results grow too when their grids arrive, and push the newest down.
    for (const child of list.current?.children ?? []) observer.observe(child)
    const stop = () => observer.disconnect()
    const area = list.current
    area?.addEventListener('pointerdown', stop)
    area?.addEventListener('wheel', stop, { passive: true })
    return () => {
      stop()
      area?.removeEventListener('pointerdown', stop)
      area?.removeEventListener('wheel', stop)
    }
  }, [list, newest])
}
