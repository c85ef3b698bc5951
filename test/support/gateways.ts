import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileBlock } from '~/screens/guide/guide'
import { freePorts } from './free-port'
import { oauth2Proxy } from './gateway-programs'
import { binary } from './immudb'
import { until } from './until'

/** What a browser is asked for by the gateways that want a password. */
export const gatewayLogin = { username: 'ops', password: 'front door' }

/** The name by which browsers of the tests find this machine. */
const host = 'console.test'

type Program = 'nginx' | 'caddy' | 'haproxy'

/** A program in front of the console, with files that the guide shows. */
export type Front = {
  readonly program: Program
  /** The whole configuration, and what it is made of: see {@link textOf}. */
  readonly files: readonly FileBlock[]
  /** Whether nginx asks oauth2-proxy about each request. */
  readonly asksElsewhere?: boolean
}

export type Gateway = {
  /** Address of the console, without a slash at the end. */
  readonly url: string
  /** Certificate of a browser that may enter, and the address by number at which it is asked for. */
  readonly certificate: {
    readonly origin: string
    readonly certPath: string
    readonly keyPath: string
  }
  /** What the program printed, for failures that need explaining. */
  readonly log: () => string
  close(): Promise<void>
}

/** Starts the real program on a free port in front of a server, with a certificate of its own. */
export async function startGateway(front: Front, target: string): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'webconsole-gateway-'))
  // The workers of nginx are nobody.
  chmodSync(folder, 0o755)
  const [port = 0, loginPort = 0] = await freePorts(2)
  const { host: upstream, pathname } = new URL(target)
  makeCertificates(folder)
  writeFileSync(join(folder, 'webconsole.htpasswd'), passwordLine())
  const text = adapted(textOf(front), { folder, port, upstream, loginPort })
  const config = join(folder, 'gateway.conf')
  writeFileSync(config, front.program === 'nginx' ? aroundServer(folder, text) : text)
  const origin = `https://${host}:${port}`
  const children: ChildProcess[] = []
  let log = ''
  const run = (program: string, args: readonly string[]) => {
    const child = spawn(program, args, { cwd: folder, env: { ...process.env, HOME: folder } })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => {
        log += part.toString()
      })
    }
    children.push(child)
  }
  if (front.asksElsewhere) run(await oauth2Proxy(), loginArgs(folder, loginPort))
  run(front.program, argsOf[front.program](config))
  const close = async () => {
    for (const child of children) await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await until(
      () => answers(port).then((is) => is || children.some(({ exitCode }) => exitCode !== null)),
      Boolean,
    )
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error('it ended')
  } catch (error) {
    await close()
    throw new Error(`${front.program} did not start: ${error}\n${text}\n${log}`)
  }
  return {
    url: origin + pathname.replace(/\/$/, ''),
    certificate: {
      origin: `https://127.0.0.1:${port}`,
      certPath: join(folder, 'clients.pem'),
      keyPath: join(folder, 'clients.key'),
    },
    log: () => log,
    close,
  }
}

/** Starts our own binary with a certificate, and with an empty database in it. */
export async function startOwnTls(): Promise<Pick<Gateway, 'url' | 'close'>> {
  const folder = mkdtempSync(join(tmpdir(), 'webconsole-tls-'))
  const [port = 0, grpc = 0, metrics = 0] = await freePorts(3)
  makeCertificates(folder)
  const certificate = ['--tls-cert', 'immudb.pem', '--tls-key', 'immudb.key', '--allow-host', host]
  const data = ['--dir', 'data', '--grpc-port', String(grpc), '--metrics-port', String(metrics)]
  const listen = ['--address', '127.0.0.1', '--port', String(port)]
  const child = spawn(binary('webconsole'), [...listen, ...certificate, ...data], {
    cwd: folder,
    stdio: 'ignore',
  })
  const close = async () => {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
  await until(() => answers(port).then((is) => is || child.exitCode !== null), Boolean)
  if (child.exitCode !== null) throw new Error(`webconsole ended with ${child.exitCode}`)
  return { url: `https://${host}:${port}`, close }
}

const argsOf: Readonly<Record<Program, (config: string) => readonly string[]>> = {
  nginx: (config) => ['-c', config, '-g', 'daemon off;'],
  caddy: (config) => ['run', '--config', config, '--adapter', 'caddyfile'],
  haproxy: (config) => ['-db', '-f', config],
}

/**
 * A whole file of what the guide shows as parts: a part that stands “in” a block goes before its last
 * brace, one “in place of” a location takes it out, and a second file of HAProxy takes the place of
 * the blocks of the same name.
 */
export function textOf({ program, files }: Front): string {
  const [whole, ...parts] = files
  if (!whole) throw new Error('a front has a file')
  return parts.reduce((text, part) => {
    if (program === 'haproxy') {
      const names = [...part.text.matchAll(/^\w+ \w+$/gm)].map(([name]) => name)
      return names.reduce((rest, name) => withoutBlock(rest, name), text) + part.text
    }
    const kept = part.name.includes('in place of')
      ? text.replace(/\n {2}location \/ \{[^}]*\}\n/, '\n')
      : text
    return kept.replace(/\}\s*$/, `${part.text}}\n`)
  }, whole.text)
}

function withoutBlock(text: string, name: string): string {
  return text.replace(new RegExp(`^${name}\\n(?: .*\\n)*`, 'm'), '')
}

type Places = { folder: string; port: number; upstream: string; loginPort: number }

function adapted(text: string, { folder, port, upstream, loginPort }: Places): string {
  const hash = text.includes('HASH') ? caddyHash() : ''
  const own = text
    .replaceAll('127.0.0.1:8080', upstream)
    .replaceAll('127.0.0.1:4180', `127.0.0.1:${loginPort}`)
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replaceAll('/etc/', `${folder}/`)
    .replace(/listen 443/, `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('PASSWORD', () => gatewayLogin.password.replaceAll(' ', '\\ '))
    .replace('HASH', () => hash)
  if (!own.startsWith('immudb.example {')) return own.replaceAll('immudb.example', host)
  // Else Caddy also listens on port 80 and on that of its administration.
  const settings = `{\n  admin off\n  auto_https disable_redirects\n  storage file_system ${folder}/caddy\n}\n`
  return settings + own.replace('immudb.example', `${host}:${port}`)
}

/** What Debian's own files have around a server. */
function aroundServer(folder: string, server: string): string {
  return `pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${server}
}
`
}

function makeCertificates(folder: string): void {
  const make = (name: string, ...more: readonly string[]) => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    const out = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...key, ...out, ...more], {
      cwd: folder,
      stdio: 'pipe',
    })
  }
  make('immudb', '-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`)
  make('clients', '-subj', '/CN=operator')
  const both = ['immudb.pem', 'immudb.key'].map((name) => readFileSync(join(folder, name)))
  writeFileSync(join(folder, 'immudb-with-key.pem'), Buffer.concat(both))
}

/** A line that nginx and oauth2-proxy both read. */
function passwordLine(): string {
  const digest = createHash('sha1').update(gatewayLogin.password).digest('base64')
  return `${gatewayLogin.username}:{SHA}${digest}\n`
}

function caddyHash(): string {
  return execFileSync('caddy', ['hash-password', '--plaintext', gatewayLogin.password], {
    encoding: 'utf8',
  }).trim()
}

function loginArgs(folder: string, port: number): readonly string[] {
  return [
    `--http-address=127.0.0.1:${port}`,
    '--reverse-proxy',
    '--set-xauthrequest',
    `--htpasswd-file=${folder}/webconsole.htpasswd`,
    // No one logs in there: only this provider is not asked when the program starts.
    '--provider=github',
    '--client-id=none',
    '--client-secret=none',
    '--cookie-secret=0123456789abcdef0123456789abcdef',
    '--email-domain=*',
    '--upstream=static://202',
  ]
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(
      { host: '127.0.0.1', port, servername: host, rejectUnauthorized: false, headers: { host } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode !== 502 && answer.statusCode !== 500)
      },
    )
    asked.on('error', () => resolve(false))
    asked.end()
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
