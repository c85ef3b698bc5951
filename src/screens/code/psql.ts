import { literalOf } from '~/sql/literals'
import type { Param } from '~/sql/params'
import { isTrivia, tokenize } from '~/sql/tokens'
import type { Call, Place, Snippet } from './call'
import { isProof } from './curl'
import { shellWord } from './quoting'

/** The call for `psql` and the PostgreSQL port of immudb, which reads SQL alone. */
export function psqlSnippet(call: Call, place: Place): Snippet {
  if (call.kind !== 'sql' && call.kind !== 'row' && call.kind !== 'rows') {
    return {
      cannot:
        'psql speaks only SQL. immudb’s PostgreSQL port cannot read keys, documents, transactions or proofs.',
    }
  }
  const statement = call.sql
  const refusal = refusalOf(statement)
  if (refusal) return { cannot: refusal }
  const whole = withValues(statement, call.params)
  if (whole === null) return { cannot: 'psql knows no such parameter of the statement.' }
  // It looks into values too.
  if (answered.test(whole)) return { cannot: answersItself }
  // psql takes a statement that begins with a backslash as an order to itself.
  const word = shellWord(whole.startsWith('\\') ? ` ${whole}` : whole)
  const host = shellWord(place.host.replace(/^\[(.*)\]$/, '$1'))
  const database = shellWord(place.database)
  if (word === null) {
    return { cannot: 'The statement has a NUL character, which psql cannot send.' }
  }
  const code = [
    'PGCLIENTENCODING=UTF8 psql --no-psqlrc --csv --set=ON_ERROR_STOP=1 \\',
    `  --host=${host} --port=${place.ports.pgsql} --username="$IMMUDB_USER" --dbname=${database} \\`,
    `  --command=${word}`,
    '',
  ].join('\n')
  return {
    code,
    by: 'pgsql',
    needs: ['psql 12 or newer, and an immudb that runs with --pgsql-server'],
    notes: notesOn(call),
  }
}

function notesOn(call: Call): string[] {
  const notes = ['The immudb in webconsole has no PostgreSQL port.']
  if ('params' in call && call.params.length > 0) {
    notes.push('The values stand in the statement: --command takes no parameters.')
  }
  if (isProof(call)) notes.push('psql verifies nothing: this only reads. Use Go or Python.')
  return notes
}

/** Values in place of their parameters, as literals of immudb; null where one has no value. */
function withValues(source: string, params: readonly Param[]): string | null {
  const parts: string[] = []
  let place = 0
  for (const { kind, from, to } of tokenize(source)) {
    const text = source.slice(from, to)
    if (kind !== 'parameter') {
      parts.push(text)
      continue
    }
    if (text === '?') place += 1
    const name = text === '?' ? `param${place}` : text.replace(/^\$/, 'param').replace(/^@/, '')
    const found = params.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!found) return null
    parts.push(literal(found.value))
  }
  return parts.join('')
}

const types: Readonly<Record<string, string>> = {
  n: 'INTEGER',
  s: 'VARCHAR',
  b: 'BOOLEAN',
  bs: 'BLOB',
  ts: 'TIMESTAMP',
  f: 'FLOAT',
}

function literal(value: Param['value']): string {
  const [[kind = 'null', one] = []] = Object.entries(value)
  return literalOf(types[kind] ?? 'ANY', kind === 'null' ? null : String(one))
}

/**
 * What the PostgreSQL port answers itself or rewrites before immudb reads it, from
 * `pkg/pgsql/server/stmts_handler.go` and `query_machine.go` of 1.11.1. It looks for the first kind
 * in texts too, for the second only outside of them.
 */
const answered =
  /pg_|information_schema|\bversion\s*\(|immudb_(?:state|verify|history|tx)|current_setting|has_\w+_privilege|regtype|column_default/i
const rewritten =
  /^(?:text|bytea|bool|date|year|real|numeric|decimal|serial|bigserial|smallint|bigint|character|char|double|tsvector|mpaa_rating|collate|constraint|references|foreign|check|generated|comment|default|nextval)$/i

const answersItself =
  'immudb’s PostgreSQL port answers statements with such names itself, as PostgreSQL would, and not from your data.'

function refusalOf(source: string): string | null {
  const tokens = tokenize(source).filter((token) => !isTrivia(token))
  const words = tokens.map(({ from, to }) => source.slice(from, to))
  const heads = words.filter((word, at) => word !== ';' && (at === 0 || words[at - 1] === ';'))
  if (!heads.every((head) => /^(?:SELECT|INSERT|UPSERT|UPDATE|DELETE)$/i.test(head))) {
    return 'Only SELECT, INSERT, UPSERT, UPDATE and DELETE mean the same on immudb’s PostgreSQL port: it rewrites or skips other statements, such as CHECK and FOREIGN KEY in CREATE TABLE.'
  }
  const odd = tokens.find(
    ({ kind, from, to }) => kind === 'quoted' || rewritten.test(source.slice(from, to)),
  )
  if (odd) {
    return `immudb’s PostgreSQL port rewrites ${source.slice(odd.from, odd.to).slice(0, 40)} before immudb reads it.`
  }
  if (/\.\s*\*|\*\s*,/.test(words.join(' ')) || /count\s*\(\s*1\s*\)/i.test(words.join(' '))) {
    return 'immudb’s PostgreSQL port rewrites lists of columns with * and others.'
  }
  return null
}
