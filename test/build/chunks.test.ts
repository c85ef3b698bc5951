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

/** A frame and three screens. */
const screens: Readonly<Record<string, string>> = {
  'src/main.ts': `import('./frame').then(({ open }) => open('first'))`,
  'src/frame.ts': `import { framed } from './framed'
    const loads = { first: () => import('./screens/FirstScreen'),
      second: () => import('./screens/SecondScreen'),
      third: () => import('./screens/ThirdScreen') }
    console.log(framed)
    export const open = (name) => loads[name]()`,
  'src/screens/FirstScreen.ts': `import { framed } from '../framed'; import { heavy } from '../heavy'
    import { small } from '../small'; import { light } from '../light'; import { own } from '../own'
    console.log('first', framed, heavy, small, light, own)`,
  'src/screens/SecondScreen.ts': `import { heavy } from '../heavy'; import { small } from '../small'
    import { light } from '../light'
    console.log('second', heavy, small, light)`,
  'src/screens/ThirdScreen.ts': `import { light } from '../light'; console.log('third', light)`,
  'src/framed.ts': `export const framed = 'framed'; console.log('framed runs')`,
  'src/own.ts': `export const own = 'own'; console.log('own runs')`,
  'src/heavy.ts': `import { inner } from './inner'
    export const heavy = 'heavy'; console.log('heavy runs', inner) // ${'long '.repeat(20_000)}`,
  'src/small.ts': `export const small = 'small'; console.log('small runs')`,
  'src/light.ts': `export const light = 'light'; console.log('light runs')`,
  'src/inner.ts': `export const inner = 'inner'`,
}

test('what costs more as a request than as bytes comes with what is needed beside it', async () => {
  const place = join(folder, 'framed')
  mkdirSync(join(place, 'src/screens'), { recursive: true })
  for (const [name, text] of Object.entries(screens)) writeFileSync(join(place, name), text)
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
    plugins: [groupedChunks(place, 'src/main.ts', 'src/frame.ts')],
  })
  const chunkWith = (module: string) =>
    Object.entries(metafile.outputs).find(
      ([, { inputs }]) => (inputs[`src/${module}.ts`]?.bytesInOutput ?? 0) > 0,
    )?.[0]
  const importsOf = (module: string) =>
    metafile.outputs[chunkWith(module) ?? '']?.imports.map(({ path }) => path)
  // Needed by the same two, and what it imports.
  expect(chunkWith('small')).toBe(chunkWith('heavy'))
  expect(chunkWith('inner')).toBe(chunkWith('heavy'))
  // Needed by the third too, for which the heavy one would be much without need.
  expect(chunkWith('light')).not.toBe(chunkWith('heavy'))
  expect(importsOf('screens/ThirdScreen')).not.toContain(chunkWith('heavy'))
  expect(importsOf('screens/ThirdScreen')).toContain(chunkWith('light'))
  const said = execFileSync(process.execPath, [join(place, 'out/main.mjs')], { encoding: 'utf8' })
  expect(said.trim().split('\n').at(-1)).toBe('first framed heavy small light own')
  expect(said.match(/heavy runs/g)).toHaveLength(1)
})

test('two light sets that most screens need are one script', async () => {
  const place = join(folder, 'light')
  mkdirSync(join(place, 'src/screens'), { recursive: true })
  const without = { ...screens, 'src/heavy.ts': `export const heavy = 'heavy'` }
  for (const [name, text] of Object.entries(without)) writeFileSync(join(place, name), text)
  const { metafile } = await build({
    absWorkingDir: place,
    entryPoints: ['src/main.ts'],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    metafile: true,
    write: false,
    plugins: [groupedChunks(place, 'src/main.ts', 'src/frame.ts')],
  })
  const withLight = Object.values(metafile.outputs).find(({ inputs }) => inputs['src/light.ts'])
  expect(Object.keys(withLight?.inputs ?? {})).toEqual(
    expect.arrayContaining(['src/heavy.ts', 'src/small.ts', 'src/light.ts']),
  )
})
