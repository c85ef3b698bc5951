import { request } from 'node:https'
import { describe, expect, onTestFinished } from 'vitest'
import {
  caddy,
  caddyPassword,
  haproxy,
  haproxyPassword,
  nginx,
  nginxBelow,
  nginxClients,
  nginxForward,
  nginxPassword,
} from '~/screens/guide/chapters/proxies'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { type Open, type Serve, test } from '../support/e2e'
import {
  type Front,
  type Gateway,
  gatewayLogin,
  startGateway,
  startOwnTls,
} from '../support/gateways'
import { isRefusedUnrun } from '../support/watch'

type Case = Front & {
  readonly name: string
  /** Where the console is served, below the root. */
  readonly prefix?: string
  readonly wants?: 'password' | 'certificate'
}

/** Each configuration of the guide, as it stands there. */
const cases: readonly Case[] = [
  { name: 'nginx', program: 'nginx', files: [nginx] },
  {
    name: 'nginx, below a path',
    program: 'nginx',
    files: [nginx, nginxBelow],
    prefix: '/ops/immudb',
  },
  {
    name: 'nginx with a password',
    program: 'nginx',
    files: [nginx, nginxPassword],
    wants: 'password',
  },
  {
    name: 'nginx with client certificates',
    program: 'nginx',
    files: [nginx, nginxClients],
    wants: 'certificate',
  },
  { name: 'Caddy', program: 'caddy', files: [caddy] },
  {
    name: 'Caddy with a password',
    program: 'caddy',
    files: [caddy, caddyPassword],
    wants: 'password',
  },
  { name: 'HAProxy', program: 'haproxy', files: [haproxy] },
  {
    name: 'HAProxy with a password',
    program: 'haproxy',
    files: [haproxy, haproxyPassword],
    wants: 'password',
  },
]

const named = ['--allow-host', 'console.test']
const inserts = 5

/** The console behind a gateway, before the log-in. */
async function openBehind(
  { serve, open }: { serve: Serve; open: Open },
  { prefix, wants, ...front }: Omit<Case, 'name'>,
  flags = named,
) {
  const server = await serve({ flags, ...(prefix && { prefix }) })
  const gateway = await startGateway(front, server.url)
  onTestFinished(gateway.close)
  const { certificate, url } = gateway
  // With a certificate the driver looks the name up itself, and knows no other for this machine.
  const console =
    wants === 'certificate' ? await open(certificate.origin, { certificate }) : await open(url)
  if (wants === 'password') await console.page.context().setHTTPCredentials(gatewayLogin)
  return { server, gateway, console }
}

describe('behind the real program with the configuration of the guide', () => {
  test.for(cases)('$name: log-in, writes that run once, a reload', async (one, { serve, open }) => {
    const { server, gateway, console } = await openBehind({ serve, open }, one)
    await console.signIn('/query')
    const way = await console.page.evaluate(
      () => performance.getEntriesByType('navigation')[0]?.toJSON().nextHopProtocol,
    )
    // With a certificate the driver stands between the browser and the program.
    if (one.wants !== 'certificate') expect(way).toBe('h2')
    await console.runSql(
      'CREATE TABLE behind (id INTEGER AUTO_INCREMENT, name VARCHAR, PRIMARY KEY id);',
    )
    await console.result(1).getByText('Committed').first().waitFor()
    for (let at = 0; at < inserts; at += 1) {
      await console.runSql("INSERT INTO behind (name) VALUES ('once');")
      await console
        .result(at + 2)
        .getByText('Committed, 1 row changed.')
        .waitFor()
    }
    await console.page.reload()
    await console.signedIn()
    await console.runSql('SELECT COUNT(*) FROM behind;')
    await console.cell(1, String(inserts)).waitFor()
    if (one.wants) return
    // nginx takes 1 MiB unless it is told otherwise.
    const { token } = await api(server.url)
    const large = Buffer.alloc(5_000_000, 'x').toString('base64')
    const body = JSON.stringify({ KVs: [{ key: 'bGFyZ2U=', value: large }] })
    expect(await sent(gateway, token, body)).toBe(200)
  })
})

describe('a gateway that asks for a login of its own elsewhere (oauth2-proxy)', () => {
  const front: Front = { program: 'nginx', files: [nginx, nginxForward], asksElsewhere: true }

  test('names the person, and keeps session and text when that login ends', async ({
    serve,
    open,
  }) => {
    const flags = [...named, '--trust-user-header', 'X-Forwarded-User', '--log-format', 'text']
    const { server, console } = await openBehind({ serve, open }, front, flags)
    const { page } = console
    // Its login page instead of what was asked for.
    console.visit.watch.expect(
      /server responded with a status of 403/,
      /Failed to fetch dynamically imported module/,
    )
    await page.goto(`${console.base}/query`)
    await logInElsewhere(console)
    await console.submitLogin()
    await console.signedIn()
    await console.runSql('CREATE TABLE elsewhere (id INTEGER, PRIMARY KEY id);')
    await console.result(1).getByText('Committed').first().waitFor()
    expect(server.log).toMatch(new RegExp(`user=${gatewayLogin.username}\\b`))
    await page.context().clearCookies()
    await console.runSql('INSERT INTO elsewhere (id) VALUES (1);')
    await console.result(2).getByText('Unknown', { exact: true }).waitFor()
    const again = page.getByRole('link', { name: 'Log in at the proxy, in a new tab', exact: true })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), again.click()])
    await logInElsewhere(console, tab)
    await again.waitFor({ state: 'detached' })
    await console.keepsSession()
    await console.runSql('SELECT COUNT(*) FROM elsewhere;')
    await console.cell(3, '0').waitFor()
  })
})

test('TLS of the binary itself: log-in, a verified write, writes that run once, a reload', async ({
  open,
}) => {
  const { url, close } = await startOwnTls()
  onTestFinished(close)
  const console = await open(url)
  const { page } = console
  await console.signIn('/query')
  expect(await page.evaluate(() => [location.protocol, isSecureContext])).toEqual(['https:', true])
  await console.runSql('CREATE TABLE own (id INTEGER, PRIMARY KEY id);')
  await console.result(1).getByText('Committed').first().waitFor()
  let run = 0
  page.on('response', (answer) => {
    if (answer.url().endsWith('/sqlexec') && !isRefusedUnrun(answer)) run += 1
  })
  for (let at = 0; at < inserts; at += 1) {
    await console.runSql(`INSERT INTO own (id) VALUES (${at});`)
    await console
      .result(at + 2)
      .getByText('Committed, 1 row changed.')
      .waitFor()
  }
  expect(run).toBe(inserts)
  await console
    .result(inserts + 1)
    .getByRole('button', { name: /is in the history\./ })
    .waitFor()
  await page.reload()
  await console.signedIn()
  await console.runSql('SELECT COUNT(*) FROM own;')
  await console.cell(1, String(inserts)).waitFor()
})

async function logInElsewhere({ page: first }: ConsolePage, page = first): Promise<void> {
  await page.getByLabel('Username').fill(gatewayLogin.username)
  await page.getByLabel('Password').fill(gatewayLogin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Sends a write through the program, past the browser; returns the status. */
async function sent({ url }: Gateway, token: string, body: string): Promise<number | undefined> {
  const { hostname: host, port, pathname } = new URL(`${url}/api/db/set`)
  return await new Promise((resolve, reject) => {
    const headers = { host: `${host}:${port}`, authorization: `Bearer ${token}` }
    const to = { host: '127.0.0.1', port, path: pathname, servername: host }
    const asked = request(
      { ...to, method: 'POST', headers, rejectUnauthorized: false },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}
