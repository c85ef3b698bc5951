import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { root } from '../../build.ts'
import { pageAt } from '../../src/lib/paths.ts'
import { readBuildOptions } from './build-options.ts'
import { metaPolicy } from './csp.ts'
import { type DevOutput, watchSources } from './dev-output.ts'
import { forward } from './dev-proxy.ts'
import { mediaType } from './output.ts'

const usage = `npm run dev [-- options]

  --api URL      where a running immudb or webconsole answers /api  (http://127.0.0.1:8080)
  --metrics URL  where its metrics are                              (/metrics of --api)
  --port N       port for the browser, 0 for any free one           (5173)
`

const { values } = parseArgs({
  options: {
    api: { type: 'string', default: 'http://127.0.0.1:8080' },
    metrics: { type: 'string' },
    port: { type: 'string', default: '5173' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const options = readBuildOptions(process.env)
const browsers = new Set<ServerResponse>()
let output: DevOutput | undefined
let release: () => void
const firstBuild = new Promise<void>((resolve) => {
  release = resolve
})

function built(next: DevOutput): void {
  const event = changeFrom(output, next)
  output = next
  for (const browser of browsers) browser.write(event)
  release()
}

/** A server-sent event: a new style sheet is exchanged in place, anything else is a reload. */
function changeFrom(before: DevOutput | undefined, now: DevOutput): string {
  const differs = [...now.files.keys()].filter((path) => !before?.files.has(path))
  const [first = ''] = differs
  if (differs.length === 1 && first.endsWith('.css')) {
    return `event: styles\ndata: ${first.replace('assets/', '')}\n\n`
  }
  return 'event: reload\ndata: \n\n'
}

function answer(from: IncomingMessage, to: ServerResponse): void {
  const url = new URL(from.url ?? '/', 'http://localhost')
  const { pathname } = url
  if (pathname.startsWith('/api/')) {
    forward(from, to, new URL(pathname + url.search, values.api))
  } else if (pathname === '/metrics') {
    forward(from, to, new URL(values.metrics ?? new URL('/metrics', values.api)))
  } else if (pathname === '/assets/reload') {
    listen(to)
  } else {
    firstBuild.then(() => serve(pathname, to))
  }
}

function listen(to: ServerResponse): void {
  to.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  to.write(':\n\n')
  browsers.add(to)
  to.on('close', () => browsers.delete(to))
}

/** Files and pages as the real handler answers them, but never cached. */
function serve(pathname: string, to: ServerResponse): void {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  const file = output?.files.get(pathname.slice(1))
  if (file) {
    to.writeHead(200, { ...headers, 'content-type': typeOf(pathname) }).end(file)
    return
  }
  if (!output || /^\/assets\/|\.[^/]*$/.test(pathname)) {
    to.writeHead(404, headers).end('not found')
    return
  }
  const depth = pathname.split('/').length - 2
  const html = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${metaPolicy(options)}; frame-ancestors 'none'`,
  }
  to.writeHead(pageAt(pathname) ? 200 : 404, { ...headers, ...html })
  to.end(output.page('../'.repeat(depth) || './'))
}

function typeOf(pathname: string): string {
  return pathname.endsWith('.map') ? 'application/json' : mediaType(pathname)
}

async function main(): Promise<void> {
  const server = createServer(answer)
  server.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  server.listen(Number(values.port), '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    console.log(`Console  http://127.0.0.1:${port}/\nAPI      ${values.api}`)
  })
  await watchSources(root, options, built, (message) => console.error(message))
}

if (values.help) console.log(usage)
else await main()
