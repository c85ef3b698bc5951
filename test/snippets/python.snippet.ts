import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { python } from '../support/languages'
import { nullCell } from '../support/snippets'
import { testLanguage } from './language-tests'
import { hexPairs, jsonLines } from './rest'
import { run } from './run-code'

/** Runs each file alone, and keeps what it prints, in one process that has read the libraries. */
const runner = `
import os, runpy, sys
for name in sys.argv[1:]:
    sys.stdout.flush()
    os.dup2(os.open(name + ".out", os.O_WRONLY | os.O_CREAT), 1)
    runpy.run_path(name, run_name="__main__")
sys.stdout.flush()
`

testLanguage({
  language: 'python',
  namesKeys: true,
  verifies: true,
  run: async (codes, at) => {
    const names = codes.map((code, number) => {
      writeFileSync(join(at, `${number}.py`), code)
      return `${number}.py`
    })
    await run(python(), ['-c', runner, ...names], { cwd: at })
    return names.map((name) => readFileSync(join(at, `${name}.out`)))
  },
  key: (output) => output,
  rows: (output) =>
    output
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('['))
      .map((line) => cells(line)),
  documents: jsonLines,
  scan: hexPairs,
})

/** Its values, whose integers JavaScript must not round. */
function cells(line: string): string[] {
  const exact = line.replace(/(?<=[[ ])-?\d{16,}(?=[\],])/g, '"$&"')
  return (JSON.parse(exact) as unknown[]).map((one) => (one === null ? nullCell : String(one)))
}
