import type { Block, Chapter, ExampleOutcome, Section } from './guide'
import { plainText, type Range } from './pieces'

/** The words looked for, in lower case and each once; a section must hold all of them. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))]
}

/** Where the words stand in a text, in order; what touches or overlaps is one range. */
export function hitsIn(text: string, words: readonly string[]): Range[] {
  const lower = text.toLowerCase()
  const found = words
    .flatMap((word) => places(lower, word))
    .sort((a, b) => a.from - b.from || a.to - b.to)
  const ranges: Range[] = []
  for (const range of found) {
    const last = ranges.at(-1)
    if (last && range.from <= last.to)
      ranges[ranges.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else ranges.push(range)
  }
  return ranges
}

function places(text: string, word: string): Range[] {
  const found: Range[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    found.push({ from: at, to: at + word.length })
  }
  return found
}

/** The chapters with only those sections that hold all words; chapters without any are left out. */
export function findMatches(
  chapters: readonly Chapter[],
  words: readonly string[],
): readonly Chapter[] {
  if (words.length === 0) return chapters
  return chapters.flatMap((chapter) => {
    const sections = chapter.sections.filter((section) => {
      const text = searchedText(chapter, section)
      return words.every((word) => text.includes(word))
    })
    return sections.length === 0 ? [] : [{ ...chapter, sections }]
  })
}

const searched = new Map<Section, string>()

function searchedText(chapter: Chapter, section: Section): string {
  const known = searched.get(section)
  if (known !== undefined) return known
  const text = [chapter.title, ...textsOf(section)].join('\n').toLowerCase()
  searched.set(section, text)
  return text
}

/** Everything in a section that can be read, title first. */
export function textsOf(section: Section): string[] {
  return [section.title, ...section.blocks.flatMap(textsOfBlock)]
}

function textsOfBlock(block: Block): string[] {
  if (typeof block === 'string') return [plainText(block)]
  switch (block.kind) {
    case 'list':
      return block.items.map(plainText)
    case 'note':
      return [plainText(block.text)]
    case 'table':
      return [...block.head, ...block.rows.flat()].map(plainText)
    case 'sql':
      return [block.sql, ...block.outcomes.flatMap(textsOfOutcome)]
    case 'shell':
      return [block.command]
    case 'file':
      return [block.name, block.text]
    case 'key':
      return [block.key, ...block.values]
    case 'proof':
      return block.cases.flatMap(({ title, text }) => [title, text])
    case 'shortcuts':
      return block.shortcuts.flatMap(({ keys, does }) => [keys, plainText(does)])
    case 'terms':
      return block.terms.flatMap(({ term, text }) => [term, plainText(text)])
  }
}

function textsOfOutcome(outcome: ExampleOutcome): string[] {
  if (outcome.kind !== 'rows') return [outcome.text, plainText(outcomeHint(outcome))]
  return [...outcome.columns, ...outcome.rows.flat().map((cell) => cell ?? 'NULL')]
}

function outcomeHint(outcome: Exclude<ExampleOutcome, { kind: 'rows' }>): string {
  return outcome.kind === 'failed' ? (outcome.hint ?? '') : ''
}

/** How many sections there are. */
export function sectionCount(chapters: readonly Chapter[]): number {
  return chapters.reduce((sum, { sections }) => sum + sections.length, 0)
}
