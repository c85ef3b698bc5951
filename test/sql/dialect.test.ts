// @vitest-environment node
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { describe, expect, it } from 'vitest'
import { immudbSql } from '~/sql/dialect'

const classes = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.typeName, class: 'type' },
  { tag: tags.string, class: 'string' },
  { tag: tags.number, class: 'number' },
  { tag: tags.atom, class: 'atom' },
  { tag: tags.comment, class: 'comment' },
  { tag: tags.standard(tags.variableName), class: 'function' },
  { tag: tags.special(tags.variableName), class: 'parameter' },
  { tag: tags.variableName, class: 'name' },
  { tag: tags.invalid, class: 'invalid' },
])

/** The coloured pieces of the text as `class:text`. */
function coloured(source: string): string[] {
  const pieces: string[] = []
  highlightTree(immudbSql.parser.parse(source), classes, (from, to, style) => {
    pieces.push(`${style}:${source.slice(from, to)}`)
  })
  return pieces
}

describe('immudbSql', () => {
  it('colours by kind', () => {
    expect(
      coloured(`SELECT COUNT(*), lower("a"), @p, NULL FROM t WHERE x = 'y' AND n > 1.5`),
    ).toEqual([
      'keyword:SELECT',
      'function:COUNT',
      'function:lower',
      'name:"a"',
      'parameter:@p',
      'atom:NULL',
      'keyword:FROM',
      'keyword:WHERE',
      "string:'y'",
      'keyword:AND',
      'number:1.5',
    ])
    expect(coloured('id INTEGER, b BLOB')).toEqual(['type:INTEGER', 'type:BLOB'])
  })

  it('carries texts and comments over lines', () => {
    expect(coloured("'a\nb' SELECT /* c\nd */ SELECT")).toEqual([
      "string:'a",
      "string:b'",
      'keyword:SELECT',
      'comment:/* c',
      'comment:d */',
      'keyword:SELECT',
    ])
  })

  it('does not hide a statement behind a comment that looks nested', () => {
    expect(coloured('/* /* */ DROP TABLE t /* */ */')).toEqual(
      expect.arrayContaining(['keyword:DROP', 'keyword:TABLE']),
    )
  })

  it('colours an exponent as the name it is to the server', () => {
    expect(coloured('SELECT 1e5')).toEqual(['keyword:SELECT', 'number:1'])
  })

  it('marks what the server cannot read', () => {
    expect(coloured('SELECT a == `b`')).toEqual([
      'keyword:SELECT',
      'invalid:==',
      'invalid:`',
      'invalid:`',
    ])
  })
})
