// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonNode, type JsonScan, scanJson, stringText } from '~/lib/json-scan'
import { calmest } from '../support/calmest'
import { corpusBytes } from '../support/corpus-bytes'

const nodesOf = (scan: JsonScan): readonly JsonNode[] => {
  if (scan.kind !== 'tree') throw new Error(JSON.stringify(scan))
  return scan.nodes
}

/** The value a tree stands for, as `JSON.parse` would give it. */
function standsFor(text: string, nodes: readonly JsonNode[], at = 0): unknown {
  const node = nodes[at]
  if (!node) throw new Error('no such node')
  if (node.kind !== 'object' && node.kind !== 'array')
    return JSON.parse(text.slice(node.from, node.to))
  const members: [string, unknown][] = []
  for (let next = at + 1; next < node.next; next = nodes[next]?.next ?? node.next) {
    members.push([stringText(nodes[next]?.name ?? '""'), standsFor(text, nodes, next)])
  }
  expect(members).toHaveLength(node.size)
  return node.kind === 'array' ? members.map(([, value]) => value) : Object.fromEntries(members)
}

describe('a JSON text', () => {
  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        expect(standsFor(text, nodesOf(scanJson(text)))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('is refused when JSON.parse refuses it, and only then', () => {
    const scraps = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '\\',
        '1',
        '-',
        '01',
        '1.',
        '1e5',
        'true',
        'nul',
        ' ',
        '\n',
        '\u0001',
      ),
      { maxLength: 8 },
    )
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', '0'))
      .map(([text, at, scrap]) => {
        const place = at % (text.length + 1)
        return `${text.slice(0, place)}${scrap}${text.slice(place + 1)}`
      })
    fc.assert(
      fc.property(
        fc.oneof(
          scraps.map((parts) => parts.join('')),
          damaged,
        ),
        (text) => {
          let isJson = true
          try {
            JSON.parse(text)
          } catch {
            isJson = false
          }
          expect(scanJson(text).kind).toBe(isJson ? 'tree' : 'invalid')
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('keeps every digit, repeated names and their order', () => {
    const text = '{"b":9007199254740993,"a":1.50,"b":-0,"__proto__":1E400,"\\u0061":"\\u202e"}'
    const nodes = nodesOf(scanJson(text))
    expect(nodes.slice(1).map(({ name, from, to }) => [name, text.slice(from, to)])).toEqual([
      ['"b"', '9007199254740993'],
      ['"a"', '1.50'],
      ['"b"', '-0'],
      ['"__proto__"', '1E400'],
      ['"\\u0061"', '"\\u202e"'],
    ])
  })

  test('says where it stops being JSON', () => {
    expect(scanJson('{\n  "a": 1,\n}')).toEqual({
      kind: 'invalid',
      reason: 'Line 3, column 1: a name in double quotes was expected.',
    })
    expect(scanJson('[1 2]')).toEqual({
      kind: 'invalid',
      reason: 'Line 1, column 4: a comma or ] was expected.',
    })
    expect(scanJson('1 1')).toMatchObject({ reason: 'Line 1, column 3: the end was expected.' })
  })

  test('is read up to 200 deep and 1 MiB long', () => {
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(nodesOf(scanJson(deep(200)))).toHaveLength(200)
    expect(scanJson(deep(201))).toEqual({ kind: 'too-deep' })
    expect(scanJson(`"${'x'.repeat(1_048_574)}"`).kind).toBe('tree')
    expect(scanJson(`"${'x'.repeat(1_048_575)}"`)).toEqual({ kind: 'too-large' })
  })

  test.each(corpusBytes().filter(({ category }) => category === 'size'))(
    'of a hostile size is over within 100 ms: $id $name',
    ({ bytes }) => {
      const text = bytes.toString()
      expect(calmest(() => scanJson(text))).toBeLessThan(100)
    },
  )

  test('A13: names of JavaScript are names like others', () => {
    const names = corpusBytes('jsonKey').map(({ bytes }) => bytes.toString())
    const text = `{${names.map((name) => `${JSON.stringify(name)}:1`).join()}}`
    const found = nodesOf(scanJson(text)).slice(1)
    expect(found.map(({ name }) => stringText(name ?? ''))).toEqual(names)
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
