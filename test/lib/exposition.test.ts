// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { metricFamilies } from '~/immudb/metrics'
import { type Reading, readExposition } from '~/lib/exposition'
import { corpus } from '../support/recorded'

const recording = JSON.parse(readFileSync('test/fixtures/immudb/metrics.json', 'utf8'))
const excerpt: string = recording.excerpt.join('\n')

const names = new Set(['size', 'up'])
const read = (text: string) => readExposition(text, names)
const plain = ({ name, labels, value }: Reading) => [name, Object.fromEntries(labels), value]

/** As the Prometheus client of Go writes a label value. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

describe('an exposition text', () => {
  test('of immudb 1.11.1 gives the readings of the named families only', () => {
    const readings = readExposition(excerpt, new Set(['immudb_db_size_bytes']))
    expect(readings.map(plain)).toEqual([
      ['immudb_db_size_bytes', { db: 'defaultdb' }, 5478],
      ['immudb_db_size_bytes', { db: 'systemdb' }, 6441],
    ])
  })

  test.each([
    ['up 1', ['up', {}, 1]],
    ['up 1 1795254212000', ['up', {}, 1]],
    ['up\t1e3', ['up', {}, 1000]],
    ['up 4.426739833333333e-05', ['up', {}, 4.426739833333333e-5]],
    ['up -2.5', ['up', {}, -2.5]],
    ['size{} 1', ['size', {}, 1]],
    ['size{db="a",} 1', ['size', { db: 'a' }, 1]],
    ['size{ db = "a" , path = "/x" } 1', ['size', { db: 'a', path: '/x' }, 1]],
    ['size{db="}"} 1', ['size', { db: '}' }, 1]],
    ['size{db="a\\"b\\\\c\\nd\\x"} 1', ['size', { db: 'a"b\\c\nd\\x' }, 1]],
    ['size{db=""} 0\r', ['size', { db: '' }, 0]],
  ])('reads %j', (line, expected) => {
    expect(read(`# HELP up x\n${line}\nother 3\n`).map(plain)).toEqual([expected])
  })

  test.each([
    'up',
    'up ',
    'up NaN',
    'up +Inf',
    'up 1e999',
    'up 0x10',
    'up <b>1</b>',
    'up{ 1',
    'up 1_000',
    'size{db="a" 1',
    'size{db="a 1',
    'size{db=a} 1',
    'size{db} 1',
    'size{="a"} 1',
    'size{<b>="a"} 1',
    'size{db="a"x} 1',
    'size{db="a\\',
    '# up 1',
    'upper 1',
    'other{db="\\nup 1"} 1',
    '{"up"} 1',
    '',
    '\n\n\n',
    '<!doctype html><title>up 1</title>',
    '\u0000\uFFFD\u0001',
  ])('F70 takes nothing from %j', (text) => {
    expect(read(text)).toEqual([])
  })

  test('F71 A13 keeps every hostile label exactly, and pollutes nothing', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).sort()
    const hostile = ['markup', 'bidi-invisible', 'property-name', 'homoglyph']
      .flatMap((category) => corpus(category))
      .flatMap(({ text }) => (text === undefined || text.includes('\r') ? [] : [text]))
    expect(hostile.length).toBeGreaterThan(60)
    const lines = hostile.map((text, index) => `size{db=${quoted(text)}} ${index}`)
    const found = read(lines.join('\n'))
    expect(found.map(({ labels }) => labels.get('db'))).toEqual(hostile)
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before)
  })

  test('is cut when it has more readings than any server', () => {
    expect(read('up 1\n'.repeat(60_000))).toHaveLength(50_000)
  })

  test('of half a megabyte is read in a moment', () => {
    const other = 'grpc_server_handling_seconds_bucket{grpc_method="Get",le="0.005"} 0\n'
    const text = `${other.repeat(8_000)}${excerpt}\n`
    expect(text.length).toBeGreaterThan(500_000)
    // Time of this process alone, the best of a few: other work of the machine does not count.
    const times = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage()
      readExposition(text, metricFamilies)
      return process.cpuUsage(before).user / 1_000
    })
    expect(Math.min(...times)).toBeLessThan(100)
    const readings = readExposition(text, metricFamilies)
    expect(readings.length).toBeGreaterThan(15)
  })
})
