import { afterEach, expect, test } from 'vitest'
import { queryLink } from '~/screens/query/query-link'

const before = window.location.href

afterEach(() => window.history.replaceState(null, '', before))

test('a link to Query names the server of the page, and nothing else of its address', () => {
  window.history.replaceState(null, '', '/ops/query?server=two&at=tx-5&sql=SELECT&p.x=1&editor=e#x')
  const link = new URL(queryLink({ db: 'a&b', query: 'some-id', 'p.x.as': 'NULL' }))
  expect(link.pathname).toBe('/ops/query')
  expect([...link.searchParams]).toEqual([
    ['server', 'two'],
    ['db', 'a&b'],
    ['query', 'some-id'],
    ['p.x.as', 'NULL'],
  ])
  expect(link.hash).toBe('')
  expect(new URL(queryLink({ sql: 'x' }, ['server', 'at'])).searchParams.get('at')).toBe('tx-5')
})
