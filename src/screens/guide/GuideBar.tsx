import { useAtomValue } from 'jotai'
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { areSingleKeysOnAtom } from '~/core/settings'
import { actionOf, keysOf } from '~/lib/shortcuts'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useShortcut } from '~/ui/use-shortcut'
import type { useGuideAddress } from './address'
import type { Chapter } from './guide'
import { AnchorLink, Keys } from './Prose'
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
  useShortcut('guide', 'search', go, { isOn: useAtomValue(areSingleKeysOnAtom) })
  return field
}

type ContentsProps = {
  shown: readonly Chapter[]
  /** Lists the sections of every chapter, not only of the one that is read. */
  isWhole: boolean
  pathTo: (id: string) => string
  onGo: () => void
}

/** Chapters and sections; the one that is read is marked. */
function Contents({ shown, isWhole, pathTo, onGo }: ContentsProps) {
  const ids = useMemo(
    () => shown.flatMap(({ id, sections }) => [id, ...sections.map((section) => section.id)]),
    [shown],
  )
  const current = useCurrentSection(ids)
  return (
    <nav aria-label="Contents of the guide">
      <ul className="grid gap-0.5">
        {shown.map((chapter) => {
          const isRead = [chapter, ...chapter.sections].some(({ id }) => id === current)
          return (
            <li key={chapter.id} ref={chapter.id === current ? keepInSight : undefined}>
              <Line isCurrent={chapter.id === current} of={chapter} onGo={onGo} pathTo={pathTo} />
              {(isWhole || isRead) && (
                <ul className="ms-2 mb-1 border-line border-s ps-1">
                  {chapter.sections.map((section) => (
                    <li key={section.id} ref={section.id === current ? keepInSight : undefined}>
                      <Line
                        isCurrent={section.id === current}
                        isSmall
                        of={section}
                        onGo={onGo}
                        pathTo={pathTo}
                      />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Scrolls the list, and nothing around it, until the line is seen. */
function keepInSight(item: HTMLElement | null): void {
  const box = item?.closest('nav')?.parentElement
  const line = item?.querySelector('a')
  if (!line || !box) return
  const [inside, around] = [line.getBoundingClientRect(), box.getBoundingClientRect()]
  if (inside.top < around.top) box.scrollTop -= around.top - inside.top
  else if (inside.bottom > around.bottom) box.scrollTop += inside.bottom - around.bottom
}

type LineProps = Pick<ContentsProps, 'pathTo' | 'onGo'> & {
  of: { id: string; title: string }
  isCurrent: boolean
  isSmall?: boolean
}

function Line({ of: { id, title }, isCurrent, isSmall, pathTo, onGo }: LineProps) {
  return (
    <AnchorLink
      isCurrent={isCurrent}
      className={cx(
        'flex min-h-11 items-center rounded px-2 py-1 no-underline -outline-offset-2 hover:bg-hover hover:text-text xs:min-h-7',
        isSmall && 'text-sm',
        isCurrent ? 'bg-selected text-text' : 'text-muted',
      )}
      onGo={onGo}
      path={pathTo(id)}
      to={id}
    >
      {title}
    </AnchorLink>
  )
}

/** Pixels below the top of the page at which a heading counts as reached. */
const reached = 120

/** The last of the headings, given by their ids in order, that was scrolled past or to. */
function useCurrentSection(ids: readonly string[]): string {
  const subscribe = useCallback((changed: () => void) => {
    let frame = 0
    const later = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(changed)
    }
    // Not the window scrolls but a part of the page, whose events do not bubble.
    document.addEventListener('scroll', later, { capture: true, passive: true })
    window.addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', later, { capture: true })
      window.removeEventListener('resize', later)
    }
  }, [])
  return useSyncExternalStore(subscribe, () => currentOf(ids))
}

function currentOf(ids: readonly string[]): string {
  let current = ids[0] ?? ''
  for (const id of ids) {
    const top = document.getElementById(id)?.getBoundingClientRect().top
    if (top === undefined) continue
    if (top > reached) break
    current = id
  }
  return current
}
