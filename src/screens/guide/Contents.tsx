import { useMemo } from 'react'
import { join } from '~/ui/join'
import { AnchorLink } from './AnchorLink'
import type { Chapter } from './guide'
import { useCurrentSection } from './use-current-section'

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
      className={join(
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
