// @vitest-environment node
import { brotliCompressSync, constants } from 'node:zlib'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'

const common: BuildOptions = {
  entryPoints: ['src/proof/kernel/verify.ts'],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  outdir: 'out',
}

function brotli(bytes: Uint8Array): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(bytes, { params }).length
}

test('the engine with hashes and without the code for signatures is at most 14 kB', async () => {
  const external = ['*/signature']
  const { outputFiles } = await build({ ...common, external, write: false })
  expect(outputFiles).toHaveLength(1)
  const [size] = outputFiles.map(({ contents }) => brotli(contents))
  expect(size).toBeGreaterThan(8000)
  expect(size).toBeLessThanOrEqual(14_000)
})

describe('in the console, the engine', () => {
  let outputs: Metafile['outputs']
  let sizes: Map<string, number>

  beforeAll(async () => {
    const splitting = { splitting: true, metafile: true, write: false } as const
    const { metafile, outputFiles } = await build({ ...common, ...splitting })
    outputs = metafile.outputs
    sizes = new Map(
      outputFiles.map(({ path, contents }) => [path.slice(path.indexOf('out/')), brotli(contents)]),
    )
  })

  /** The inputs of a script and of what it imports at once, which is not what it imports later. */
  function inputsAtOnce(name: string): string[] {
    const { inputs, imports } = outputs[name] ?? { inputs: {}, imports: [] }
    const direct = imports.filter(({ kind }) => kind === 'import-statement')
    return [...Object.keys(inputs), ...direct.flatMap(({ path }) => inputsAtOnce(path))]
  }

  test('loads the code for signatures later', () => {
    const first = inputsAtOnce('out/verify.js')
    expect(first.filter((input) => input.includes('@noble/curves'))).toEqual([])
    expect(first.some((input) => input.includes('@noble/hashes'))).toBe(true)
    const later = Object.keys(outputs).filter((name) => name.startsWith('out/signature'))
    expect(later).toHaveLength(1)
    expect(sizes.get(later[0] ?? '')).toBeLessThanOrEqual(14_000)
  })

  test('needs nothing of a browser, of Node or of the rest of the console', () => {
    const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
    const own = /^src\/proof\/kernel\/|^node_modules\/@noble\//
    const foreign = inputs.filter((input) => !own.test(input))
    expect(foreign).toEqual([])
  })
})
