// @vitest-environment node
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'
import { findProblems } from '../../embed/pipeline/checks'
import { findStart } from '../../embed/pipeline/chunks'
import { licenceFile } from '../../embed/pipeline/licences'
import { describe as describeBuild } from '../../embed/pipeline/manifest'
import { hashedAsset, textFile } from '../../embed/pipeline/output'
import { bundledPackages } from '../../embed/pipeline/packages'
import {
  breaches,
  loginScripts,
  screenScripts,
  sizeTable,
  staticClosure,
} from '../../embed/pipeline/sizes'
import { pageOf } from '../../embed/pipeline/verify-page'

const folder = mkdtempSync(join(tmpdir(), 'webconsole-checks-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Output = Metafile['outputs'][string]

function output(entryPoint: string | undefined, ...imports: Output['imports']): Output {
  const module = entryPoint ?? 'src/a.ts'
  const inputs = module === 'src/main.tsx' ? {} : { [module]: { bytesInOutput: 1 } }
  return { bytes: 1, inputs, exports: [], imports, ...(entryPoint && { entryPoint }) }
}

function statically(path: string): Output['imports'][number] {
  return { path, kind: 'import-statement' }
}

function lazily(path: string): Output['imports'][number] {
  return { path, kind: 'dynamic-import' }
}

const screens = ['query.js', 'users.js']

/** Stub → start; start loads the frame; two screens share a chunk. */
const metafile: Metafile = {
  inputs: {},
  outputs: {
    'main.js': output('src/main.tsx', statically('start.js')),
    'start.js': output(undefined, lazily('frame.js')),
    'frame.js': output('src/app/Console.tsx', statically('start.js'), ...screens.map(lazily)),
    'users.js': output('src/screens/users/UsersScreen.tsx', statically('shared.js')),
    'query.js': output('src/screens/query/QueryScreen.tsx', statically('shared.js')),
    'shared.js': output(undefined, statically('start.js')),
  },
}

const { html: page } = pageOf('run()', 'a{}', 'data:image/svg+xml;base64,AA==')

describe('unfit output', () => {
  const problems = (path: string, text: string) =>
    findProblems('/build/box', [textFile(path, text)])

  test.each([
    ['assets/a.js', 'fetch("https://cdn.example/x.js")', 'https://cdn.example/x.js'],
    ['assets/a.js', 'new WebSocket(`wss://cdn.example`)', 'wss://cdn.example'],
    ['assets/a.css', '@import "//cdn.example/font.css"', '//cdn.example/font.css'],
    ['assets/a.css', 'a{background:url(//cdn.example/a.png)}', '//cdn.example/a.png'],
    ['assets/a.js', 'x="/build/box/src/a.ts"', 'contains /build/box'],
    ['assets/a.js', '//# sourceMappingURL=a.js.map', 'source map'],
    ['assets/a.js.map', '{}', 'source map'],
    ['assets/_a.js', '', 'forbidden name'],
    ['.well-known/a.js', '', 'forbidden name'],
    ['index.html', '<script>run()</script>', 'inline script'],
    ['index.html', '<script type="module">run()</script>', 'inline script'],
    ['index.html', '<style>a{}</style>', 'inline style'],
    ['index.html', '<p style="color:red">', 'inline style'],
    ['index.html', '<body onload="run()">', 'inline event handler'],
    ['verify.html', page.replace('run()', 'run() '), 'inline script'],
    ['verify.html', page.replace('a{}', 'b{}'), 'inline style'],
    ['verify.html', page.replace('</body>', '<script>more()</script>'), 'inline script'],
  ])('%s with %s is refused', (path, text, complaint) => {
    expect(problems(path, text).join()).toContain(complaint)
  })

  test.each([
    ['assets/a.js', 'x="http://www.w3.org/2000/svg";y=`http://$'.concat('{host}:9497`')],
    ['assets/a.js', 'x="http://127.0.0.1:8080/";y="http://localhost:3322"'],
    ['index.html', '<script src="./assets/a.js"></script><p data-style="x">'],
    ['verify.html', page],
  ])('%s with %s is not', (path, text) => {
    expect(problems(path, text)).toEqual([])
  })

  test('a route without a page is refused', () => {
    const route = { path: '/query', page: 'query/index.html' }
    const identity = { version: '1.0.0', commit: 'dev' }
    const describeIt = () => describeBuild(identity, [route], { entry: 'a.js', preload: [] }, [])
    expect(describeIt).toThrow('route /query has no page')
  })
})

describe('the page for a disk', () => {
  test('allows its own script and style and nothing else, with no request', () => {
    const { csp, html } = pageOf('run()', 'a{}', 'data:image/svg+xml;base64,AA==')
    expect(html).toContain(`http-equiv="Content-Security-Policy" content="${csp}"`)
    // Before anything that it has to hold for.
    expect(html.indexOf(csp)).toBeLessThan(html.search(/<(script|style|link)/))
    const parts = new Map(csp.split('; ').map((part) => [part.split(' ')[0], part]))
    expect(parts.get('default-src')).toBe("default-src 'none'")
    expect(parts.get('connect-src')).toBe("connect-src 'none'")
    expect(parts.get('script-src')).toMatch(/^script-src 'sha256-[\w+/]{43}='$/)
    expect(csp).not.toMatch(/unsafe|self|https?:|\*/)
  })

  test.each([
    ['run("</script>")', 'a{}'],
    ['run("<!--")', 'a{}'],
    ['run()', 'a::after{content:"</STYLE>"}'],
  ])('is not made of %s and %s, which would end early', (script, css) => {
    expect(() => pageOf(script, css, '')).toThrow('ends early')
  })
})

describe('start-up', () => {
  test('the stub is left out when it only imports the start', () => {
    expect(findStart(metafile, 'src/main.tsx')).toEqual({ start: 'start.js', stub: 'main.js' })
  })

  test('a start that is scattered over chunks is refused', () => {
    const main = output('src/main.tsx', statically('start.js'), statically('shared.js'))
    const scattered = { ...metafile, outputs: { ...metafile.outputs, 'main.js': main } }
    expect(() => findStart(scattered, 'src/main.tsx')).toThrow('scripts instead of one')
    const start = output(undefined, statically('shared.js'))
    const chained = { ...metafile, outputs: { ...metafile.outputs, 'start.js': start } }
    expect(() => findStart(chained, 'src/main.tsx')).toThrow('imports further scripts')
  })

  test('the login waits for the start, not for screens', () => {
    expect(loginScripts(metafile, 'start.js')).toEqual(['start.js'])
    expect(staticClosure(metafile, 'query.js')).toEqual(['query.js', 'shared.js', 'start.js'])
  })
})

describe('sizes', () => {
  const bytes = (size: number) => new Uint8Array(size)
  const file = (path: string, size: number) => ({ path, bytes: bytes(size), immutable: true })
  const files = [
    file('start.js', 900),
    file('frame.js', 5000),
    file('query.js', 300),
    file('users.js', 7),
    file('shared.js', 30),
    file('theme.js', 9),
    file('app.css', 50),
    file('verify.html', 200_001),
  ]
  const encoded = [file('start.js.br', 400), file('query.js.br', 90_000), file('app.css.br', 20)]
  const blocking = ['theme.js', 'app.css']
  const weighed = { files, encoded, metafile, start: 'start.js', blocking, alone: 'verify.html' }

  test('count each file once, compressed where a copy exists', () => {
    const rows = new Map(sizeTable(weighed).map((row) => [row.group, row]))
    expect(rows.get('scripts until login')).toMatchObject({ bytes: 400 + 9, requests: 4 })
    expect(rows.get('styles')).toMatchObject({ bytes: 20 })
    expect(rows.get('frame')).toMatchObject({ bytes: 5000, requests: 1 })
    expect(rows.get('QueryScreen')).toMatchObject({ bytes: 90_030, requests: 2 })
    expect(rows.get('UsersScreen')).toMatchObject({ bytes: 37 })
    expect(rows.get('log in to Overview')).toMatchObject({ bytes: 5000 })
    expect(rows.get('all 7 files')).toMatchObject({ bytes: 400 + 5000 + 90_000 + 7 + 30 + 9 + 20 })
  })

  test('tell how much is fetched that a part does not import', () => {
    const imports = [
      { path: 'src/b.ts', kind: 'import-statement', original: './b' },
      // As the build makes a door import what is fetched with it.
      { path: 'src/c.ts', kind: 'import-statement', original: '/root/src/c.ts' },
    ] as const
    const module = 'src/screens/users/UsersScreen.tsx'
    const inputs = { [module]: { bytes: 1, imports: [...imports] } }
    const shared = { 'src/b.ts': { bytesInOutput: 20 }, 'src/c.ts': { bytesInOutput: 10 } }
    const outputs = { ...metafile.outputs, 'shared.js': { ...output(undefined), inputs: shared } }
    const table = sizeTable({ ...weighed, metafile: { inputs, outputs } })
    expect(table.find(({ group }) => group === 'UsersScreen')).toMatchObject({
      bytes: 37,
      surplus: 10,
    })
  })

  test('the page for a disk is counted apart', () => {
    const table = sizeTable(weighed)
    expect(table.find(({ group }) => group === 'verify.html')).toMatchObject({ bytes: 200_001 })
    expect(breaches(table)).toEqual(['verify.html: 200001 bytes, the ceiling is 200000'])
  })

  test('a ceiling that is passed is a sentence, one that is met is not', () => {
    expect(breaches(sizeTable({ ...weighed, alone: '' }))).toEqual([])
    const row = { group: 'x', bytes: 10, surplus: 0, requests: 8, ceiling: 10 }
    expect(breaches([row])).toEqual([])
    expect(breaches([{ ...row, bytes: 11, requests: 9 }])).toHaveLength(2)
  })

  test('a page names all scripts of its screen, for none to be found out about late', () => {
    const named = (page: string) => screenScripts(metafile, 'start.js', page)
    expect(named('query')).toEqual(['frame.js', 'query.js', 'shared.js'])
    expect(named('users')).toEqual(['frame.js', 'shared.js', 'users.js'])
    expect(named('comingsoon')).toEqual(['frame.js'])
  })
})

describe('licences', () => {
  const input = (path: string): Metafile => ({
    inputs: {},
    outputs: { 'a.js': { ...output(undefined), inputs: { [path]: { bytesInOutput: 9 } } } },
  })
  const addPackage = (name: string, description: object) => {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    const path = join(folder, 'node_modules', name, 'package.json')
    writeFileSync(path, JSON.stringify({ name, version: '1.0.0', ...description }))
  }

  test('name every package with code in the bundle; one without a licence fails the build', () => {
    addPackage('tailwindcss', { license: 'MIT' })
    addPackage('@scope/good', { license: 'ISC' })
    addPackage('bad', {})
    const packages = bundledPackages(folder, input('node_modules/@scope/good/dist/index.js'))
    const text = new TextDecoder().decode(licenceFile(folder, packages).bytes)
    expect(text).toContain('@scope/good 1.0.0 (ISC)')
    expect(text).not.toContain('bad 1.0.0')
    expect(() => bundledPackages(folder, input('node_modules/bad/a.js'))).toThrow(
      'node_modules/bad',
    )
  })
})

test('a hashed name changes with the content', () => {
  const [one, two] = ['a', 'b'].map((text) => hashedAsset('x.js', new TextEncoder().encode(text)))
  expect(one?.path).toMatch(/^assets\/x-[0-9A-F]{8}\.js$/)
  expect(two?.path).not.toBe(one?.path)
})
