import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nullCell } from '../support/snippets'
import { testLanguage } from './language-tests'
import { hexPairs, jsonLines } from './rest'
import { run, twoAtATime } from './run-code'

const embed = fileURLToPath(new URL('../../embed/server/', import.meta.url))

/** Builds all of them as one program, which runs the one that is named, in a folder of its own. */
async function build(codes: readonly string[], at: string): Promise<string> {
  const modules = readFileSync(join(embed, 'go.mod'), 'utf8')
    .replace(/^module .*/, 'module snippets')
    .replace(/^.*immudb-webconsole\/embed .*$/gm, '')
  writeFileSync(join(at, 'go.mod'), modules)
  writeFileSync(join(at, 'go.sum'), readFileSync(join(embed, 'go.sum')))
  codes.forEach((code, number) => {
    mkdirSync(join(at, `s${number}`))
    const asPackage = code
      .replace('package main', `package s${number}`)
      .replace('func main()', 'func Main()')
    writeFileSync(join(at, `s${number}`, 'snippet.go'), asPackage)
  })
  const imports = codes.map((_, number) => `\t"snippets/s${number}"`)
  const cases = codes.map((_, number) => `\tcase "${number}":\n\t\ts${number}.Main()`)
  writeFileSync(
    join(at, 'main.go'),
    `package main\n\nimport (\n\t"os"\n${imports.join('\n')}\n)\n\nfunc main() {\n\tswitch os.Args[1] {\n${cases.join('\n')}\n\t}\n}\n`,
  )
  const env = { CGO_ENABLED: '0', GOFLAGS: '-mod=mod -trimpath', GOPROXY: 'off', GOWORK: 'off' }
  await run('go', ['build', '-o', 'all', '.'], { cwd: at, env })
  return join(at, 'all')
}

testLanguage({
  language: 'go',
  namesKeys: true,
  verifies: true,
  verifiesDocuments: true,
  run: async (codes, at) => {
    const program = await build(codes, at)
    return twoAtATime(codes, async (_, number) => {
      const own = join(at, `s${number}`)
      return run(program, [String(number)], { cwd: own })
    })
  },
  key: (output) => output,
  rows: (output) => (jsonLines(output) as string[][]).map((cells) => cells.map(cellOf)),
  table: (output) => jsonLines(output).map((row) => (row as unknown[]).map(String)),
  documents: jsonLines,
  scan: hexPairs,
})

/** What immudb’s own client prints, as all languages are compared. */
function cellOf(rendered: string): string {
  if (rendered === 'NULL') return nullCell
  if (rendered.startsWith('"')) return rendered.slice(1, -1)
  const time = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(rendered)
  if (!time) return rendered
  const [, day, clock, part = ''] = time
  const seconds = BigInt(Date.parse(`${day}T${clock}Z`)) / 1000n
  return String(seconds * 1_000_000n + BigInt(part.padEnd(6, '0')))
}
