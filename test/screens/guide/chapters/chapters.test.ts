// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  compactCommand,
  deleteCommand,
  flushCommand,
  loadCommand,
  settingsCommand,
  truncateCommand,
  unloadCommand,
} from '~/immudb/immuadmin'
import { guideAnchors, guidePath } from '~/lib/guide-anchors'
import { pages } from '~/lib/paths'
import { chapters } from '~/screens/guide/chapters/chapters'
import type { Block, Section } from '~/screens/guide/guide'
import { cutAt, piecesOf } from '~/screens/guide/pieces'
import { findMatches, hitsIn, sectionCount, textsOf, wordsOf } from '~/screens/guide/search'
import { splitStatements } from '~/sql/statements'

const sections = chapters.flatMap((chapter) => chapter.sections)
const blocks = sections.flatMap((section) => section.blocks)
const ids = chapters.flatMap(({ id, sections }) => [id, ...sections.map((section) => section.id)])

function ofKind<K extends string>(kind: K) {
  type Found = Extract<Exclude<Block, string>, { kind: K }>
  return blocks.filter((block): block is Found => typeof block === 'object' && block.kind === kind)
}

/** Every text that may hold marks, as it is written. */
function sources(): string[] {
  const written = blocks.flatMap((block): readonly string[] => {
    if (typeof block === 'string') return [block]
    if (block.kind === 'list') return block.items
    if (block.kind === 'note') return [block.text]
    if (block.kind === 'table') return [...block.head, ...block.rows.flat()]
    if (block.kind === 'terms') return block.terms.map(({ text }) => text)
    return block.kind === 'shortcuts' ? block.shortcuts.map(({ does }) => does) : []
  })
  return [...written, ...chapters.map(({ intro }) => intro)]
}

describe('anchors and links', () => {
  test('each id is there once and can stand in an address as it is', () => {
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
    for (const { id, sections } of chapters) {
      for (const section of sections) expect(section.id.startsWith(`${id}-`)).toBe(true)
    }
  })

  test('each link leads to an anchor or a page that exists', () => {
    const targets = sources().flatMap((text) =>
      [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target),
    )
    expect(targets.length).toBeGreaterThan(30)
    const known = new Set([...ids.map((id) => `#${id}`), ...pages.map(({ path }) => path)])
    expect(targets.filter((target) => !known.has(target))).toEqual([])
  })

  test('each section that other pages lead to exists', () => {
    expect(guideAnchors.filter((anchor) => !ids.includes(anchor))).toEqual([])
    expect(guidePath('verify-means')).toBe('/guide#verify-means')
  })

  test('no mark is left open', () => {
    for (const source of sources()) {
      const rest = piecesOf(source).filter(({ look }) => look === 'plain')
      expect(rest.map(({ text }) => text).join(' ')).not.toMatch(/\]\(|[`*{}]/)
    }
  })

  test('all chapters that were promised are there', () => {
    expect(chapters.map(({ title }) => title)).toEqual([
      'First steps',
      'SQL',
      'Keys and values',
      'Documents',
      'Time travel',
      'Verifying',
      'Standing auditor',
      'When something is damaged',
      'Users and permissions',
      'Operating',
      'Several servers',
      'Behind a proxy',
      'From your own program',
      'Where it runs',
      'Troubleshooting',
      'Shortcuts',
      'Glossary',
    ])
  })
})

describe('examples', () => {
  test('each statement has its outcome, and nothing comes after a refusal', () => {
    for (const { sql, outcomes } of ofKind('sql')) {
      expect(splitStatements(sql), sql).toHaveLength(outcomes.length)
      expect(
        outcomes.slice(0, -1).every(({ kind }) => kind !== 'failed'),
        sql,
      ).toBe(true)
    }
  })

  test('each fits into an address', () => {
    for (const { sql } of ofKind('sql')) expect(sql.length).toBeLessThan(2_000)
  })

  test('each row has a cell for each column', () => {
    for (const outcome of ofKind('sql').flatMap(({ outcomes }) => outcomes)) {
      if (outcome.kind !== 'rows') continue
      for (const row of outcome.rows) expect(row).toHaveLength(outcome.columns.length)
    }
  })

  test('commands for databases are those that the page Databases gives', () => {
    const shown = ofKind('shell')
      .map(({ command }) => command)
      .filter((command) => command.startsWith('immuadmin database') && !command.endsWith('list'))
    const given = [
      settingsCommand('create', 'scratch', []),
      unloadCommand('scratch'),
      loadCommand('scratch'),
      flushCommand('scratch', '0', true),
      compactCommand('scratch'),
      truncateCommand('scratch', 30),
      deleteCommand('scratch'),
    ]
    expect(shown).toEqual(given.map(({ text }) => text))
  })
})

describe('the glossary', () => {
  const terms = ofKind('terms').flatMap((block) => block.terms)

  test('is in order', () => {
    const names = terms.map(({ term }) => term)
    expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b, 'en')))
  })

  test('explains only words that the guide uses', () => {
    const isOther = ({ id }: Section) => !id.startsWith('glossary')
    const text = sections.filter(isOther).flatMap(textsOf).join('\n').toLowerCase()
    for (const { term } of terms) expect(text, term).toContain(term.toLowerCase())
  })
})

describe('searching', () => {
  test('finds sections that hold all words, in any order and case', () => {
    const found = findMatches(chapters, wordsOf('  QUOTES double '))
    expect(found.flatMap(({ sections }) => sections.map(({ id }) => id))).toContain('sql-names')
    expect(sectionCount(found)).toBeLessThan(6)
    expect(sectionCount(findMatches(chapters, wordsOf('no such wordsatall')))).toBe(0)
    expect(findMatches(chapters, wordsOf(' '))).toBe(chapters)
  })

  test.each([
    ['a statement', 'HISTORY OF accounts'],
    ['a cell of a result', 'Cleo'],
    ['an error', 'violation'],
    ['a command', '--retention-period'],
    ['a shortcut', 'Ctrl+Space'],
    ['a term', 'inclusion'],
    ['a key', 'guide:greeting'],
    ['a cell of a table', 'auto-cert'],
  ])('looks into %s', (_, query) => {
    expect(sectionCount(findMatches(chapters, wordsOf(query)))).toBeGreaterThan(0)
  })

  test('marks each place once, overlaps together', () => {
    expect(hitsIn('Table of tables', ['table', 'tab'])).toEqual([
      { from: 0, to: 5 },
      { from: 9, to: 14 },
    ])
    expect(hitsIn('aaab', ['aa', 'ab'])).toEqual([{ from: 0, to: 4 }])
    expect(hitsIn('text', [])).toEqual([])
  })

  test('cuts pieces where a hit begins and ends, across pieces too', () => {
    const pieces = piecesOf('press *Run* or {Ctrl+Enter}, see `a` and [it](#sql)')
    expect(pieces.map(({ look, text }) => [look, text])).toEqual([
      ['plain', 'press '],
      ['name', 'Run'],
      ['plain', ' or '],
      ['keys', 'Ctrl+Enter'],
      ['plain', ', see '],
      ['code', 'a'],
      ['plain', ' and '],
      ['anchor', 'it'],
    ])
    const cuts = cutAt(pieces.slice(0, 3), [{ from: 3, to: 8 }])
    expect(cuts.map(({ text, isHit }) => [text, isHit])).toEqual([
      ['pre', false],
      ['ss ', true],
      ['Ru', true],
      ['n', false],
      [' or ', false],
    ])
  })
})
