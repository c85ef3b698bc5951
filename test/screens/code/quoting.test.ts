// @vitest-environment node
import { spawnSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asciiJson,
  doubleQuoted,
  javaText,
  quotedBytes,
  scriptText,
  shellWord,
  wholeText,
} from '~/screens/code/quoting'
import { keyCases, texts } from '../../support/snippets'

/** Any text, often of what ends quotes, begins escapes, or cannot be seen. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        ...`"'\\\`$%{}()u0x;#-!\n\r\t\0 `,
        '\\u0022',
        '\\"',
        '\u202e',
        '\ud800',
        '😀',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const hostile = [...texts, ...keyCases.map(({ key }) => key.toString())]

/** Reads a literal back for any text and for every hostile one. */
function readsBack(write: (text: string) => string, read: (literal: string) => string): void {
  const check = (text: string) => {
    const literal = write(text)
    expect(literal).toMatch(/^[\x20-\x7e]*$/)
    expect(read(literal)).toBe(wholeText(text))
  }
  for (const text of hostile) check(text)
  fc.assert(fc.property(anyText, check), { numRuns: 300 })
}

/** A literal of Go or Python by their rules: it ends at its first quote that is not escaped. */
function readDoubleQuoted(literal: string): string {
  const [whole, body = ''] = /^"((?:[^"\\\n]|\\.)*)"/.exec(literal) ?? []
  expect(whole).toBe(literal)
  return body.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/g,
    (_, byte, unit, point, letter) => {
      if (letter !== undefined) return letter === 'n' ? '\n' : letter
      return String.fromCodePoint(Number.parseInt(byte ?? unit ?? point, 16))
    },
  )
}

/** As Java does: Unicode escapes first, wherever they stand, and then the literal. */
function readJava(literal: string): string {
  const source = literal.replace(/(\\\\)|\\u([\da-f]{4})/g, (all, pair, unit) =>
    pair === undefined ? String.fromCharCode(Number.parseInt(unit, 16)) : all,
  )
  const [whole, body = ''] = /^"((?:[^"\\\n\r]|\\.)*)"/.exec(source) ?? []
  expect(whole).toBe(source)
  return body.replace(/\\(?:([0-3][0-7]{2})|(.))/g, (_, octal, letter) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return letter === 'n' ? '\n' : letter
  })
}

describe('literals', () => {
  test('of Go and Python are read as the text they were made of', () => {
    readsBack(doubleQuoted, readDoubleQuoted)
  })

  test('of JavaScript are read as the text they were made of', () => {
    readsBack(scriptText, (literal) => runInNewContext(literal))
  })

  test('of Java are read as the text they were made of', () => {
    readsBack(javaText, readJava)
  })

  test('of JSON are read as the text they were made of', () => {
    readsBack(asciiJson, (literal) => JSON.parse(literal))
  })

  test('of bytes are read as the bytes they were made of', () => {
    const check = (bytes: Uint8Array) => {
      const literal = quotedBytes(Buffer.from(bytes).toString('base64'))
      expect(Buffer.from(readDoubleQuoted(literal), 'latin1')).toEqual(Buffer.from(bytes))
    }
    for (const { key } of keyCases) check(key)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), check))
  })
})

test('a shell reads its words as the texts they were made of, and runs nothing', () => {
  const some = [...hostile, ...fc.sample(anyText, 200)].filter((text) => !text.includes('\0'))
  // Line feeds at the end are lost, which no statement minds.
  const wanted = some.map((text) => `${text}.`)
  const words = wanted.map((text) => shellWord(text) ?? '')
  for (const word of words) {
    expect(word).toMatch(/^[\n\x20-\x7e]*$/)
    // A shell that is typed into would look for its history there.
    expect(word).not.toMatch(/^"[\s\S]*!/)
  }
  const script = words.map((word) => `printf '%s\\0' ${word}`).join('\n')
  const { stdout, stderr, status } = spawnSync('sh', [], { input: `set -eu\n${script}` })
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' })
  expect(stdout.toString().split('\0').slice(0, -1)).toEqual(wanted.map(wholeText))
})

test('no argument of a program can have a NUL', () => {
  expect(shellWord('a\0b')).toBeNull()
})
