// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Build, build, requireBudgets, root, write } from '../../build'
import { findProblems } from '../../embed/pipeline/checks'
import { headerPolicy, metaPolicy } from '../../embed/pipeline/csp'
import { type GoParts, goParts } from '../../embed/pipeline/go-modules'
import { licenceOf } from '../../embed/pipeline/licence-texts'
import { readModule } from '../../embed/pipeline/module-archive'
import { type OutputFile, sha256 } from '../../embed/pipeline/output'
import { archive, pack } from '../../embed/pipeline/pack'
import { pages } from '../../src/lib/paths'

const folder = mkdtempSync(join(tmpdir(), 'webconsole-build-'))
const binary = { name: 'webconsole', bytes: new Uint8Array([1]) }
let first: Build
let parts: GoParts
let sources: readonly OutputFile[]

beforeAll(async () => {
  first = await build()
  parts = goParts(root)
  sources = await readModule(root)
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function text(file: OutputFile | undefined): string {
  return new TextDecoder().decode(file?.bytes)
}

function named(path: string): OutputFile {
  const file = first.files.find((candidate) => candidate.path === path)
  if (!file) throw new Error(`the build has no ${path}`)
  return file
}

function digest(files: readonly OutputFile[]): string {
  return sha256(files.map((file) => `${file.path} ${sha256(file.bytes)}`).join('\n'))
}

describe('A22 the build', () => {
  test('A22 gives the same bytes twice', async () => {
    const second = await build()
    expect(digest(second.files)).toBe(digest(first.files))
    expect(digest(second.encoded)).toBe(digest(first.encoded))
    expect(second.bill).toBe(first.bill)
  }, 60_000)

  test('A22 lists every written file with its true size and hash, the manifest apart', async () => {
    await write(first, folder)
    const dist = join(folder, 'dist')
    const written = execFileSync('find', ['.', '-type', 'f'], { cwd: dist, encoding: 'utf8' })
    const paths = written
      .trim()
      .split('\n')
      .map((path) => path.slice(2))
    const listed = first.manifest.files
    expect(paths.sort()).toEqual([...listed.map((file) => file.path), 'manifest.json'].sort())
    for (const file of listed) {
      const bytes = readFileSync(join(dist, file.path))
      expect([file.path, file.size, file.sha256]).toEqual([file.path, bytes.length, sha256(bytes)])
    }
  })

  test('A22 replaces an earlier output completely and touches no other folder', async () => {
    writeFileSync(join(folder, 'dist/left-over.js'), '')
    await write(first, folder)
    expect(() => readFileSync(join(folder, 'dist/left-over.js'))).toThrow()
    const other = mkdtempSync(join(folder, 'other-'))
    const precious = join(other, 'dist')
    execFileSync('mkdir', [precious])
    writeFileSync(join(precious, 'thesis.txt'), 'precious')
    await expect(write(first, other)).rejects.toThrow('not touched')
    expect(readFileSync(join(precious, 'thesis.txt'), 'utf8')).toBe('precious')
  })

  test('A22 carries the licences of what is inside, and says what the server binary has', () => {
    const licences = text(named('assets/licences.txt'))
    for (const name of ['react-dom', 'jotai', 'ofetch', 'tailwindcss']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
    }
    expect(licences).toContain('Business Source License 1.1')
  })

  test('A22 comes with a bill of materials that has neither time nor serial number', () => {
    const { components, dependencies, ...rest } = JSON.parse(first.bill)
    const names = components.map((component: { name: string }) => component.name)
    expect(names).toEqual(expect.arrayContaining(['react', 'react-dom', 'scheduler', 'jotai']))
    expect(names).not.toContain('vitest')
    expect(rest).not.toHaveProperty('serialNumber')
    expect(rest.metadata).not.toHaveProperty('timestamp')
    const react = components.find((component: { name: string }) => component.name === 'react')
    expect(react.hashes[0].content).toMatch(/^[0-9a-f]{128}$/)
    const reactDom = dependencies.find(({ ref }: { ref: string }) => ref.startsWith('react-dom@'))
    expect(reactDom.dependsOn.join()).toMatch(/^react@.*scheduler@/)
  })
})

describe('A23 the output', () => {
  test('A23 has no secret, path of this machine, source map, foreign address or hidden name', () => {
    expect(findProblems(root, first.files)).toEqual([])
    const secrets =
      /-----BEGIN [A-Z ]*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}|\bv2\.public\./
    for (const file of first.files)
      expect([file.path, secrets.exec(text(file))]).toEqual([file.path, null])
  })

  test('A23 names nothing of the environment of the build', () => {
    const { HOME = '', USER = '', HOSTNAME = '' } = process.env
    const names = [HOME, USER, HOSTNAME].filter((name) => name.length > 6)
    for (const name of [...names, 'node_modules/', 'file://', 'sourcesContent']) {
      const files = first.files.filter((file) => text(file).includes(name))
      expect([name, files.map((file) => file.path)]).toEqual([name, []])
    }
  })
})

test('A20 nothing makes style elements but React, style-mod and Radix Select, which are known', () => {
  const scripts = first.files.filter((file) => file.path.endsWith('.js'))
  const places = scripts.flatMap((file) => [
    ...text(file).matchAll(/createElement\("style"\)|\("style",\{dangerouslySetInnerHTML/g),
  ])
  expect(places.map(([place]) => place.split('"')[0]).sort()).toEqual([
    '(',
    'createElement(',
    'createElement(',
  ])
})

test('the build is within its budgets', () => {
  expect(() => requireBudgets(first)).not.toThrow()
})

/** A page of the console, of which there is one at each address. */
const isPage = ({ path }: OutputFile) => path.endsWith('index.html')

describe('the page for a disk', () => {
  test('refers to nothing but itself', () => {
    const page = text(named('verify.html'))
    expect([...page.matchAll(/<[a-z]+ [^>]*(?:src|href)="([^"]*)"/g)].map(([, to]) => to)).toEqual([
      expect.stringMatching(/^data:image\/svg\+xml;base64,/),
    ])
    // As a yes or no: a difference of the whole page would take minutes to be written out.
    expect(/\bimport\(\s*["'`]/.test(page)).toBe(false)
  })

  test('has its policy and its hash in the manifest, and the hash in the console', () => {
    const { bytes } = named('verify.html')
    const listed = first.manifest.files.filter(({ csp }) => csp !== undefined)
    expect(listed.map(({ path }) => path)).toEqual(['verify.html'])
    expect(text(named('verify.html'))).toContain(`content="${listed[0]?.csp}"`)
    const hash = sha256(bytes)
    expect(listed[0]?.sha256).toBe(hash)
    const scripts = first.files.filter(({ path }) => path.endsWith('.js'))
    expect(scripts.filter((file) => text(file).includes(hash))).toHaveLength(1)
  })
})

describe('pages', () => {
  test('there is one for every route and one in place of the listing of assets', () => {
    const expected = pages.map(({ path }) => (path === '/' ? '' : `${path.slice(1)}/`))
    const found = first.files.filter((file) => file.path.endsWith('index.html'))
    expect(found.map((file) => file.path.replace('index.html', '')).sort()).toEqual(
      [...expected, 'assets/'].sort(),
    )
    expect(first.manifest.routes.map((route) => route.path)).toEqual(pages.map((page) => page.path))
  })

  test('they refer only to files that exist, relative to themselves', () => {
    for (const file of first.files.filter(isPage)) {
      const links = [...text(file).matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link)
      expect(links.length).toBeGreaterThan(4)
      // The one link for people fetches the page itself once more.
      expect(links.filter((link) => link === '?')).toHaveLength(1)
      for (const link of links.filter((candidate) => candidate !== '?')) {
        expect(link).toMatch(/^\.\.?\/assets\//)
        named(new URL(link, `http://host/${file.path}`).pathname.slice(1))
      }
    }
  })

  test('they name an icon, so that no browser looks for one of its own accord', () => {
    const pages = first.files.filter(isPage).map(text)
    const icon = /<link rel="icon" type="image\/svg\+xml" href="[^"]+\.svg">/
    expect(pages.filter((page) => !icon.test(page))).toEqual([])
    expect(pages.length).toBeGreaterThan(5)
  })

  test('they have the title immudb looks for and the policy without frame-ancestors', () => {
    const page = text(named('index.html'))
    expect(page).toContain('<title>immudb webconsole</title>')
    expect(page).toContain(`content="${metaPolicy()}"`)
    expect(metaPolicy()).not.toContain('frame-ancestors')
    const plain = metaPolicy().replace(' http://*:9497 https://*:9497', '')
    expect(plain.split('; ')).toEqual(
      headerPolicy()
        .split('; ')
        .filter((part) => part !== "frame-ancestors 'none'"),
    )
    expect(headerPolicy().split('; ')).toContain("connect-src 'self'")
    expect(headerPolicy()).not.toContain('unsafe')
    expect(first.manifest.csp).toBe(headerPolicy())
  })

  test('they preload exactly the scripts that the login form waits for', () => {
    const { entry, preload } = first.manifest
    const links = [...text(named('index.html')).matchAll(/modulepreload" href="\.\/([^"]*)"/g)]
    expect(links.map(([, path]) => path)).toEqual(preload)
    expect(preload).toContain(entry)
    expect(preload.length).toBeLessThanOrEqual(2)
  })
})

describe('the archive', () => {
  test('has the layout that the Makefile of immudb unpacks', () => {
    const path = join(folder, 'pack.tar.gz')
    writeFileSync(path, archive(first))
    const listed = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' }).trim().split('\n')
    const names = listed.filter((name) => !name.endsWith('/'))
    expect(names).toEqual(first.files.map((file) => `dist/${file.path}`).sort())
    execFileSync('tar', ['-xzf', path, '-C', folder, 'dist/manifest.json'])
    expect(readFileSync(join(folder, 'dist/manifest.json'))).toEqual(
      Buffer.from(named('manifest.json').bytes),
    )
  })

  test('is the same twice and has the checksum that is written beside it', () => {
    expect(sha256(archive(first))).toBe(sha256(archive(first)))
    const files = pack(first, parts, binary, sources)
    const [packed, checksum] = files
    expect(text(checksum)).toBe(`${sha256(packed?.bytes ?? '')}  immudb-webconsole.tar.gz\n`)
    const goModule = files.find((file) => file.path === 'immudb-webconsole-go.tar.gz')
    expect(text(files.at(-1))).toBe(
      `${sha256(goModule?.bytes ?? '')}  immudb-webconsole-go.tar.gz\n`,
    )
    const hashes = (of: readonly OutputFile[]) => of.map(({ path, bytes }) => [path, sha256(bytes)])
    expect(hashes(pack(first, parts, binary, sources))).toEqual(hashes(files))
  }, 60_000)

  test('comes with the binary that its bill lists, and with its checksum', () => {
    const [, , bill, program, checksum] = pack(first, parts, binary, sources)
    expect([program?.path, program?.bytes]).toEqual([binary.name, binary.bytes])
    expect(text(checksum)).toBe(`${sha256(binary.bytes)}  webconsole\n`)
    const listed = JSON.parse(text(bill)).components.find(
      ({ name }: { name: string }) => name === binary.name,
    )
    expect(listed.hashes).toEqual([{ alg: 'SHA-256', content: sha256(binary.bytes) }])
  })

  test('comes with a bill that adds the Go modules of the binary, the same on every system', () => {
    const { modules, standard } = parts
    expect(goParts(root)).toEqual(parts)
    const [, , file] = pack(first, parts, binary, sources)
    const { components, dependencies, serialNumber, ...rest } = JSON.parse(text(file))
    const own = JSON.parse(first.bill)
    expect(rest).toEqual({ ...own, components: undefined, dependencies: undefined })
    // It follows from the content: the same for the same, another for another binary.
    expect(serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    const [, , other] = pack(first, parts, { ...binary, bytes: new Uint8Array([2]) }, sources)
    expect(JSON.parse(text(other)).serialNumber).not.toBe(serialNumber)
    expect(components.slice(0, own.components.length)).toEqual(own.components)
    const urls = components.map(({ purl = '' }: { purl?: string }) => purl)
    expect(urls).toContain('pkg:golang/github.com/codenotary/immudb@v1.11.1')
    // Replaced in go.mod, and compiled in on Windows alone.
    expect(urls).toContain('pkg:golang/github.com/spf13/afero@v1.5.1')
    expect(urls.join()).toContain('pkg:golang/github.com/inconshreveable/mousetrap@')
    expect(urls.join()).not.toContain('immudb-webconsole/embed')
    const goMod = readFileSync(join(root, 'embed/server/go.mod'), 'utf8')
    const direct = goMod.split('require (')[1]?.match(/^\t\S+ v[1-9]\S*$/gm) ?? []
    expect(direct.length).toBeGreaterThan(3)
    for (const line of direct) {
      expect(urls).toContain(`pkg:golang/${line.trim().replace(' ', '@')}`)
    }
    const refs = components.map((component: { 'bom-ref': string }) => component['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    expect(dependencies.at(-1).dependsOn).toEqual([
      own.metadata.component['bom-ref'],
      `pkg:golang/std@${standard.version}`,
      ...urls.slice(-modules.length),
    ])
    expect(urls).toContain(`pkg:golang/std@${standard.version}`)
  }, 60_000)

  test('names the licence of each module and of the standard library', () => {
    const [, , file] = pack(first, parts, binary, sources)
    const { components } = JSON.parse(text(file))
    const licences = new Map<string, string>(
      components.map(({ name, licenses }: { name: string; licenses: object[] }) => [
        name,
        JSON.stringify(licenses),
      ]),
    )
    expect(licences.get('github.com/codenotary/immudb')).toBe('[{"license":{"id":"BUSL-1.1"}}]')
    expect(licences.get('github.com/rs/xid')).toBe('[{"license":{"id":"MIT"}}]')
    expect(licences.get('github.com/cockroachdb/sentry-go')).toContain('BSD-2-Clause')
    expect(licences.get('gopkg.in/yaml.v3')).toBe('[{"expression":"Apache-2.0 AND MIT"}]')
    expect(licences.get('std')).toContain('BSD-3-Clause')
    expect([...licences].filter(([, ids]) => !ids?.includes('"'))).toEqual([])
    expect(() => licenceOf('example.org/new', 'Do what you like.')).toThrow('example.org/new')
  })
})
