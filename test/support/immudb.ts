import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from './free-port'
import { immudbProgram } from './immudb-versions'
import { falter } from './slow'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
const startLimit = 30_000

// A terminated worker would leave its servers running, because SIGTERM triggers no exit event.
process.once('SIGTERM', () => process.exit(143))

/** `webconsole` is our binary, `drop-in` is immudb itself built around our `embed/dist`. */
type ServerKind = 'webconsole' | 'drop-in'

export type ServerOptions = {
  readonly kind?: ServerKind
  /**
   * Our binary in front of an immudb of this version, such as `1.9.5`, instead of the one in it.
   * `IMMUDB=1.9.5` says so for every server that is not of another kind.
   */
  readonly version?: string
  /** More flags of the program, as our binary calls them, such as `--token-expiry-time`. */
  readonly flags?: readonly string[]
  /** Serves everything below this path, such as `/ops/immudb`; our binary only. */
  readonly prefix?: string
  /** Megabytes of a disk of its own for the data, which needs root; see {@link ImmudbServer.disk}. */
  readonly diskSize?: number
  /** Serves the console in front of this immudb instead of starting a database. */
  readonly inFrontOf?: { readonly url: string; readonly metricsUrl: string }
  /** Begins with a copy of this data folder instead of an empty one. */
  readonly data?: string
  /** Serves the console in front of several servers, by the names of their list. */
  readonly servers?: Readonly<Record<string, string>>
}

/** What is started: that of the kind, or another with the same flags. */
type Program = {
  readonly kind: ServerKind
  readonly program?: string
  readonly behind?: ImmudbServer
}

type Ports = { readonly web: number; readonly grpc: number; readonly metrics: number }

/** A real server process on its own ports and data directory. */
export class ImmudbServer {
  /** Address of the console, without a slash at the end. */
  readonly url: string
  readonly metricsUrl: string
  /** For clients of the database itself, such as a replica. */
  readonly grpcPort: number
  /** An address that answers once the server is up. */
  readonly #probe: string
  #command: string
  readonly #args: readonly string[]
  readonly #home: string
  /** The database, where this is only the console in front of it. */
  readonly #behind: ImmudbServer | undefined
  #child: ChildProcess | undefined
  #gone: Promise<unknown> = Promise.resolve()
  #stopFaltering: () => void = () => undefined
  #log = ''

  constructor(
    home: string,
    ports: Ports,
    options: ServerOptions,
    { kind, program = binary(kind), behind }: Program,
  ) {
    this.#home = home
    this.#behind = behind
    this.#probe = options.servers ? '/servers.json' : '/api/health'
    this.#command = program
    const own = kind === 'webconsole' ? ourArgs(home, ports, options) : stockArgs(home, ports)
    const plain = [...own, ...(options.flags ?? [])]
    this.#args = options.diskSize ? onOwnDisk(home, options.diskSize, program, plain) : plain
    if (options.diskSize) this.#command = 'unshare'
    this.grpcPort = behind?.grpcPort ?? ports.grpc
    this.url = `http://127.0.0.1:${ports.web}${options.prefix ?? ''}`
    this.metricsUrl = options.inFrontOf?.metricsUrl ?? `http://127.0.0.1:${ports.metrics}`
  }

  /** The data folder as this process may reach it, though it may be mounted for the server alone. */
  get disk(): string {
    return this.#behind?.disk ?? `/proc/${this.#child?.pid}/root${this.#home}`
  }

  /** Copies its data; while it runs, the copy could be torn. */
  async copyTo(folder: string): Promise<void> {
    if (this.#behind) return this.#behind.copyTo(folder)
    await cp(this.#home, folder, { recursive: true })
  }

  /** What the process printed, for failures that need explaining. */
  get log(): string {
    return `${this.#behind?.log ?? ''}${this.#log}`
  }

  /**
   * Starts the process, or starts it again on the same ports and data, with more flags if given;
   * one that is still ending is waited for.
   */
  async start(flags: readonly string[] = []): Promise<void> {
    await this.#gone
    const { ofConsole, ofImmudb } = this.#behind
      ? splitFlags(flags)
      : { ofConsole: flags, ofImmudb: [] }
    await this.#behind?.start(ofImmudb)
    const child = spawn(this.#command, [...this.#args, ...ofConsole], { cwd: this.#home })
    this.#child = child
    const killWithUs = () => child.kill('SIGKILL')
    process.once('exit', killWithUs)
    child.once('exit', () => {
      process.off('exit', killWithUs)
      this.#stopFaltering()
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part: Buffer) => {
        this.#log += part.toString()
      })
    }
    await this.#healthy(child)
    this.#stopFaltering = falter((signal) => child.kill(signal))
  }

  /** Ends the process with a signal and waits until it is gone. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child && child.exitCode === null && child.signalCode === null) {
      this.#stopFaltering()
      this.#gone = new Promise((resolve) => child.once('exit', resolve))
      // A frozen process can be killed as it is, but it must run to end by itself.
      if (signal === 'SIGTERM') child.kill('SIGCONT')
      child.kill(signal)
      await this.#gone
    }
    await this.#behind?.end(signal)
  }

  /** Kills it in the middle of its work and starts it again. */
  async restart(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    await this.end(signal)
    await this.start()
  }

  /** Freezes the process: connections stay open, nothing is answered. */
  freeze() {
    this.#stopFaltering()
    this.#child?.kill('SIGSTOP')
    this.#behind?.freeze()
  }

  thaw() {
    this.#behind?.thaw()
    this.#child?.kill('SIGCONT')
  }

  /** Ends the process and removes its data. */
  async dispose(): Promise<void> {
    await this.end('SIGKILL')
    await this.#behind?.dispose()
    await rm(this.#home, { recursive: true, force: true })
  }

  async #healthy(child: ChildProcess): Promise<void> {
    const deadline = performance.now() + startLimit
    while (performance.now() < deadline) {
      if (child.exitCode !== null || child.signalCode !== null) break
      const answer = await fetch(`${this.url}${this.#probe}`).catch(() => undefined)
      if (answer?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(
      `the server did not start:\n${this.#command} ${this.#args.join(' ')}\n${this.#log}`,
    )
  }
}

/** Starts a server on free ports, with an empty data directory if not told otherwise. */
export async function startServer(options: ServerOptions = {}): Promise<ImmudbServer> {
  const version = options.version ?? wantedVersion(options)
  const server = version
    ? await serverInFront(await immudbProgram(version), options)
    : await newServer(options, { kind: options.kind ?? 'webconsole' })
  await server.start().catch(async (error: unknown) => {
    // It may only have been slow, and would hold its ports.
    await server.dispose()
    throw error
  })
  return server
}

/** The version that the whole run is about, for a server whose database could be any. */
function wantedVersion({ kind, inFrontOf, servers }: ServerOptions): string | undefined {
  return kind || inFrontOf || servers ? undefined : process.env.IMMUDB
}

async function newServer(options: ServerOptions, program: Program): Promise<ImmudbServer> {
  const home = await mkdtemp(join(tmpdir(), 'webconsole-test-'))
  if (options.data) await cp(options.data, home, { recursive: true })
  const [web, grpc, metrics] = await freePorts(3)
  const ports = { web: web ?? 0, grpc: grpc ?? 0, metrics: metrics ?? 0 }
  return new ImmudbServer(home, ports, options, program)
}

/** Our binary in front of another immudb, which starts and ends with it. */
async function serverInFront(program: string, options: ServerOptions): Promise<ImmudbServer> {
  const { data, diskSize, flags = [], prefix } = options
  const { ofConsole, ofImmudb } = splitFlags(flags)
  const behind = await newServer(
    { flags: ofImmudb, ...(data && { data }), ...(diskSize && { diskSize }) },
    { kind: 'drop-in', program },
  )
  const front = { inFrontOf: behind, flags: ofConsole, ...(prefix && { prefix }) }
  return newServer(front, { kind: 'webconsole', behind })
}

/** Flags of our binary that are about the console and not about the database in it. */
const consoleFlags = [
  '--prefix',
  '--allow-host',
  '--frame-ancestors',
  '--trust-user-header',
  '--log-format',
]

/** The same under the names that immudb has for them. */
const stockNames: ReadonlyMap<string, string> = new Map([['--signing-key', '--signingKey']])

/** Flags of our binary for the console in front and, as immudb calls them, for the database behind. */
function splitFlags(flags: readonly string[]): { ofConsole: string[]; ofImmudb: string[] } {
  const [ofConsole, ofImmudb]: [string[], string[]] = [[], []]
  let isOfConsole = false
  for (const part of flags) {
    const name = part.split('=', 1)[0] ?? part
    if (part.startsWith('--')) isOfConsole = consoleFlags.includes(name)
    if (isOfConsole) ofConsole.push(part)
    else ofImmudb.push(`${stockNames.get(name) ?? name}${part.slice(name.length)}`)
  }
  return { ofConsole, ofImmudb }
}

/** Starts the program where a small disk stands in the place of the folder, for it alone. */
function onOwnDisk(
  home: string,
  megabytes: number,
  command: string,
  args: readonly string[],
): readonly string[] {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && cd "$0" && exec "$@"`
  return ['--mount', 'sh', '-c', mount, home, command, ...args]
}

/** The path of what was built last. */
export function binary(kind: ServerKind): string {
  const name = kind === 'webconsole' ? 'webconsole' : 'immudb'
  const path = join(cache, process.platform === 'win32' ? `${name}.exe` : name)
  if (!existsSync(path)) throw new Error(`${path} is missing: run "npm test" once, it builds it`)
  return path
}

function ourArgs(home: string, ports: Ports, options: ServerOptions): readonly string[] {
  const listen = ['--address', '127.0.0.1', '--port', String(ports.web)]
  const below = options.prefix ? ['--prefix', options.prefix] : []
  const named = Object.entries(options.servers ?? {})
  const behind = options.inFrontOf
    ? ['--server', options.inFrontOf.url, '--metrics', options.inFrontOf.metricsUrl]
    : named.length > 0
      ? named.flatMap(([name, url]) => ['--server', `${name}=${url}`])
      : ['--dir', home, '--grpc-port', String(ports.grpc), '--metrics-port', String(ports.metrics)]
  return [...listen, ...below, ...behind]
}

function stockArgs(home: string, ports: Ports): readonly string[] {
  return [
    `--dir=${home}`,
    '--address=127.0.0.1',
    `--port=${ports.grpc}`,
    `--web-server-port=${ports.web}`,
    `--metrics-server-port=${ports.metrics}`,
    '--pgsql-server=false',
  ]
}
