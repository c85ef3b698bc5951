import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { cx } from '~/ui/cx'
import { AnchorLink } from './AnchorLink'
import type { Chapter } from './guide'

type Props = {
  shown: readonly Chapter[]
  /** Lists the sections of every chapter, not only of the one that is read. */
  isWhole: boolean
  pathTo: (id: string) => string
  onGo: () => void
}

/** Chapters and sections; the one that is read is marked. */
export function Contents({ shown, isWhole, pathTo, onGo }: Props) {
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

type LineProps = Pick<Props, 'pathTo' | 'onGo'> & {
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
