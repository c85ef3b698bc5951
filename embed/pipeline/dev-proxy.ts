import { type IncomingMessage, request, type ServerResponse } from 'node:http'

/**
 * Passes a request on to another server, under that server's own name: its guards compare `Host`
 * and `Origin`, and would refuse the address of this one.
 */
export function forward(from: IncomingMessage, to: ServerResponse, target: URL): void {
  const headers: Record<string, string | string[] | undefined> = {
    ...from.headers,
    host: target.host,
  }
  if (headers.origin) headers.origin = target.origin
  const passed = request(target, { method: from.method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(to)
  })
  passed.on('error', () => explain(to, target))
  to.on('close', () => passed.destroy())
  from.pipe(passed)
}

function explain(to: ServerResponse, target: URL): void {
  if (to.headersSent) {
    to.destroy()
    return
  }
  to.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
  to.end(
    `Nothing answers at ${target.origin}.\n\n` +
      'Start a database server (npm start), or name another one:\n' +
      '  npm run dev -- --api http://127.0.0.1:8080 --metrics http://127.0.0.1:9497/metrics\n',
  )
}
