// @vitest-environment node
import { expect, test } from 'vitest'
import { mayAsk, readMetricsAddress, usualMetricsAddress } from '~/immudb/metrics'
import { corpus } from '../support/recorded'

const http = { protocol: 'http:', hostname: 'console.example' }
const https = { protocol: 'https:', hostname: 'console.example' }

test('the usual address is port 9497 of the same host, by the scheme of the page', () => {
  expect(usualMetricsAddress(http)).toBe('http://console.example:9497/metrics')
  expect(usualMetricsAddress(https)).toBe('https://console.example:9497/metrics')
  expect(usualMetricsAddress({ protocol: 'http:', hostname: '[::1]' })).toBe(
    'http://[::1]:9497/metrics',
  )
})

test.each([
  ['db.example', 'http://db.example:9497/metrics'],
  [' db.example:9497 ', 'http://db.example:9497/metrics'],
  ['db.example:9497/metrics', 'http://db.example:9497/metrics'],
  ['http://db.example:9497', 'http://db.example:9497/metrics'],
  ['https://db.example:9497/metrics?x=1#y', 'https://db.example:9497/metrics'],
  ['10.0.0.7', 'http://10.0.0.7:9497/metrics'],
  ['[::1]', 'http://[::1]:9497/metrics'],
  ['[::1]:9497', 'http://[::1]:9497/metrics'],
])('%j is read as %s', (typed, address) => {
  expect(readMetricsAddress(typed, http)).toEqual({ address })
})

test.each([
  ['', /not a host/],
  ['two words', /not a host/],
  ['db.example:9498', /Only port 9497/],
  ['db.example:80', /Only port 9497/],
  ['http://db.example', /Only port 9497/],
  ['https://db.example/metrics', /Only port 9497/],
  ['http://user:secret@db.example:9497', /password/],
])('%j is refused', (typed, reason) => {
  expect(readMetricsAddress(typed, http)).toEqual({ error: expect.stringMatching(reason) })
})

test.each([
  [null, true],
  ["default-src 'none'; connect-src 'self' http://*:9497 https://*:9497; img-src 'self'", true],
  ["connect-src 'self' http://db.example:9497", true],
  ["default-src 'none'; connect-src 'self'", false],
  ["connect-src 'self' https://*:9497", false],
  ["connect-src 'self' http://db.example:9498", false],
  ["default-src 'none'", false],
])('the policy %j decides whether another origin is asked', (policy, isAllowed) => {
  expect(mayAsk('http://db.example:9497/metrics', policy)).toBe(isAllowed)
})

test('a page over https cannot ask over http, and says so', () => {
  expect(readMetricsAddress('http://db.example:9497', https)).toEqual({
    error: expect.stringMatching(/https/),
  })
  expect(readMetricsAddress('db.example', https)).toEqual({
    address: 'https://db.example:9497/metrics',
  })
})

test('whatever is typed, what comes out is a metrics address or a sentence', () => {
  for (const category of ['markup', 'route', 'property-name', 'bidi-invisible']) {
    for (const { text = '' } of corpus(category)) {
      const read = readMetricsAddress(text, http)
      if ('address' in read) expect(read.address).toMatch(/^https?:\/\/[^/]+:9497\/metrics$/)
      else expect(read.error).toMatch(/\.$/)
    }
  }
})
