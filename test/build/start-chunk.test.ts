// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuildResult, build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findStart, oneStartChunk } from '../../embed/pipeline/start-chunk'

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
    plugins: together ? [oneStartChunk(folder, 'src/main.tsx')] : [],
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
