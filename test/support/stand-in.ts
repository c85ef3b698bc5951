import { createServer, type Server } from 'node:http'
import { freePorts } from './free-port'

/** A server that answers as little as a list of servers needs, so that fifty fit into a test. */
export type StandIn = {
  readonly url: string
  /** The calls as `POST /api/login`. */
  readonly calls: string[]
  close(): Promise<void>
}

/** What a stand-in does with calls: answer, or accept them and stay silent. */
export type StandInManner = 'answers' | 'hangs'

export async function startStandIn(manner: StandInManner = 'answers'): Promise<StandIn> {
  const [port = 0] = await freePorts(1)
  const calls: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    calls.push(`${request.method} ${path}`)
    if (manner === 'hangs') return
    const body = answers.get(path.replace(/\/use\/.*/, '/use'))
    response.writeHead(body ? 200 : 404, {
      'Content-Type': 'application/json',
      'Grpc-Metadata-Immudb-Uuid': `stand-in-${port}`,
    })
    response.end(JSON.stringify(body ?? { error: 'not found', code: 5, message: 'not found' }))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${port}`, calls, close: () => closed(server) }
}

/** Several stand-ins, by their names; one of them hangs. */
export async function startFleet(count: number, hanging: number) {
  const all = await Promise.all(
    Array.from({ length: count }, (_, at) => startStandIn(at === hanging ? 'hangs' : 'answers')),
  )
  const servers = Object.fromEntries(all.map(({ url }, at) => [`stand-in-${at}`, url]))
  const close = async () => {
    await Promise.all(all.map((one) => one.close()))
  }
  return { servers, close }
}

const answers = new Map<string, unknown>([
  ['/api/health', { status: true, version: '1.11.1' }],
  ['/api/serverinfo', { version: '1.11.1', startedAt: '1700000000', numTransactions: '7' }],
  ['/api/login', { token: 'v2.public.stand-in' }],
  ['/api/db/use', { token: 'v2.public.stand-in.db' }],
  ['/api/db/list/v2', { databases: [{ name: 'defaultdb', loaded: true, numTransactions: '7' }] }],
])

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
