import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { Link } from '~/ui/Link'
import { useNavigate, usePath, useSearchParam } from '~/ui/location'

function at(path: string, children: React.ReactNode) {
  const memory = memoryLocation({ path, record: true })
  render(
    <Router hook={memory.hook} searchHook={memory.searchHook}>
      {children}
    </Router>,
  )
  return memory
}

describe('Link', () => {
  test.each(['/query', '/query/'])('marks the present page at %s', (path) => {
    at(
      path,
      <>
        <Link to="/query?db=a">Query</Link>
        <Link to="/users">Users</Link>
      </>,
    )
    expect(screen.getByRole('link', { name: 'Query', current: 'page' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Users', current: false })).toBeTruthy()
  })

  test('the root is not the present page everywhere', () => {
    at('/query', <Link to="/">Overview</Link>)
    expect(screen.getByRole('link', { current: false })).toBeTruthy()
  })

  test('goes there without loading the page', async () => {
    const memory = at('/', <Link to="/users?db=x">Users</Link>)
    await userEvent.click(screen.getByRole('link', { name: 'Users' }))
    expect(memory.history?.at(-1)).toBe('/users?db=x')
  })

  test.each([
    ['/users?db=a', '/users?db=a&at=tx%3A5'],
    ['/users', '/users?at=tx%3A5'],
    ['/guide?x=1#part', '/guide?x=1&at=tx%3A5#part'],
    ['/query?db=a&at=tx%3A7', '/query?db=a&at=tx%3A7'],
    ['/query?db=b', '/query?db=b'],
  ])('keeps the moment that is looked at, but not in another database: %s', (to, href) => {
    at('/keys?db=a&at=tx:5', <Link to={to}>It</Link>)
    expect(screen.getByRole('link', { name: 'It' }).getAttribute('href')).toBe(href)
  })

  test('below a mount point has the whole address', () => {
    const memory = memoryLocation({ path: '/ops/immudb/query', record: true })
    render(
      <Router base="/ops/immudb" hook={memory.hook}>
        <Link to="/query">Query</Link>
      </Router>,
    )
    const link = screen.getByRole('link', { name: 'Query', current: 'page' })
    expect(link.getAttribute('href')).toBe('/ops/immudb/query')
  })
})

let go: ReturnType<typeof useNavigate>
let setDatabase: (value: string | undefined) => void
function Probe() {
  const [database, set] = useSearchParam('db')
  go = useNavigate()
  setDatabase = set
  return (
    <p>
      {usePath()} {database ?? 'none'}
    </p>
  )
}

describe('location', () => {
  test('reads the path without its slash and one parameter', () => {
    at('/query/?db=a%20b&at=tx:1', <Probe />)
    expect(screen.getByText('/query a b')).toBeTruthy()
  })

  test('reads a value once decoded, not twice', () => {
    at('/query?db=%252e%2525%2B', <Probe />)
    expect(screen.getByText('/query %2e%25+')).toBeTruthy()
  })

  test('sets and removes a parameter and keeps the others', () => {
    const memory = at('/query?at=tx:1', <Probe />)
    act(() => setDatabase('x'))
    expect(screen.getByText('/query x')).toBeTruthy()
    expect(memory.history?.at(-1)).toBe('/query?at=tx%3A1&db=x')
    act(() => setDatabase(undefined))
    expect(memory.history?.at(-1)).toBe('/query?at=tx%3A1')
  })

  test('keeps the anchor, which the router does not know', () => {
    const memory = at('/guide', <Probe />)
    window.location.hash = 'sql'
    act(() => setDatabase('x'))
    expect(memory.history?.at(-1)).toBe('/guide?db=x#sql')
    act(() => setDatabase(undefined))
    expect(memory.history?.at(-1)).toBe('/guide#sql')
    window.location.hash = ''
  })

  test('goes to a path and keeps the moment', () => {
    const memory = at('/query?db=a&at=tx:5', <Probe />)
    act(() => go('/users?db=a'))
    expect(memory.history?.at(-1)).toBe('/users?db=a&at=tx%3A5')
  })

  test('goes to a path', () => {
    at('/query', <Probe />)
    act(() => go('/users'))
    expect(screen.getByText('/users none')).toBeTruthy()
  })
})
