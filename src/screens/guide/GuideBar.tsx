import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import { areSingleKeysOnAtom } from '~/atoms/settings/shortcuts'
import { actionOf, keysOf } from '~/lib/shortcuts'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useShortcut } from '~/ui/use-shortcut'
import type { useGuideAddress } from './address'
import { Contents } from './Contents'
import type { Chapter } from './guide'
import { Keys } from './Keys'
import { sectionCount } from './search'

type Props = {
  address: ReturnType<typeof useGuideAddress>
  /** What the search leaves. */
  shown: readonly Chapter[]
  /** Sections in the whole guide. */
  total: number
}

/** The search and the contents: beside the text where there is room, else above it. */
export function GuideBar({ address, shown, total }: Props) {
  const { query, type, settle, pathOf } = address
  const [isOpen, setOpen] = useState(false)
  const field = useSlash()
  const isSearching = query.trim() !== ''
  return (
    <div className="sticky top-0 z-sticky flex flex-col border-line border-b bg-page px-4 py-2 sm:h-fit sm:max-h-[calc(100vh-var(--header-height)-32px)] sm:border-b-0 sm:px-0 sm:pt-6 print:hidden">
      {/* biome-ignore lint/a11y/useSemanticElements: the older of the browsers we build for do not know it. */}
      <form
        aria-label="Guide"
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          settle(query)
        }}
        role="search"
      >
        <div className="min-w-0 flex-1">
          <Field
            autoComplete="off"
            bare
            enterKeyHint="search"
            label="Search the guide"
            onBlur={() => settle(query)}
            onChange={type}
            onKeyDown={(event) => {
              if (actionOf('guide', event) !== 'clear' || query === '') return
              event.preventDefault()
              settle('')
            }}
            placeholder="Search the guide"
            ref={field}
            spellCheck={false}
            trailing={
              query === '' ? (
                <span className="hidden px-2 sm:block">
                  <Keys>{keysOf('guide', 'search')}</Keys>
                </span>
              ) : (
                <IconButton
                  icon={<CloseIcon />}
                  label="Clear the search"
                  onClick={() => {
                    settle('')
                    field.current?.focus()
                  }}
                  size="small"
                />
              )
            }
            value={query}
          />
        </div>
        <span className="sm:hidden">
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Contents
          </Button>
        </span>
      </form>
      <p className={cx('pt-1 text-muted text-xs', !isSearching && 'sr-only')} role="status">
        {isSearching && `${sectionCount(shown)} of ${total} sections`}
      </p>
      <div
        className={cx(
          'mt-2 min-h-0 overflow-auto sm:mt-3 sm:block',
          isOpen ? 'max-h-[60vh] sm:max-h-none' : 'hidden',
        )}
      >
        <Contents
          isWhole={isSearching || isOpen}
          onGo={() => setOpen(false)}
          pathTo={(id) => pathOf(query, id)}
          shown={shown}
        />
      </div>
    </div>
  )
}

/** The key / leads to the field. */
function useSlash() {
  const field = useRef<HTMLInputElement>(null)
  const go = () => {
    field.current?.focus()
    field.current?.select()
  }
  useShortcut('guide', 'search', go, useAtomValue(areSingleKeysOnAtom))
  return field
}
