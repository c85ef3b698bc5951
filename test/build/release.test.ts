// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Build, build, root } from '../../build'
import { type GoParts, goParts } from '../../embed/pipeline/go-modules'
import { type OutputFile, sha256 } from '../../embed/pipeline/output'
import { type Beside, readBeside, release } from '../../embed/pipeline/release'
import { programName, serverBinary, targets, thisTarget } from '../../embed/pipeline/server-binary'

/** A compiler beside other tests may have to compile all of immudb. */
const patience = 1_800_000

const folder = mkdtempSync(join(tmpdir(), 'webconsole-release-'))
let result: Build
let parts: GoParts
let beside: Beside
let program: Uint8Array
let files: readonly OutputFile[]

beforeAll(async () => {
  result = await build()
  parts = goParts(root)
  beside = await readBeside()
  program = serverBinary(root, thisTarget())
  files = release(
    result,
    parts,
    targets.map((target) => ({ target, bytes: program })),
    beside,
  )
  for (const { path, bytes } of files) writeFileSync(join(folder, path), bytes)
}, patience)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const archives = [
  'webconsole-linux-amd64.tar.gz',
  'webconsole-linux-arm64.tar.gz',
  'webconsole-darwin-amd64.tar.gz',
  'webconsole-darwin-arm64.tar.gz',
  'webconsole-windows-amd64.tar.gz',
  'webconsole-windows-arm64.tar.gz',
]

function unpack(archive: string): string {
  const target = mkdtempSync(join(folder, 'unpacked-'))
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', target])
  return join(target, 'webconsole')
}

describe('a release', () => {
  test('has an archive for each system, the console, the bill, the page for a disk and the checksums', () => {
    expect(files.map(({ path }) => path)).toEqual([
      ...archives,
      'immudb-webconsole.tar.gz',
      'immudb-webconsole-go.tar.gz',
      'immudb-webconsole.cdx.json',
      'verify.html',
      'SHA256SUMS',
    ])
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
    expect(sums.trim().split('\n')).toEqual(
      files.slice(0, -1).map(({ path, bytes }) => `${sha256(bytes)}  ${path}`),
    )
  })

  test.each(archives)('%s has the program, its help and all licences', (archive) => {
    const inside = unpack(archive)
    const target = targets.find(({ system, processor }) =>
      archive.includes(`${system}-${processor}`),
    )
    const name = target ? programName(target) : ''
    expect(sha256(readFileSync(join(inside, name)))).toBe(sha256(program))
    expect(statSync(join(inside, name)).mode & 0o111).toBe(0o111)
    const licences = readFileSync(join(inside, 'licences.txt'), 'utf8')
    for (const { path, version } of parts.modules)
      expect(licences).toContain(`${path} ${version} (`)
    expect(licences).toContain(`Go standard library ${parts.standard.version} (BSD-3-Clause)`)
    expect(licences).toMatch(/^react-dom \d/m)
    expect(readFileSync(join(inside, 'LICENSE'), 'utf8')).toContain('Apache License')
    expect(readFileSync(join(inside, 'usage.txt'), 'utf8')).toContain('--tls-cert')
    const list = execFileSync('ls', [inside], { encoding: 'utf8' })
    expect(list.includes('webconsole.service')).toBe(archive.includes('linux'))
  })

  test('has a Go module that compiles and runs its examples, without Node or network', () => {
    const target = mkdtempSync(join(folder, 'module-'))
    execFileSync('tar', ['-xzf', join(folder, 'immudb-webconsole-go.tar.gz'), '-C', target])
    const cwd = join(target, 'immudb-webconsole-embed')
    const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '' }
    // An empty console compiles too: what is embedded is asked.
    writeFileSync(
      join(cwd, 'built_test.go'),
      'package webconsole_test\n\nimport (\n\t"testing"\n\n\twebconsole "immudb-webconsole/embed"\n)\n\n' +
        'func TestBuilt(t *testing.T) {\n\tif !webconsole.Built() {\n\t\tt.Fatal("empty")\n\t}\n}\n',
    )
    const out = execFileSync('go', ['test', '-v', '.'], { cwd, env, encoding: 'utf8' })
    expect(out.match(/^--- PASS: .*(?= \()/gm)).toEqual([
      '--- PASS: TestBuilt',
      '--- PASS: Example',
      '--- PASS: Example_belowAPath',
      '--- PASS: Example_severalServers',
      '--- PASS: Example_ownPassword',
    ])
    expect(readFileSync(join(cwd, 'LICENSE'), 'utf8')).toContain('Apache License')
    expect(readFileSync(join(cwd, 'dist/assets/licences.txt'), 'utf8')).toMatch(/^react-dom \d/m)
  }, 120_000)

  test('has a bill that lists each program with its hash', () => {
    const bill = JSON.parse(readFileSync(join(folder, 'immudb-webconsole.cdx.json'), 'utf8'))
    const listed = bill.components.filter(({ type }: { type: string }) => type === 'application')
    expect(listed.map(({ name }: { name: string }) => `${name}.tar.gz`)).toEqual(archives)
    for (const { hashes } of listed) {
      expect(hashes).toEqual([{ alg: 'SHA-256', content: sha256(program) }])
    }
  })

  test(
    'is the same twice, its program too',
    () => {
      const again = serverBinary(root, thisTarget())
      expect(sha256(again)).toBe(sha256(program))
      const second = release(
        result,
        goParts(root),
        targets.map((target) => ({ target, bytes: again })),
        beside,
      )
      expect(second.map(({ path, bytes }) => [path, sha256(bytes)])).toEqual(
        files.map(({ path, bytes }) => [path, sha256(bytes)]),
      )
    },
    patience,
  )

  test('has a program without a path of this machine', () => {
    const text = Buffer.from(program).toString('latin1')
    expect(text.includes(root)).toBe(false)
    expect(text.includes(join(root, 'embed'))).toBe(false)
  })
})
