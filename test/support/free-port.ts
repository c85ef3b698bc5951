import { createServer, type Server } from 'node:net'

/** Below what Linux gives to connections, where a port is taken only by those who name it. */
const first = 20_000
const portsOfAProcess = 60
const processes = 200
let given = 0
let claim: Promise<number> | undefined

/** Free ports from a range of this process; each is reused as late as possible. */
export async function freePorts(count: number): Promise<number[]> {
  claim ??= claimed()
  const start = await claim
  const ports: number[] = []
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries === portsOfAProcess) throw new Error(`no free port from ${start} on`)
    const port = start + 1 + (given++ % (portsOfAProcess - 1))
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

/**
 * The range whose first port could be taken, which this process keeps until it ends: in a range of
 * two processes one would take the ports of what the other has ended to start it again.
 */
async function claimed(): Promise<number> {
  for (let tries = 0; tries < processes; tries += 1) {
    const start = first + ((process.pid + tries) % processes) * portsOfAProcess
    const guard = await listening(start)
    if (guard) {
      guard.unref()
      return start
    }
  }
  throw new Error('no free range of ports')
}

async function isFree(port: number): Promise<boolean> {
  const server = await listening(port)
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  return server !== null
}

function listening(port: number): Promise<Server | null> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
