// @vitest-environment node
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noOptions } from '../../embed/pipeline/build-options'
import { commonOptions } from '../../embed/pipeline/bundle'
import parse from '../../src/api/shims/destr'
import { withBase, withQuery } from '../../src/api/shims/ufo'

/** The client as the build makes it, as a module of its own. */
async function builtClient(): Promise<
  typeof import('~/api/client') &
    typeof import('~/api/server') &
    typeof import('~/api/server-figures')
> {
  const folder = mkdtempSync(join(tmpdir(), 'webconsole-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { alias } = commonOptions(process.cwd(), { version: '0', commit: 'x' }, noOptions, {})
  const contents = ['client', 'server', 'server-figures']
    .map((name) => `export * from '~/api/${name}'`)
    .join('\n')
  const outfile = join(folder, 'client.mjs')
  await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    format: 'esm',
    alias,
    outfile,
    logLevel: 'silent',
  })
  return import(/* @vite-ignore */ outfile)
}

describe('what stands in below ofetch', () => {
  test('has every name that ofetch takes from there', () => {
    const entry = readFileSync('node_modules/ofetch/dist/index.mjs', 'utf8')
    const [, file = ''] = /from '(\.\/shared\/[^']+)'/.exec(entry) ?? []
    const source = readFileSync(`node_modules/ofetch/dist/${file}`, 'utf8')
    const taken = [...source.matchAll(/^import (.+) from '(ufo|destr)'/gm)].map(
      ([, names, from]) => `${from} ${names}`,
    )
    expect(taken).toEqual(['destr destr', 'ufo { withBase, withQuery }'])
    for (const call of [parse, withBase, withQuery]) expect(call).toThrow('the client')
  })

  test('is never called by the client of the build', async () => {
    const { createClient, readHealth, readPageHeaders } = await builtClient()
    const fetch = async () =>
      new Response('{"status":true}', { headers: { 'content-type': 'application/json' } })
    const client = createClient({ baseURL: '/api', fetch, token: () => 'v2.public.x' })
    expect(await readHealth(client)).toMatchObject({ status: true })
    expect((await readPageHeaders(client)).get('content-type')).toBe('application/json')
  })
})
