import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { shownHitAtom } from '~/atoms/query/output'
import {
  hitIndexAtom,
  isSearchingAtom,
  outputHitsAtom,
  searchTextAtom,
  stepHitAtom,
} from '~/atoms/query/output-search'
import { actionOf, keysOf } from '~/lib/shortcuts'
import { counted, formatCount } from '~/lib/text'
import { Field } from '~/ui/Field'
import { ChevronDownIcon, CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'

/** Searches statements, what was said about them, columns and values; steps from hit to hit. */
export function OutputSearch({ onClose }: { onClose: () => void }) {
  const [text, setText] = useAtom(searchTextAtom)
  const { hits } = useAtomValue(outputHitsAtom)
  const step = useSetAtom(stepHitAtom)
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
