// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { belowMount, mountPath, pageAt, pagePath, pages, pathTo, searchNames } from '~/lib/paths'

describe('pages', () => {
  test('are those of the specification', () => {
    expect(pages.map(({ path }) => path)).toEqual([
      '/',
      '/query',
      '/keys',
      '/documents',
      '/tx',
      '/compare',
      '/verify',
      '/audit',
      '/servers',
      '/databases',
      '/users',
      '/guide',
      '/settings',
      '/comingsoon',
      '/tables',
    ])
  })

  test('have one path and one name each, in one segment of plain letters', () => {
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length)
    for (const { path } of pages) expect(path).toMatch(/^\/[a-z]*$/)
  })

  test('are found by their path, its folder and the file in it, and by nothing else', () => {
    for (const page of pages) {
      expect(pageAt(page.path)).toBe(page)
      if (page.path !== '/') expect(pageAt(`${page.path}/`)).toBe(page)
      expect(pageAt(`${page.path.replace(/\/$/, '')}/index.html`)).toBe(page)
    }
    for (const path of ['', '/Query', '/query//', '/query/x', '/nowhere', 'query', '//']) {
      expect(pageAt(path)?.name ?? null).toBe(path === '//' ? 'overview' : null)
    }
  })
})

describe('links', () => {
  test('carry ids in the search string, encoded', () => {
    expect(pathTo('query')).toBe('/query')
    expect(pathTo('overview', { db: 'a&b=c#d?e/ü' })).toBe('/?db=a%26b%3Dc%23d%3Fe%2F%C3%BC')
    const { search } = new URL(pathTo('query', { db: '\u202e"<' }), 'http://x')
    expect(new URLSearchParams(search).get('db')).toBe('\u202e"<')
  })

  test('to a page that does not exist cannot be built', () => {
    expect(() => pathTo('nowhere' as 'query')).toThrow('no page is named nowhere')
  })

  test.each([
    ['/', '/'],
    ['/query/', '/query'],
    ['/query', '/query'],
    ['', ''],
    ['/index.html', '/'],
    ['/databases/index.html', '/databases'],
    ['/index.html/', '/index.html'],
    ['/myindex.html', '/myindex.html'],
    ['/databases/Index.html', '/databases/Index.html'],
  ])('%j is linked as %j', (path, plain) => {
    expect(pagePath(path)).toBe(plain)
  })
})

describe('the mount point', () => {
  test.each([
    ['http://host/assets/main-AAAA.js', ''],
    ['http://host/ops/immudb/assets/main-AAAA.js', '/ops/immudb'],
    ['https://host:8443/a%20b/assets/main.js?x#y', '/a%20b'],
  ])('of %s is %j', (script, mount) => {
    expect(mountPath(script)).toBe(mount)
    expect(belowMount(mount, '/api')).toBe(`${mount}/api`)
  })
})

test('every parameter that a page reads from its address is kept there', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const read = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(`src/${file}`, 'utf8').matchAll(/useSearchParam\(\s*'([^']+)'/g),
    ])
    .map(([, name]) => name)
  expect(read.length).toBeGreaterThan(5)
  expect(read.filter((name) => !searchNames.has(name ?? ''))).toEqual([])
})
