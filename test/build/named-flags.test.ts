// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../build'

/** Flags of the programs of immudb 1.11.1 that have a flag named anywhere here (cmd/ of its source). */
const immudb =
  'address admin-password audit-log audit-log-events auth auto-cert certificate clientcas dir force-admin-password grpc-reflection log-request-metadata logdir logfile logformat maintenance max-active-databases max-recv-msg-size max-session-age-time max-sessions metrics-server metrics-server-port mtls no-histograms pgsql-server pkey port pprof replication-is-replica session-timeout signingKey swaggerui synced token-expiry-time web-server web-server-port'
const immuadmin =
  'cleanup-percentage input output retention-period synced yes-i-know-what-i-am-doing immudb-address immudb-port'

const goFlags = readdirSync(join(root, 'embed/server'))
  .filter((file) => /\.go$/.test(file) && !/_test\.go$/.test(file))
  .map((file) => readFileSync(join(root, 'embed/server', file), 'utf8'))
  .join('\n')
const own = [...goFlags.matchAll(/\bflags\.\w+\((?:&\w+\.\w+, )?"([a-z-]+)"/g)].map(
  ([, name]) => name,
)

const programs: Readonly<Record<string, ReadonlySet<string | undefined>>> = {
  webconsole: new Set([...own, 'help']),
  immudb: new Set(immudb.split(' ')),
  immuadmin: new Set(immuadmin.split(' ')),
  curl: new Set(['config', 'data', 'data-raw', 'fail-with-body', 'show-error', 'silent']),
  psql: new Set([
    ...['command', 'csv', 'dbname', 'host', 'no-psqlrc', 'port', 'set', 'username'],
    // Of the server that it asks.
    'pgsql-server',
  ]),
  'oauth2-proxy': new Set(['http-address', 'reverse-proxy', 'set-xauthrequest']),
}

/** Files that speak to people, and of which program a flag in them is, where no sentence says so. */
function speaking(): { file: string; of: string | null }[] {
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const files = all.filter((file) =>
    /^(README\.md|src\/.*\.tsx?|embed\/(server\/)?\w+\.(go|txt))$/.test(file),
  )
  const of = (file: string) =>
    ({
      'src/immudb/immuadmin.ts': 'immuadmin',
      'src/screens/code/curl.ts': 'curl',
      'src/screens/code/psql.ts': 'psql',
    })[file] ?? (/^(README\.md|embed\/)/.test(file) ? 'webconsole' : null)
  return files.filter((file) => !/_test\.go$/.test(file)).map((file) => ({ file, of: of(file) }))
}

const styles = readFileSync(join(root, 'src/styles/app.css'), 'utf8')
const isStyle = (name: string) =>
  styles.includes(`--${name}:`) || /^(radix|chart|logo|art)-/.test(name)

/** Without comments, which speak to developers, without tags inside a sentence, and without sums. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll('if (--', 'if (')
    .replaceAll(/\{' '\}/g, '')
    .replaceAll(/\s*<code[^>]*>\s*/g, ' ')
    .replaceAll(/\s*<\/code>\s*/g, ' ')
}

type Named = { flag: string; program: string | null }

/** Each flag in a text, with the program that the words around it name: the one after “of”, else the last before it. */
function namedFlags(text: string): Named[] {
  return withoutComments(text)
    .split('\n')
    .flatMap((line) => {
      const commands = line.replaceAll(/np(?:x|m run) [^`]*`/g, '')
      return [...commands.matchAll(/(?<![\w-])--([a-zA-Z][a-zA-Z-]*)/g)].map((found) => {
        const before = commands.slice(0, found.index)
        const after = commands.slice(found.index + found[0].length)
        const owner = /^[`\s]*of (webconsole|immudb|immuadmin)\b/.exec(after)?.[1]
        const last = before.match(/webconsole|npm start|immudb|immuadmin|oauth2-proxy/g)?.at(-1)
        const program = owner ?? (last === 'npm start' ? 'webconsole' : last)
        return { flag: found[1] ?? '', program: program ?? null }
      })
    })
}

/** Whether the program has it; without a program the reader may run either server. */
function exists({ flag, program }: Named): boolean {
  if (program) return programs[program]?.has(flag) ?? false
  return Boolean(programs.webconsole?.has(flag) && programs.immudb?.has(flag))
}

describe('every flag that is named somewhere exists', () => {
  test('in the screens, the README and the messages of the binary', () => {
    const wrong: string[] = []
    let count = 0
    for (const { file, of } of speaking()) {
      for (const named of namedFlags(readFileSync(join(root, file), 'utf8'))) {
        if (file.startsWith('src/') && isStyle(named.flag)) continue
        count += 1
        const meant = of ? { ...named, program: of } : named
        if (!exists(meant)) wrong.push(`${file}: --${named.flag} of ${meant.program ?? 'both'}`)
      }
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(40)
  })

  test('and the check knows a wrong one', () => {
    const judged = (text: string) => namedFlags(text).map(exists)
    expect(judged('start it with --auto-cert')).toEqual([false])
    expect(judged('start immudb with --auto-cert')).toEqual([true])
    expect(judged('webconsole --auto-cert')).toEqual([false])
    expect(judged('`--signingKey` of immudb, `--signing-key` of webconsole')).toEqual([true, true])
    expect(judged('`--signing-key` of immudb, or immudb with --signing-key')).toEqual([
      false,
      false,
    ])
    expect(judged('--auth=false')).toEqual([true])
    expect(own.length).toBeGreaterThan(15)
  })
})
