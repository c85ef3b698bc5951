import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installFromDebian, isDebian, isProgram, onPath } from './installed.ts'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))

/** Programs that run, and the packages of Debian that have them. */
const programs = { nginx: 'nginx-light', caddy: 'caddy', haproxy: 'haproxy', openssl: 'openssl' }

/** Built from its Go module: no Debian package has it. */
const oauth2 = { name: 'github.com/oauth2-proxy/oauth2-proxy/v7', version: 'v7.15.6' }

/** Whether what the tests of gateways run is here. */
export const areGatewaysHere = (): boolean =>
  Object.keys(programs).every((name) => onPath([name]).some(isProgram))

/** Installs what the tests of gateways run; says so where that is not possible. */
export async function ensureGateways(): Promise<void> {
  if (isDebian && !areGatewaysHere()) installFromDebian(...Object.values(programs))
  if (areGatewaysHere()) await oauth2Proxy()
  else {
    const names = Object.keys(programs).join(', ')
    console.log(
      `Not tried, because they are not all installed: ${names}, and with them oauth2-proxy.`,
    )
  }
}

/** The program of oauth2-proxy, built the first time, which takes some minutes, and kept. */
export async function oauth2Proxy(): Promise<string> {
  const program = `${cache}oauth2-proxy-${oauth2.version}/oauth2-proxy`
  if (existsSync(program)) return program
  await promisify(execFile)('go', ['install', '-trimpath', `${oauth2.name}@${oauth2.version}`], {
    env: { ...process.env, CGO_ENABLED: '0', GOBIN: `${cache}oauth2-proxy-${oauth2.version}` },
    maxBuffer: 2 ** 26,
  })
  return program
}
