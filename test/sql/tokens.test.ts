// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TokenKind, tokenize } from '~/sql/tokens'
import { anyText } from './samples'

/** The tokens as `kind:text`, without plain spaces. */
function read(source: string): string[] {
  return tokenize(source)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, from, to }) => `${kind}:${source.slice(from, to)}`)
}

describe('tokenize', () => {
  it('covers any text without gaps and never throws', () => {
    fc.assert(
      fc.property(anyText, (source) => {
        const tokens = tokenize(source)
        expect(tokens.map(({ from, to }) => source.slice(from, to)).join('')).toBe(source)
        tokens.forEach((token, at) => {
          expect(token.from).toBe(tokens[at - 1]?.to ?? 0)
          expect(token.to).toBeGreaterThan(token.from)
        })
      }),
    )
  })

  it.each<[string, TokenKind, string]>([
    ['a doubled quote', 'string', "'it''s'"],
    ['an empty text', 'string', "''"],
    ['a semicolon in a text', 'string', "'a;b'"],
    ['a quoted name', 'quoted', '"two words"'],
    ['a doubled quote in a quoted name', 'quoted', '"a""b"'],
    ['a blob', 'blob', "x'00FF'"],
    ['a comment to the end of the line', 'comment', '-- it\'s; "x"'],
    ['a comment over two lines', 'comment', "/* it's\n; */"],
    ['a comment that looks nested', 'comment', '/* /* */'],
    ['a comment of four characters', 'comment', '/**/'],
    ['a fraction', 'number', '12.5'],
    ['a fraction without a whole part', 'number', '.5'],
    ['a keyword in any case', 'keyword', 'sElEcT'],
    ['a name that objects have', 'identifier', '__proto__'],
    ['another one', 'identifier', 'constructor'],
    ['a named parameter', 'parameter', '@name1'],
    ['a numbered parameter', 'parameter', '$12'],
    ['a cast', 'operator', '::'],
    ['a not-matches sign', 'operator', '!~'],
    ['two equals signs', 'unreadable', '=='],
    ['a backtick', 'unreadable', '`'],
    ['a space that is none', 'unreadable', '\u00a0'],
    ['a character outside the basic plane', 'unreadable', '😀'],
  ])('reads %s as one token', (_name, kind, source) => {
    expect(tokenize(source)).toEqual([{ kind, from: 0, to: source.length }])
  })

  it.each<[string, string[]]>([
    ["X'00'", ['identifier:X', "string:'00'"]],
    ['1e5', ['number:1', 'identifier:e5']],
    ['1.2.3', ['number:1.2', 'number:.3']],
    ['/*/ */ x', ['comment:/*/ */', 'identifier:x']],
    ['/* /* */ x */', ['comment:/* /* */', 'identifier:x', 'operator:*', 'operator:/']],
    ['1--2', ['number:1', 'comment:--2']],
    ["a->'b'", ['identifier:a', 'operator:->', "string:'b'"]],
    ['a<-1', ['identifier:a', 'operator:<', 'operator:-', 'number:1']],
    ["e'it\\'s'", ['identifier:e', "string:'it\\'", 'identifier:s', "string:'"]],
    ['@1', ['unreadable:@', 'number:1']],
    ['$x', ['unreadable:$', 'identifier:x']],
    ['--a\rb', ['comment:--a', 'identifier:b']],
  ])('cuts %s as the server does', (source, expected) => {
    expect(read(source)).toEqual(expected)
  })

  it.each(["'abc", '"abc', "x'00", '/* abc', "'abc''"])('reports that %s never ends', (source) => {
    expect(tokenize(source)).toEqual([
      expect.objectContaining({ to: source.length, unfinished: true }),
    ])
  })
})
