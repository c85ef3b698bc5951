// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuildResult, build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findStart, groupedChunks } from '../../embed/pipeline/chunks'

const folder = mkdtempSync(join(tmpdir(), 'webconsole-start-'))

/** `both` is reached from everywhere, `pair` from both screens and the start, `late` from screens. */
const sources: Readonly<Record<string, string>> = {
  'main.tsx': `import { both } from './both'; import './pair'
    console.log('main', both)
    import('./one').then(() => import('./two'))`,
  'both.ts': `export const both = 'both'; console.log('both runs')`,
  'pair.ts': `console.log('pair runs')`,
  'late.ts': `console.log('late runs')`,
  'one.ts': `import { both } from './both'; import './pair'; import './late'; console.log('one', both)`,
  'two.ts': `import './pair'; import './late'; console.log('two')`,
}

beforeAll(() => {
  mkdirSync(join(folder, 'src'))
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, 'src', name), text)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function bundle(together: boolean): Promise<BuildResult<{ metafile: true }>> {
  return build({
    absWorkingDir: folder,
    entryPoints: ['src/main.tsx'],
    outdir: together ? 'together' : 'apart',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    plugins: together ? [groupedChunks(folder, 'src/main.tsx')] : [],
  })
}

test('without the plugin the start is scattered, and that is noticed', async () => {
  const { metafile } = await bundle(false)
  expect(() => findStart(metafile, 'src/main.tsx')).toThrow('scripts instead of one')
})

test('with it the start is one script, which runs everything once and in the same order', async () => {
  const { metafile } = await bundle(true)
  const { start, stub } = findStart(metafile, 'src/main.tsx')
  expect(stub).toBe('together/main.mjs')
  const run = (script: string) =>
    execFileSync(process.execPath, [join(folder, script)], { encoding: 'utf8' })
  expect(run(start)).toBe(run('apart/main.mjs'))
  expect(run(start).trim().split('\n')).toEqual([
    'both runs',
    'pair runs',
    'main both',
    'late runs',
    'one both',
    'two',
  ])
})

/** A frame, and two screens that share one module, and another with a heavy one behind it. */
const screens: Readonly<Record<string, string>> = {
  'src/main.ts': `import('./frame').then(({ open }) => open('first'))`,
  'src/frame.ts': `const loads = { first: () => import('./screens/FirstScreen'),
      second: () => import('./screens/SecondScreen') }
    export const open = (name) => loads[name]()`,
  'src/screens/FirstScreen.ts': `import { shared } from '../shared'; import { heavy } from '../heavy'
    import { own } from '../own'; console.log('first', shared, heavy, own)`,
  'src/screens/SecondScreen.ts': `import { shared } from '../shared'; import { heavy } from '../heavy'
    console.log('second', shared, heavy)`,
  'src/shared.ts': `export const shared = 'shared'; console.log('shared runs')`,
  'src/own.ts': `export const own = 'own'; console.log('own runs')`,
  'src/heavy.ts': `import { shared } from './shared'; import { inner } from './inner'
    export const heavy = 'heavy'; console.log('heavy runs', shared, inner)`,
  'src/inner.ts': `export const inner = 'inner'`,
}

test('what doors share is one script, but for what is to be apart', async () => {
  const place = join(folder, 'framed')
  mkdirSync(join(place, 'src/screens'), { recursive: true })
  for (const [name, text] of Object.entries(screens)) writeFileSync(join(place, name), text)
  const frame = { module: 'src/frame.ts', outside: [], apart: ['src/heavy.ts'] }
  const { metafile } = await build({
    absWorkingDir: place,
    entryPoints: ['src/main.ts'],
    outdir: 'out',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    plugins: [groupedChunks(place, 'src/main.ts', frame)],
  })
  const chunkWith = (module: string) =>
    Object.values(metafile.outputs).find(({ inputs }) => (inputs[module]?.bytesInOutput ?? 0) > 0)
  expect(chunkWith('src/own.ts')).toBe(chunkWith('src/screens/FirstScreen.ts'))
  expect(chunkWith('src/inner.ts')).toBe(chunkWith('src/heavy.ts'))
  const all = ['shared', 'heavy', 'frame', 'screens/FirstScreen', 'screens/SecondScreen']
  const apart = new Set(all.map((name) => chunkWith(`src/${name}.ts`)))
  expect(apart.size).toBe(all.length)
  // Every door imports it, so that nothing of it lies anywhere else.
  const chunk = Object.entries(metafile.outputs).find(([, of]) => of === chunkWith('src/shared.ts'))
  for (const name of ['frame', 'screens/FirstScreen', 'screens/SecondScreen']) {
    const paths = chunkWith(`src/${name}.ts`)?.imports.map(({ path }) => path)
    expect(paths, name).toContain(chunk?.[0])
  }
  const said = execFileSync(process.execPath, [join(place, 'out/main.mjs')], { encoding: 'utf8' })
  expect(said.trim().split('\n')).toEqual([
    'shared runs',
    'heavy runs shared inner',
    'own runs',
    'first shared heavy own',
  ])
})
