// @vitest-environment node
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { forward } from '../../embed/pipeline/dev-proxy'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a request reaches the server under the name of that server, the answer comes back', async () => {
  const api = await listen((from, to) => {
    from.on('data', (body) => {
      const { host, origin } = from.headers
      to.writeHead(403, { 'grpc-metadata-x': 'y' })
      to.end(JSON.stringify({ method: from.method, url: from.url, host, origin, body: `${body}` }))
    })
  })
  const proxy = await listen((from, to) => forward(from, to, new URL('/api/x?y=1', api)))
  const headers = { origin: proxy }
  const answer = await fetch(proxy, { method: 'POST', body: 'sent', headers })
  expect(answer.status).toBe(403)
  expect(answer.headers.get('grpc-metadata-x')).toBe('y')
  const host = new URL(api).host
  const expected = { method: 'POST', url: '/api/x?y=1', host, origin: api, body: 'sent' }
  expect(await answer.json()).toEqual(expected)
})

test('where nothing answers, the text says what to do', async () => {
  const gone = await listen(() => {})
  servers.pop()?.close()
  const proxy = await listen((from, to) => forward(from, to, new URL('/api/login', gone)))
  const answer = await fetch(proxy)
  expect(answer.status).toBe(502)
  expect(await answer.text()).toContain(`Nothing answers at ${gone}`)
})
