import type { ServerList } from '~/lib/servers'
import type { FakeImmudb } from './fake-immudb'

/** A call as it reached the host of several servers. */
export type HostCall = {
  /** The name in the path. */
  server: string
  path: string
  token: string | null
  /** Of the header that names the meant server. */
  meant: string | null
  body: string
}

export type FakeHost = {
  readonly fetch: typeof fetch
  readonly calls: HostCall[]
  /** Those that a server got. */
  readonly passed: Pick<HostCall, 'server' | 'token'>[]
  readonly list: ServerList
  /** The list from now on; a name that leads elsewhere gets another id. */
  change(list: ServerList): void
  /** Answers in the place of a server, or null to leave it to the server. */
  answer: (server: string, path: string, init: RequestInit) => Response | null
  /** The text of the metrics beside the API of a server; null where they cannot be reached. */
  metrics: (server: string) => string | null
}

/** The id of the server that answers at an address now. */
async function idOf(server: FakeImmudb | undefined): Promise<string | null> {
  const answer = await server?.fetch('/api/health').catch(() => null)
  return answer?.headers.get('Grpc-Metadata-Immudb-Uuid') ?? null
}

/** A host with a list in front of servers in memory, as `embed/` forwards to real ones. */
export function fakeHost(servers: Readonly<Record<string, FakeImmudb>>): FakeHost {
  const calls: HostCall[] = []
  const passed: FakeHost['passed'] = []
  let list = listOf(Object.keys(servers))
  const answer = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(input), 'http://localhost')
    const headers = new Headers(init.headers)
    if (pathname === '/servers.json') return json(list, 200)
    const [, name = '', inApi, beside = ''] =
      /^\/s\/([^/]+)(?:\/api(\/.*)|(\/metrics))$/.exec(pathname) ?? []
    const path = inApi ?? beside
    const entry = list.servers.find((one) => one.name === name)
    const meant = headers.get('Webconsole-Server')
    const token = headers.get('Authorization')?.replace('Bearer ', '') ?? null
    calls.push({ server: name, path, token, meant, body: String(init.body ?? '') })
    if (!entry) return refusal(404, 5, `there is no server ${name}`)
    if (meant !== null && meant !== entry.id) {
      return refusal(421, 9, `${name} leads to another server now. The call was not passed on.`)
    }
    const instead = host.answer(name, path, init)
    if (instead) return instead
    if (path === beside) {
      const text = host.metrics(name)
      if (text === null) return refusal(502, 14, `The metrics of ${name} did not answer.`)
      return new Response(text, { headers: { 'Content-Type': 'text/plain; version=0.0.4' } })
    }
    const issuer = headers.get('Webconsole-Issuer')
    const answering = issuer === null ? null : await idOf(servers[name])
    if (answering !== null && answering !== issuer) {
      const text = `not logged in: another immudb answers at ${name} now, and nothing was sent to it`
      const refused = refusal(421, 9, text)
      refused.headers.set('Grpc-Metadata-Immudb-Uuid', answering)
      return refused
    }
    passed.push({ server: name, token })
    const found = await servers[name]?.fetch(`/api${path}${search}`, init)
    return found ?? refusal(502, 14, `${name} did not answer.`)
  }
  const host: FakeHost = {
    calls,
    passed,
    answer: () => null,
    metrics: () => null,
    get list() {
      return list
    },
    change: (next) => {
      list = next
    },
    fetch: async (input, init) => {
      const response = await answer(input as RequestInfo, init)
      response.headers.set('Webconsole-Servers', list.version)
      return response
    },
  }
  return host
}

/** A list of these names. */
export function listOf(names: readonly string[], version = 'v1'): ServerList {
  return {
    version,
    servers: names.map((name) => ({ name, id: `id-${name}`, address: `https://${name}:8080` })),
  }
}

function json(value: unknown, status: number): Response {
  const headers = { 'Content-Type': 'application/json' }
  return new Response(JSON.stringify(value), { status, headers })
}

function refusal(status: number, code: number, text: string): Response {
  return json({ error: text, message: text, code }, status)
}
