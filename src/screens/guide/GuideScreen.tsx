import { useAtomValue } from 'jotai'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { databaseAtom } from '~/core/session/session'
import { reveal, useAnchor } from '~/ui/anchor'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { EmptyState } from '~/ui/EmptyState'
import { BookIcon, LinkIcon } from '~/ui/Icon'
import { useGuideAddress } from './address'
import { BlockView } from './BlockView'
import { chapters } from './chapters/chapters'
import { ReadingContext } from './context'
import { GuideBar } from './GuideBar'
import type { Chapter, Section } from './guide'
import { Plain, Prose } from './Prose'
import { findMatches, sectionCount, wordsOf } from './search'

// Outside React: the address and the scroll position.

const total = sectionCount(chapters)

/** How to work with immudb and this console: all chapters on one page, searchable and linkable. */
export default function GuideScreen() {
  const address = useGuideAddress()
  const { query, pathOf, settle } = address
  const name = useAtomValue(databaseAtom)
  // The field answers at once; drawing so much text takes a moment.
  const sought = useDeferredValue(query)
  const shown = useMemo(() => findMatches(chapters, wordsOf(sought)), [sought])
  const reading = useMemo(
    () => ({
      words: wordsOf(sought),
      pathTo: (id: string) => pathOf('', id),
      database: name === null ? {} : { db: name },
    }),
    [sought, pathOf, name],
  )
  const text = useMemo(
    () => shown.map((chapter) => <ChapterView chapter={chapter} key={chapter.id} />),
    [shown],
  )
  useRevealedAnchor()
  return (
    <ReadingContext value={reading}>
      <div
        className="mx-auto max-w-[1040px] sm:grid sm:grid-cols-[248px_minmax(0,1fr)] sm:gap-12 sm:px-6 print:block"
        id="guide"
        ref={address.whileShown}
      >
        <GuideBar address={address} shown={shown} total={total} />
        <div className="min-w-0 max-w-[680px] px-4 py-5 sm:px-0 sm:pt-6 sm:pb-16">
          <h1 className="font-medium text-xl">Guide</h1>
          <p className="mt-1 mb-7 max-w-[560px] text-muted leading-6">
            For immudb 1.11.1 and this console. The guide needs no network beyond your server, and
            no example runs by itself.
          </p>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-10">{text}</div>
          {shown.length === 0 && (
            <EmptyState
              action={<Button onClick={() => settle('')}>Clear the search</Button>}
              icon={<BookIcon />}
              text="A section must have all of the words, in any order."
              title={`Nothing in the guide has “${sought.trim()}”`}
            />
          )}
        </div>
      </div>
    </ReadingContext>
  )
}

/** The heading that the address names is shown as soon as it is there, once. */
function useRevealedAnchor() {
  const anchor = useAnchor()
  const due = useRef('')
  useEffect(() => {
    due.current = anchor
  }, [anchor])
  useEffect(() => {
    if (due.current === '') return
    // The page gives the focus to its content in the same turn when it is changed.
    queueMicrotask(() => {
      if (reveal(due.current)) due.current = ''
    })
  })
}

/** A chapter with those of its sections that are shown. */
function ChapterView({ chapter: { id, title, intro, sections } }: { chapter: Chapter }) {
  return (
    <article aria-labelledby={id} className="border-line border-t pt-7 print:border-t-0">
      <Heading id={id} title={title}>
        <h2 className={`font-medium text-xl ${headingLook}`} id={id} tabIndex={-1}>
          <Plain text={title} />
        </h2>
      </Heading>
      <p className="mt-1 max-w-[560px] text-muted leading-6">
        <Prose text={intro} />
      </p>
      {sections.map((section) => (
        <SectionView key={section.id} section={section} />
      ))}
    </article>
  )
}

/** Room for what stays at the top of a phone while the page is scrolled. */
const headingLook =
  'min-w-0 scroll-mt-20 rounded-sm outline-offset-4 sm:scroll-mt-6 print:break-after-avoid'

function SectionView({ section: { id, title, blocks } }: { section: Section }) {
  return (
    <section className="mt-8">
      <Heading id={id} title={title}>
        <h3 className={`font-medium text-lg ${headingLook}`} id={id} tabIndex={-1}>
          <Plain text={title} />
        </h3>
      </Heading>
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-3.5 leading-6">
        {blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity beyond their place.
          <BlockView block={block} key={index} />
        ))}
      </div>
    </section>
  )
}

function Heading({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div className="group flex items-center gap-1.5">
      {children}
      <span className="opacity-0 focus-within:opacity-100 group-hover:opacity-100 print:hidden [@media(hover:none)]:opacity-100">
        <CopyButton
          icon={<LinkIcon />}
          size="tiny"
          text={() => linkTo(id)}
          what={`the link to “${title}”`}
        />
      </span>
    </div>
  )
}

/** Without the database, which the guide is not about. */
function linkTo(id: string): string {
  const url = new URL(window.location.href)
  url.search = ''
  url.hash = id
  return url.href
}
