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

/** A frame and four screens: all but the last share a module, two a heavy one, two a light one. */
const screens: Readonly<Record<string, string>> = {
  'src/main.ts': `import('./frame').then(({ open }) => open('first'))`,
  'src/frame.ts': `const loads = { first: () => import('./screens/FirstScreen'),
      second: () => import('./screens/SecondScreen'),
      third: () => import('./screens/ThirdScreen'),
      fourth: () => import('./screens/FourthScreen') }
    export const open = (name) => loads[name]()`,
  'src/screens/FirstScreen.ts': `import { shared } from '../shared'; import { heavy } from '../heavy'
    import { light } from '../light'; import { own } from '../own'
    console.log('first', shared, heavy, own, light)`,
  'src/screens/SecondScreen.ts': `import { shared } from '../shared'; import { heavy } from '../heavy'
    console.log('second', shared, heavy)`,
  'src/screens/ThirdScreen.ts': `import { shared } from '../shared'; console.log('third', shared)`,
  'src/screens/FourthScreen.ts': `import { light } from '../light'; console.log('fourth', light)`,
  'src/shared.ts': `export const shared = 'shared'; console.log('shared runs')`,
  'src/own.ts': `export const own = 'own'; console.log('own runs')`,
  'src/heavy.ts': `import { shared } from './shared'; import { inner } from './inner'
    export const heavy = 'heavy'; console.log('heavy runs', shared, inner)`,
  'src/light.ts': `export const light = 'light'; console.log('light runs')`,
  'src/inner.ts': `export const inner = 'inner'`,
}

const threeDoors = [['FirstScreen', 'SecondScreen', 'FourthScreen']]

async function framed(name: string, apart: readonly (readonly string[])[]) {
  const place = join(folder, name)
  mkdirSync(join(place, 'src/screens'), { recursive: true })
  for (const [name, text] of Object.entries(screens)) writeFileSync(join(place, name), text)
  const frame = { module: 'src/frame.ts', apart }
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
  return { place, metafile, chunkWith }
}

test('what doors share is one script, but for what only a group of them needs', async () => {
  const { place, metafile, chunkWith } = await framed('framed', threeDoors)
  expect(chunkWith('src/own.ts')).toBe(chunkWith('src/screens/FirstScreen.ts'))
  expect(chunkWith('src/inner.ts')).toBe(chunkWith('src/heavy.ts'))
  expect(chunkWith('src/light.ts')).toBe(chunkWith('src/heavy.ts'))
  const doors = ['First', 'Second', 'Third', 'Fourth'].map((name) => `screens/${name}Screen`)
  const all = ['shared', 'heavy', 'frame', ...doors]
  const apart = new Set(all.map((name) => chunkWith(`src/${name}.ts`)))
  expect(apart.size).toBe(all.length)
  // Every door imports it, so that nothing of it lies anywhere else.
  const chunk = Object.entries(metafile.outputs).find(([, of]) => of === chunkWith('src/shared.ts'))
  for (const name of ['frame', ...doors]) {
    const paths = chunkWith(`src/${name}.ts`)?.imports.map(({ path }) => path)
    expect(paths, name).toContain(chunk?.[0])
  }
  const said = execFileSync(process.execPath, [join(place, 'out/main.mjs')], { encoding: 'utf8' })
  expect(said.trim().split('\n')).toEqual([
    'shared runs',
    'heavy runs shared inner',
    'light runs',
    'own runs',
    'first shared heavy own light',
  ])
})

test('a module belongs to the smallest group that has all who need it', async () => {
  const { chunkWith } = await framed('grouped', [...threeDoors, ['FirstScreen', 'SecondScreen']])
  expect(chunkWith('src/inner.ts')).toBe(chunkWith('src/heavy.ts'))
  expect(chunkWith('src/light.ts')).not.toBe(chunkWith('src/heavy.ts'))
})

test('a group of something that is no door is an error', async () => {
  await expect(framed('misnamed', [['FirstScreen', 'heavy']])).rejects.toThrow(
    'heavy is apart, but no dynamic import names it',
  )
})
