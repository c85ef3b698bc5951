import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '../support/api'
import { startServer } from '../support/immudb'
import { ofNode } from '../support/languages'
import { testLanguage } from './language-tests'
import { asAnswered, cellOf, jsonLines } from './rest'
import { run } from './run-code'

type Values = readonly Readonly<Record<string, unknown>>[]

/** Runs each file, and keeps what it prints, in one process: to start one takes longer than a call. */
const runner = `
import { writeFileSync } from 'node:fs'
import process from 'node:process'
for (const name of process.argv.slice(2)) {
  const parts = []
  process.stdout.write = (part) => parts.push(Buffer.from(part)) > 0
  await import('./' + name)
  writeFileSync(name + '.out', Buffer.concat(parts))
}
`

testLanguage({
  language: 'node',
  run: async (codes, at) => {
    writeFileSync(join(at, 'runner.mjs'), runner)
    const names = codes.map((code, number) => {
      writeFileSync(join(at, `${number}.mjs`), code)
      return `${number}.mjs`
    })
    await run(process.execPath, ['runner.mjs', ...names], { cwd: at })
    return names.map((name) => readFileSync(join(at, `${name}.out`)))
  },
  ...asAnswered,
  key: (output) => output,
  rows: (output) => (jsonLines(output) as Values[]).map((values) => values.map(cellOf)),
})

/** What the snippets say of the SDK that they do without. */
const asked = `
import sdk from 'immudb-node'
const client = await sdk.default.getInstance({
  host: '127.0.0.1',
  port: process.argv[2],
  user: 'immudb',
  password: 'immudb',
  database: 'defaultdb',
  rootPath: process.argv[3],
})
console.log = console.error = () => {}
const read = await client.get({ key: 'plain' })
const proof = await client.verifiedGet({ key: 'plain' }).then(() => 'verified', () => 'refused')
const [row] = await client.SQLQuery({ sql: 'SELECT n, f, t FROM lost', params: {} })
process.stdout.write(JSON.stringify({ value: read.value, proof, row }))
process.exit(0)
`

test('immudb-node refuses a right proof, rounds integers and loses values, as is said', async () => {
  const server = await startServer()
  onTestFinished(() => server.dispose())
  const db = await api(server.url)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  await db.call('/db/set', { KVs: [{ key: base64('plain'), value: base64('value') }] })
  await db.exec('CREATE TABLE lost (n INTEGER, f FLOAT, t TIMESTAMP, PRIMARY KEY n);')
  await db.exec('INSERT INTO lost (n, f, t) VALUES (9007199254740993, 0.5, NOW());')
  const at = mkdtempSync(join(tmpdir(), 'webconsole-node-sdk-'))
  onTestFinished(() => rmSync(at, { recursive: true, force: true }))
  symlinkSync(join(ofNode, 'node_modules'), join(at, 'node_modules'))
  writeFileSync(join(at, 'ask.mjs'), asked)
  const args = ['ask.mjs', String(server.grpcPort), join(at, 'root.json')]
  const output = await run(process.execPath, args, { cwd: at })
  const text = output.toString()
  expect(JSON.parse(text.slice(text.indexOf('{"value"')))).toEqual({
    value: 'value',
    proof: 'refused',
    row: { n: 9007199254740992 },
  })
})
