import { createServer } from 'node:net'

/** Ports that were free a moment ago; they are held together, so that no two are the same. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  await Promise.all(
    servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))),
  )
  const ports = servers.map((server) => {
    const address = server.address()
    if (!address || typeof address === 'string') throw new Error('no port was given')
    return address.port
  })
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}
