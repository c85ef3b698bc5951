import { act, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { ApiError } from '~/api/errors'
import { ErrorPage, Framed } from '~/app/ErrorPage'
import { databaseInAddress, fetchBehindLogin, normaliseAddress, pinIcons } from '~/app/page-start'
import { allowedMarkup, allowedScript, protectSinks, radixSelectStyle } from '~/app/policy'
import { routes } from '~/app/routes'

describe('the error page', () => {
  test('for 404 has the specified words and the way home', () => {
    render(<ErrorPage message="whatever" status={404} />)
    expect(screen.getByRole('heading', { name: 'This page could not be found' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to the home page' })).toBeTruthy()
    expect(screen.queryByText('whatever')).toBeNull()
  })

  test('takes the status from the error; an error without one counts as 500', () => {
    const { rerender } = render(
      <ErrorPage error={new TypeError('inner')} message="Users failed." />,
    )
    expect(screen.getByText('500')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Users failed.' })).toBeTruthy()
    expect(document.body.textContent).not.toContain('inner')
    const gone = new ApiError({ kind: 'refused', text: 'x', status: 404 })
    rerender(<ErrorPage error={gone} message="Users failed." />)
    expect(screen.getByText('404')).toBeTruthy()
    rerender(<ErrorPage error={new ApiError({ kind: 'network', text: 'x' })} message="No." />)
    expect(screen.getByText('500')).toBeTruthy()
    rerender(<ErrorPage error={null} message="No." />)
    expect(screen.getByText('500')).toBeTruthy()
  })
})

describe('routes', () => {
  test('are these, with a screen each', () => {
    expect(routes.map(({ name, path }) => [name, path])).toEqual([
      ['overview', '/'],
      ['query', '/query'],
      ['keys', '/keys'],
      ['documents', '/documents'],
      ['transactions', '/tx'],
      ['compare', '/compare'],
      ['verify', '/verify'],
      ['audit', '/audit'],
      ['servers', '/servers'],
      ['databases', '/databases'],
      ['users', '/users'],
      ['guide', '/guide'],
      ['settings', '/settings'],
      ['comingsoon', '/comingsoon'],
      ['tables', '/tables'],
    ])
  })

  test.each(['/databases', '/users/', '/nowhere', '/a/b/c'])(
    '%s has a title of its own',
    async (path) => {
      const { Pages } = await import('~/app/Pages')
      const { hook, searchHook } = memoryLocation({ path })
      await act(async () => {
        render(
          <Router hook={hook} searchHook={searchHook}>
            <Pages />
          </Router>,
        )
      })
      const titles: Record<string, string> = { '/databases': 'Databases', '/users/': 'Users' }
      expect(document.title).toBe(`${titles[path] ?? 'This page could not be found'} · webconsole`)
      const home = screen.queryByRole('link', { name: 'Back to the home page' })
      expect(home?.getAttribute('href') ?? null).toBe(path in titles ? null : '/')
    },
  )
})

describe('the address', () => {
  afterEach(() => window.history.replaceState(null, '', '/'))

  test.each([
    ['', '/query/?db=1#b', '/query?db=1#b'],
    // A04: what no page has is removed.
    ['', '/query?a=1&db=x&token=v2.public.x#b', '/query?db=x#b'],
    ['', '/?__proto__[x]=1', '/'],
    ['', '/keys?key=%2e%2B&db=a', '/keys?key=%2e%2B&db=a'],
    ['', '/query', '/query'],
    ['', '/', '/'],
    ['/ops/immudb', '/ops/immudb/query/', '/ops/immudb/query'],
    ['/ops/immudb', '/ops/immudb/', '/ops/immudb/'],
    ['', '/index.html', '/'],
    ['', '/databases/index.html?db=1#b', '/databases?db=1#b'],
    ['/ops/immudb', '/ops/immudb/index.html', '/ops/immudb/'],
    ['/ops/immudb', '/ops/immudb/users/index.html', '/ops/immudb/users'],
    ['/ops/immudb', '/elsewhere/query/', '/elsewhere/query/'],
  ])('below %s: %s becomes %s', (mount, before, after) => {
    window.history.replaceState(null, '', before)
    normaliseAddress(mount)
    const { pathname, search, hash } = window.location
    expect(`${pathname}${search}${hash}`).toBe(after)
  })

  test('what comes behind the login is fetched from beside the script, whatever the address', () => {
    const named = document.createElement('meta')
    named.name = 'behind-login'
    named.content = 'a.js b.js'
    document.head.append(named)
    window.history.replaceState(null, '', '/ops/immudb/users')
    fetchBehindLogin()
    const links = [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')]
    const folder = import.meta.url.replace('test/app/Pages.test.tsx', 'src/app/')
    expect(links.map((link) => link.href)).toEqual([`${folder}a.js`, `${folder}b.js`])
    expect(named.isConnected).toBe(false)
    for (const link of links) link.remove()
  })

  test('may change without taking the icons to another folder', () => {
    window.history.replaceState(null, '', '/ops/immudb/not/here')
    const icon = document.createElement('link')
    icon.rel = 'icon'
    icon.setAttribute('href', '../assets/icon.svg')
    document.head.append(icon)
    pinIcons()
    window.history.pushState(null, '', '/ops/immudb/')
    expect(icon.href).toBe(`${window.location.origin}/ops/immudb/assets/icon.svg`)
    icon.remove()
  })

  test('names a database, or none', () => {
    expect(databaseInAddress()).toBeNull()
    window.history.replaceState(null, '', '/query?db=a%26b%3Cc%3E')
    expect(databaseInAddress()).toBe('a&b<c>')
    window.history.replaceState(null, '', '/query?db=')
    expect(databaseInAddress()).toBeNull()
  })
})

describe('the policy for sinks', () => {
  const script = 'https://host.example/ops/assets/main-AAAA.js'

  test('lets the one constant through as markup, and nothing else', () => {
    expect(allowedMarkup(radixSelectStyle)).toBe(radixSelectStyle)
    for (const html of ['', '<b>x</b>', ` ${radixSelectStyle}`, `${radixSelectStyle}<script>`]) {
      expect(() => allowedMarkup(html)).toThrow(TypeError)
    }
  })

  test.each([
    'https://host.example/ops/assets/worker-BBBB.js',
    './worker-BBBB.js',
    'worker-BBBB.js?x',
  ])('lets %s through as a script', (url) => {
    expect(allowedScript(url, script)).toBe(url)
  })

  test.each([
    'https://evil.example/ops/assets/worker.js',
    '//evil.example/worker.js',
    '/ops/other.js',
    '../x.js',
    'https://host.example/ops/assets/../../x.js',
    'https://host.example/ops/assets%2F..%2Fx.js',
    'javascript:alert(1)',
    'data:text/javascript,alert(1)',
    'blob:https://host.example/1',
    'http://host.example/ops/assets/worker.js',
  ])('refuses %s as a script', (url) => {
    expect(() => allowedScript(url, script)).toThrow(TypeError)
  })

  test('is the default policy where the browser has Trusted Types, and no error elsewhere', () => {
    expect(() => protectSinks(script)).not.toThrow()
    const createPolicy = vi.fn()
    vi.stubGlobal('trustedTypes', { createPolicy })
    protectSinks(script)
    expect(createPolicy.mock.calls[0]?.[0]).toBe('default')
    expect(() => createPolicy.mock.calls[0]?.[1].createHTML('<img>')).toThrow()
  })
})

test('inside another page there is only the way out', () => {
  render(<Framed />)
  const link = screen.getByRole('link', { name: 'Open it in its own window' })
  expect(link.getAttribute('target')).toBe('_blank')
  expect(link.getAttribute('rel')).toContain('noopener')
})
