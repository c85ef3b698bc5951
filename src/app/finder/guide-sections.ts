import type { Kind } from '~/atoms/finder/thing'
import { pathTo } from '~/lib/paths'
import { chapters } from '~/screens/guide/chapters/chapters'
import { textsOf } from '~/screens/guide/search'

const sections = chapters.flatMap((chapter) =>
  chapter.sections.map((section) => ({
    name: section.title,
    of: chapter.title,
    words: 'guide help',
    text: textsOf(section).join('\n').toLowerCase(),
    to: { path: `${pathTo('guide')}#${section.id}` },
  })),
)

/** The sections of the guide. The guide is a script of its own, so this comes a moment later. */
export const guide: Kind = { label: 'Guide', known: () => sections }
