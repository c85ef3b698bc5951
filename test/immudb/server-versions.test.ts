// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { featureNames, hasFault, knownAs, lacking, readVersion } from '~/immudb/server-versions'

const at = (text: string) => readVersion(text)

describe('the version that a server reports', () => {
  test.each([
    ['1.11.1', [1, 11, 1]],
    ['v1.9.5', [1, 9, 5]],
    ['1.9DOM.2', [1, 9, 0]],
    ['2.0.0-RC1', [2, 0, 0]],
    ['1.10', [1, 10, 0]],
    ['-', null],
    ['', null],
    ['latest', null],
    ['1.99999999999999999999.0', null],
    ['<b>1.9.5</b>', null],
  ] as const)('%s is %o', (text, version) => {
    expect(readVersion(text)).toEqual(version)
  })
})

describe('what a version lacks', () => {
  const lackedBy = (version: string) => featureNames.filter((one) => lacking(at(version), one))

  test('says which version has it and which one this is', () => {
    expect(lacking(at('1.9.5'), 'explain')).toBe('Needs immudb 1.11. This server runs 1.9.5.')
    expect(lacking(at('1.3.2'), 'json')).toBe('Needs immudb 1.9.5. This server runs 1.3.2.')
    expect(lacking(at('1.10.0'), 'ranges')).toBeUndefined()
  })

  test('the newest, a newer one and one without a version lack nothing', () => {
    for (const version of ['1.11.0', '1.11.1', '1.12.0', '2.0.0', '-']) {
      expect(lackedBy(version)).toEqual([])
    }
  })

  test('is asked for somewhere: no row stands there for nothing', () => {
    const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('server-versions.ts'))
      .map((path) => readFileSync(`src/${path}`, 'utf8'))
      .join('\n')
    const unasked = featureNames.filter((one) => !source.includes(`'${one}'`))
    expect(unasked).toEqual([])
  })

  test('older ones lack what the newer ones lack, and more', () => {
    const order = ['1.11.1', '1.10.0', '1.9.5', '1.5.0', '1.4.1', '1.3.2'].map(lackedBy)
    for (const [place, lacked] of order.entries()) {
      expect(lacked).toEqual(expect.arrayContaining(order[place - 1] ?? []))
    }
    expect(lackedBy('1.10.0')).toEqual(expect.arrayContaining(['tableComparison', 'auditLog']))
    expect(lackedBy('1.10.0')).not.toContain('documents')
    expect(lackedBy('1.4.1')).toContain('documents')
  })
})

describe('known faults', () => {
  test.each([
    ['leftToRight', ['1.3.2', '1.9.5'], ['1.9.6', '1.11.1', '-']],
    ['countOfColumn', ['1.11.0'], ['1.10.0', '1.11.1']],
    ['commentsAlone', ['1.11.0'], ['1.10.0', '1.11.1']],
    ['parseErrors', ['1.11.0', '1.11.1'], ['1.10.0', '1.11.2']],
    ['unlisted', ['1.9.5', '1.11.0'], ['1.5.0', '1.11.1']],
  ] as const)('%s is of %o and not of %o', (fault, having, others) => {
    for (const version of having) expect(hasFault(at(version), fault)).toBe(true)
    for (const version of others) expect(hasFault(at(version), fault)).toBe(false)
  })
})

describe('how far a version is known', () => {
  test.each([
    ['1.3.2', 'older', /^immudb 1\.3\.2 is older than 1\.9\.5, the oldest version/],
    ['1.9.4', 'older', /older than 1\.9\.5/],
    ['1.9.5', 'tested', /^immudb 1\.9\.5 has faults that 1\.11\.1 has mended\.$/],
    ['1.11.1', 'tested', /^The server reports version 1\.11\.1\.$/],
    ['1.12.0', 'newer', /^immudb 1\.12 is newer than this console knows.* like immudb 1\.11\.1/],
    ['-', 'unknown', /no version.* like immudb 1\.11\.1/],
  ] as const)('%s is %s', (version, kind, text) => {
    const known = knownAs(at(version))
    expect(known.kind).toBe(kind)
    expect(known.text).toMatch(text)
  })

  test('a newer version is named where it has mended something or is known better', () => {
    for (const version of ['1.3.2', '1.9.5', '1.10.0', '1.11.0']) {
      expect(knownAs(at(version)).better).toBe('1.11.1')
    }
    for (const version of ['1.11.1', '1.11.2', '2.0.0', '-']) {
      expect(knownAs(at(version)).better).toBeNull()
    }
  })
})

test('no proof is decided by a version: nothing that verifies leads to what a server reports', () => {
  const sources = new Map(
    readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [path.replace(/\.tsx?$/, ''), readFileSync(`src/${path}`, 'utf8')]),
  )
  const importsOf = (path: string) =>
    [
      ...(sources.get(path) ?? '').matchAll(/(?:from |import\()\s*['"](~|\.{1,2})\/([^'"]+)['"]/g),
    ].map(([, root = '', rest = '']) =>
      root === '~' ? rest : normalize(join(dirname(path), root, rest)),
    )
  const reached = new Set(
    [...sources.keys()].filter((path) => /^(proof|trust|workers)\//.test(path)),
  )
  expect(reached.size).toBeGreaterThan(100)
  for (const path of reached) for (const next of importsOf(path)) reached.add(next)
  expect(reached).not.toContain('core/session/server-version')
  expect(reached).toContain('core/session/client')
})
