import { freePorts } from '../support/free-port'
import { nullCell } from '../support/snippets'
import { testLanguage } from './language-tests'
import { runEach } from './run-code'

const [pgsql = 0] = await freePorts(1)

testLanguage({
  language: 'psql',
  server: {
    options: {
      kind: 'drop-in',
      flags: ['--pgsql-server=true', `--pgsql-server-port=${pgsql}`],
    },
    pgsql,
  },
  run: (codes, at) => runEach(codes, at, { command: 'sh', file: 'call.sh' }),
  rows: (output) =>
    csv(output.toString())
      .slice(1)
      .map((row) => row.map(cellOf)),
})

/** Rows of CSV as psql writes it. */
function csv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    if (end === '' && plain === '') break
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\n') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

function cellOf(text: string): string {
  if (text === '') return nullCell
  if (text.startsWith('\\x')) return text.slice(2)
  const time = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(text)
  if (!time) return text
  const [, day, clock, part = ''] = time
  return String(
    (BigInt(Date.parse(`${day}T${clock}Z`)) / 1000n) * 1_000_000n + BigInt(part.padEnd(6, '0')),
  )
}
