// @vitest-environment node
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy'
import { changed } from './faults'

const rows = JSON.stringify({
  rows: Array.from({ length: 200 }, (_, n) => ({ n: String(n) })),
})

let target: Server
let proxy: FaultProxy
let arrived: string[]

beforeEach(async () => {
  arrived = []
  target = createServer((req, res) => {
    arrived.push(`${req.method} ${req.url}`)
    let body = ''
    req.on('data', (part) => {
      body += part
    })
    req.on('end', () => {
      res.writeHead(200, {
        'content-type': 'application/json',
        'x-host': req.headers.host ?? '',
      })
      res.end(req.url === '/echo' ? body : rows)
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const address = target.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  proxy = await startFaultProxy(`http://127.0.0.1:${address.port}`)
})

afterEach(async () => {
  await proxy.close()
  target.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
})

/** Gives up when something has come so far, and tells what the caller saw of it. */
async function givenUp(path: string, hasCome: () => void): Promise<string> {
  const caller = new AbortController()
  const seen = fetched(path, { signal: caller.signal })
  await vi.waitFor(hasCome)
  caller.abort()
  return seen
}

/** The whole body, or the name of the error and the stage at which it came. */
async function fetched(path: string, init?: RequestInit): Promise<string> {
  let stage = 'headers'
  try {
    const answer = await fetch(proxy.url + path, init)
    stage = 'body'
    return await answer.text()
  } catch (error) {
    return `${error instanceof Error ? error.name : 'thrown'} in ${stage}`
  }
}

test('an answer can be changed on its way, and another server put in the place of the first', async () => {
  proxy.fault({ path: '/rows', fault: { kind: 'change', change: (body) => body.slice(0, 7) } })
  expect(await fetched('/rows')).toBe('{"rows"')
  expect(await fetched('/other')).toBe(rows)
  const other = createServer((_req, res) => res.end('other'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  proxy.turnTo(`http://127.0.0.1:${address.port}`)
  expect(await fetched('/other')).toBe('other')
  other.closeAllConnections()
  await new Promise((resolve) => other.close(resolve))
})

test('a text is changed whatever it has at that place, and keeps its length', () => {
  const fault = changed('txHash')
  if (fault.kind !== 'change') throw new Error('no change')
  for (let byte = 0; byte < 256; byte += 1) {
    const answer = (hash: Buffer) => JSON.stringify({ txId: '1', txHash: hash.toString('base64') })
    const hash = Buffer.alloc(32, byte)
    const found = fault.change(answer(hash))
    const other = Buffer.from(JSON.parse(found).txHash, 'base64')
    expect(found).toBe(answer(other))
    expect(other).toHaveLength(32)
    expect(other.equals(hash)).toBe(false)
  }
})

test('without a fault everything passes unchanged, the Host too', async () => {
  const answer = await fetch(`${proxy.url}/echo`, {
    method: 'POST',
    body: 'é;',
  })
  expect(await answer.text()).toBe('é;')
  expect(`http://${answer.headers.get('x-host')}`).toBe(proxy.url)
  const exchange = { method: 'POST', path: '/echo', body: 'é;', status: 200 }
  await vi.waitFor(() => expect(proxy.seen()).toMatchObject([exchange]))
})

describe('faults before the server', () => {
  test('hold: it waits until it is let through', async () => {
    const release = proxy.hold({ path: '/rows' })
    const held = fetched('/rows')
    expect(await fetched('/other')).toBe(rows)
    expect(arrived).toEqual(['GET /other'])
    release()
    expect(await held).toBe(rows)
    expect(await fetched('/rows')).toBe(rows)
  })

  test('reset', async () => {
    proxy.fault({ path: '/rows', times: 1, fault: { kind: 'reset' } })
    expect(await fetched('/rows')).toBe('TypeError in headers')
    expect(arrived).toEqual([])
    expect(await fetched('/rows')).toBe(rows)
  })

  test('hang ends only by the caller', async () => {
    proxy.fault({ fault: { kind: 'hang' } })
    const isThere = () => expect(proxy.seen()).toHaveLength(1)
    expect(await givenUp('/rows', isThere)).toBe('AbortError in headers')
    await vi.waitFor(() => expect(proxy.seen()[0]?.cutOff).toBe(true))
    expect(arrived).toEqual([])
  })

  test('answer', async () => {
    proxy.fault({
      fault: { kind: 'answer', status: 502, body: '<h1>bad gateway</h1>' },
    })
    const answer = await fetch(`${proxy.url}/rows`)
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      502,
      'text/html',
      '<h1>bad gateway</h1>',
    ])
    expect(arrived).toEqual([])
  })

  test('delay, and a caller that gives up is not forwarded', async () => {
    proxy.fault({ fault: { kind: 'delay', ms: 80 }, times: 1 })
    proxy.fault({ fault: { kind: 'delay', ms: 60_000 } })
    const start = performance.now()
    expect(await fetched('/rows')).toBe(rows)
    expect(performance.now() - start).toBeGreaterThan(75)
    const isThere = () => expect(proxy.seen()).toHaveLength(2)
    expect(await givenUp('/rows', isThere)).toContain('AbortError')
    await vi.waitFor(() => expect(proxy.seen()[1]?.cutOff).toBe(true))
    expect(arrived).toHaveLength(1)
  })
})

describe('faults after the server', () => {
  test.each([
    ['dropAnswer', 'TypeError in headers'],
    ['truncate', 'TypeError in body'],
    ['truncateChunked', 'TypeError in body'],
  ] as const)('%s', async (kind, expected) => {
    proxy.fault({ path: '/rows', fault: { kind } })
    expect(await fetched('/rows')).toBe(expected)
    expect(arrived).toEqual(['GET /rows'])
    await vi.waitFor(() => expect(proxy.seen()[0]?.cutOff).toBe(true))
  })

  test('hangAnswer', async () => {
    proxy.fault({ fault: { kind: 'hangAnswer' } })
    const isThere = () => expect(arrived).toEqual(['GET /rows'])
    expect(await givenUp('/rows', isThere)).toContain('AbortError')
  })

  test('cutClean is a whole answer with half the body', async () => {
    proxy.fault({ fault: { kind: 'cutClean' } })
    expect(await fetched('/rows')).toBe(rows.slice(0, Math.floor(rows.length / 2)))
  })

  test('corrupt keeps the length and breaks the JSON', async () => {
    proxy.fault({ fault: { kind: 'corrupt' } })
    const body = await fetched('/rows')
    expect(body).toHaveLength(rows.length)
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
  })

  test('drip arrives whole, in its own time', async () => {
    proxy.fault({ fault: { kind: 'drip', bytes: 500, ms: 10 } })
    const start = performance.now()
    expect(await fetched('/rows')).toBe(rows)
    expect(performance.now() - start).toBeGreaterThan(Math.floor(rows.length / 500) * 8)
  })
})

test('rules strike by method, path and number of times, in the order given', async () => {
  proxy.fault({ method: 'POST', fault: { kind: 'answer', status: 503 } })
  const remove = proxy.fault({
    path: /^\/ro/,
    times: 5,
    fault: { kind: 'answer', status: 502, body: 'x' },
  })
  expect(await fetched('/rows?a=1')).toBe('x')
  expect(await fetched('/echo')).toBe('')
  remove()
  expect(await fetched('/rows')).toBe(rows)
  expect((await fetch(`${proxy.url}/rows`, { method: 'POST' })).status).toBe(503)
  proxy.clearFaults()
  expect((await fetch(`${proxy.url}/rows`, { method: 'POST' })).status).toBe(200)
  expect(proxy.count({ method: 'GET', path: '/rows' })).toBe(2)
})

test('down refuses, up is back at the same address', async () => {
  const { url } = proxy
  await proxy.down()
  expect(await fetched('/rows')).toBe('TypeError in headers')
  await proxy.up()
  expect(proxy.url).toBe(url)
  expect(await fetched('/rows')).toBe(rows)
})

test('dropIdle closes kept connections', async () => {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write('GET /rows HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  await vi.waitFor(() => expect(proxy.seen()[0]?.status).toBe(200))
  proxy.dropIdle()
  await closed
})

test('peak counts what was open at one time', async () => {
  const letGo = proxy.hold({})
  const answers = [fetched('/rows'), fetched('/rows')]
  await vi.waitFor(() => expect(proxy.seen()).toHaveLength(2))
  letGo()
  await Promise.all(answers)
  await vi.waitFor(() => expect(proxy.seen({}).every(({ endedAt }) => endedAt)).toBe(true))
  await fetched('/rows')
  expect(proxy.peak({ path: '/rows' })).toBe(2)
})

test('a server that is gone looks like a reset', async () => {
  target.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
  expect(await fetched('/rows')).toBe('TypeError in headers')
})
