import { createServer, request } from 'node:http'
import { base64 } from './live-proofs'

export const proxyPassword = { username: 'ops', password: 'front door' }

/** A reverse proxy that wants a password of its own (Basic) with every request, as nginx does. */
export type PasswordProxy = {
  readonly url: string
  /** Requests without the right password, each of which makes a browser ask for it. */
  refused(): readonly string[]
  close(): Promise<void>
}

export async function startPasswordProxy(target: string): Promise<PasswordProxy> {
  const { hostname, port } = new URL(target)
  const right = `Basic ${base64(`${proxyPassword.username}:${proxyPassword.password}`)}`
  const refused: string[] = []
  const server = createServer((req, res) => {
    if (req.headers.authorization !== right) {
      refused.push(`${req.method} ${req.url}`)
      res.writeHead(401, { 'www-authenticate': 'Basic realm="ops"', 'content-type': 'text/html' })
      res.end('<title>401 Authorization Required</title>')
      return
    }
    const { connection: _, ...headers } = req.headers
    const onward = request(
      { hostname, port, method: req.method, path: req.url, headers },
      (answer) => {
        // A proxy's own connection: what the server says of it is not passed on.
        const { connection: _own, ...rest } = answer.headers
        res.writeHead(answer.statusCode ?? 502, rest)
        answer.pipe(res)
      },
    )
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    refused: () => refused,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
