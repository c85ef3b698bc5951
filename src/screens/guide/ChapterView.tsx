import type { ReactNode } from 'react'
import { CopyButton } from '~/ui/CopyButton'
import { LinkIcon } from '~/ui/Icon'
import { BlockView } from './BlockView'
import type { Chapter, Section } from './guide'
import { Plain, Prose } from './Prose'

/** A chapter with those of its sections that are shown. */
export function ChapterView({ chapter: { id, title, intro, sections } }: { chapter: Chapter }) {
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
