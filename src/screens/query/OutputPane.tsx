import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import {
  clearOutput,
  droppedCountAtom,
  outputAtom,
  pinnedResultsAtom,
  severityAtom,
  shownHitAtom,
  visibleOutputAtom,
} from '~/atoms/query/output'
import type { OutputItem } from '~/atoms/query/output-entry'
import {
  hitIndexAtom,
  isSearchingAtom,
  outputHitsAtom,
  searchTextAtom,
  stepHit,
} from '~/atoms/query/output-search'
import { useAct } from '~/core/act'
import { areSingleKeysOnAtom } from '~/core/settings'
import { openResultLimit } from '~/lib/constants'
import { actionOf, keysOf } from '~/lib/shortcuts'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { Field } from '~/ui/Field'
import { ChevronDownIcon, CloseIcon, TerminalIcon, TrashIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SearchIcon } from '~/ui/QueryIcons'
import { Select } from '~/ui/Select'
import { useShortcut } from '~/ui/use-shortcut'
import { useQueryPanes } from './query-panes'
import { ResultEntry } from './ResultEntry'

// Outside React: the scroll position and the focus.

const severities = [
  { value: 'all', label: 'Everything' },
  { value: 'rows', label: 'Results' },
  { value: 'error', label: 'Errors' },
]

/** The results of this tab, the newest at the end. */
export function OutputPane() {
  const items = useAtomValue(visibleOutputAtom)
  const all = useAtomValue(outputAtom)
  const dropped = useAtomValue(droppedCountAtom)
  const search = useSearch()
  return (
    <section aria-label="Output" className="flex h-full flex-col bg-page" onKeyDown={search.press}>
      <OutputBar hasOutput={all.length > 0} search={search} />
      {search.isOpen && <OutputSearch key={search.opened} onClose={search.close} />}
      {dropped > 0 && (
        <p className="px-3 py-1 text-muted text-sm">
          {counted(dropped, 'older result')} dropped to keep this page quick.
        </p>
      )}
      {items.length === 0 ? <NoOutput isFiltered={all.length > 0} /> : <OutputList items={items} />}
    </section>
  )
}

function NoOutput({ isFiltered }: { isFiltered: boolean }) {
  const setSeverity = useSetAtom(severityAtom)
  return (
    <EmptyState
      action={isFiltered && <Button onClick={() => setSeverity('all')}>Show everything</Button>}
      icon={<TerminalIcon />}
      text={isFiltered ? 'The filter hides every result.' : 'Run a statement to see its result.'}
      title="No output"
    />
  )
}

type Search = ReturnType<typeof useSearch>

/** Whether the search is open: by its button, by / on the screen, by Ctrl+F in the output. */
function useSearch() {
  // Counts the openings, so that opening it again brings the focus back to its field.
  const [opened, setOpened] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { show } = useQueryPanes()
  const open = () => {
    show('output')
    setOpened((count) => count + 1)
    setIsOpen(true)
  }
  const close = () => {
    setIsOpen(false)
    button.current?.focus()
  }
  useShortcut('output', 'search', open, { isOn: useAtomValue(areSingleKeysOnAtom) })
  const press = (event: KeyboardEvent) => {
    if (actionOf('output', event) !== 'find') return
    event.preventDefault()
    open()
  }
  return { opened, isOpen, button, open, close, press }
}

function OutputBar({ hasOutput, search }: { hasOutput: boolean; search: Search }) {
  const [severity, setSeverity] = useAtom(severityAtom)
  const clear = useAct(clearOutput)
  const pinned = useAtomValue(pinnedResultsAtom)
  const all = useAtomValue(outputAtom)
  const isAllPinned = hasOutput && all.every(({ number }) => pinned.has(number))
  const hasPinned = all.some(({ number }) => pinned.has(number))
  return (
    <header className="flex h-10 shrink-0 items-center gap-2 border-line border-b bg-panel ps-3 pe-1">
      <h2 className="font-medium">Output</h2>
      <div className="ms-auto flex items-center gap-1">
        <IconButton
          aria-expanded={search.isOpen}
          disabledReason={hasOutput ? undefined : 'There is no output.'}
          icon={<SearchIcon />}
          label="Search the output"
          onClick={search.isOpen ? search.close : search.open}
          ref={search.button}
          size="small"
        />
        <Select
          label="Filter by severity"
          onChange={(value) => setSeverity(value === 'rows' || value === 'error' ? value : 'all')}
          options={severities}
          quiet
          size="small"
          value={severity}
        />
        <IconButton
          disabledReason={
            isAllPinned
              ? 'Only pinned results are left.'
              : hasOutput
                ? undefined
                : 'There is no output.'
          }
          icon={<TrashIcon />}
          label={hasPinned ? 'Clear the output except pinned results' : 'Clear the output'}
          onClick={clear}
          size="small"
        />
      </div>
    </header>
  )
}

function OutputList({ items }: { items: readonly OutputItem[] }) {
  const list = useRef<HTMLDivElement>(null)
  // Pinned ones come first, whatever their numbers.
  const numbers = items
    .flatMap(({ kind, number }) => (kind === 'entry' ? [number] : []))
    .sort((a, b) => a - b)
  const newest = numbers.at(-1) ?? 0
  const firstOpen = numbers.at(-openResultLimit) ?? 0
  useNewestInSight(list, newest, useAtomValue(shownHitAtom) !== null)
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
 * Scrolls to the newest result when it appears and once more when its content has come, until
 * something else is looked at; sizes and scroll positions are the browser's.
 */
function useNewestInSight(
  list: RefObject<HTMLDivElement | null>,
  newest: number,
  isElsewhere: boolean,
) {
  const isHeld = useRef(isElsewhere)
  useEffect(() => {
    isHeld.current = isElsewhere
  }, [isElsewhere])
  useEffect(() => {
    const last = newest > 0 ? list.current?.lastElementChild : null
    if (!last) return
    const show = () => {
      if (isHeld.current) stop()
      else last.scrollIntoView({ block: 'nearest' })
    }
    const observer = new ResizeObserver(show)
    const stop = () => observer.disconnect()
    show()
    // Earlier results grow too when their grids arrive, and push the newest down.
    for (const child of list.current?.children ?? []) observer.observe(child)
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

/** Searches statements, what was said about them, columns and values; steps from hit to hit. */
export function OutputSearch({ onClose }: { onClose: () => void }) {
  const [text, setText] = useAtom(searchTextAtom)
  const { hits } = useAtomValue(outputHitsAtom)
  const step = useAct(stepHit)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
    return () => setText('')
  }, [setText])
  const press = (event: KeyboardEvent) => {
    const action = actionOf('output', event)
    if (action === 'next') step(1)
    else if (action === 'previous') step(-1)
    else if (action === 'close') onClose()
    else return
    event.preventDefault()
  }
  const reason = hits.length === 0 ? 'Nothing was found.' : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: the older of the browsers we build for do not know it.
    <div
      aria-label="Output"
      className="flex shrink-0 items-center gap-1 border-line border-b bg-panel px-2 py-1"
      role="search"
    >
      <div className="min-w-0 max-w-96 flex-1">
        <Field
          autoComplete="off"
          bare
          label="Search the output"
          onChange={setText}
          onKeyDown={press}
          placeholder="Statement, message, column or value"
          ref={field}
          spellCheck={false}
          value={text}
        />
      </div>
      <Count />
      <IconButton
        disabledReason={reason}
        icon={<ChevronDownIcon className="rotate-180" />}
        label={`Previous hit (${keysOf('output', 'previous')})`}
        onClick={() => step(-1)}
        size="small"
      />
      <IconButton
        disabledReason={reason}
        icon={<ChevronDownIcon />}
        label={`Next hit (${keysOf('output', 'next')})`}
        onClick={() => step(1)}
        size="small"
      />
      <IconButton icon={<CloseIcon />} label="Close the search" onClick={onClose} size="small" />
    </div>
  )
}

function Count() {
  const { text, hits, isWhole } = useAtomValue(outputHitsAtom)
  const index = useAtomValue(hitIndexAtom)
  const hit = useAtomValue(shownHitAtom)
  const isSearching = useAtomValue(isSearchingAtom)
  const all = isWhole ? counted(hits.length, 'hit') : `more than ${counted(hits.length, 'hit')}`
  const place = index === null ? all : `${formatCount(index + 1)} of ${all}`
  return (
    <p className="min-w-0 truncate px-2 text-muted text-sm tabular-nums" role="status">
      {isSearching ? 'Searching…' : text !== '' && place}
      {hit && <span className="sr-only">, in result {hit.entry}</span>}
    </p>
  )
}
