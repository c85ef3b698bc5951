import { createServer } from 'node:net'

/** Below what Linux gives to connections, where a port is taken only by those who name it. */
const first = 20_000
const portsOfAProcess = 60
const processes = 200
const start = first + (process.pid % processes) * portsOfAProcess
let given = 0

/** Ports that nobody listens on, from a range of this process; each is given again late. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries === portsOfAProcess) throw new Error(`no free port from ${start} on`)
    const port = start + (given++ % portsOfAProcess)
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
