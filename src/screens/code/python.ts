import type { Param } from '~/sql/params'
import { type Call, type KeyPart, type Place, requestOf, type Snippet } from './call'
import { proversOf } from './curl'
import { doubleQuoted, literalLines, quotedBytes } from './quoting'
import { versions } from './versions'

/** The call for immudb-py; for documents, which that does not have, the REST interface. */
export function pythonSnippet(call: Call, place: Place): Snippet {
  if (call.kind === 'documents' || call.kind === 'document proof') return documents(call, place)
  const { imports, lines, notes } = bodyOf(call)
  const code = [
    ...imports.filter((line) => line.startsWith('import ')),
    'import os',
    ...(call.kind === 'key' ? ['import sys'] : []),
    '',
    'from immudb import ImmudbClient',
    ...imports.filter((line) => line.startsWith('from ')),
    '',
    `client = ImmudbClient(${doubleQuoted(`${place.host}:${place.ports.grpc}`)})`,
    'client.login(',
    '    os.environ["IMMUDB_USER"],',
    '    os.environ["IMMUDB_PASSWORD"],',
    `    ${bytesOfText(place.database)},`,
    ')',
    ...lines,
    'client.logout()',
  ]
  return {
    code: `${code.join('\n')}\n`,
    by: 'grpc',
    needs: [`Python 3, and: pip install immudb-py==${versions.python}`],
    notes,
  }
}

/** What immudb-py does not have. */
type OfDocuments = 'documents' | 'document proof'

type Part = {
  readonly imports: readonly string[]
  readonly lines: readonly string[]
  readonly notes: readonly string[]
}

const state = 'The trusted state is kept in memory: each run trusts what the server says first.'

/** A row as a line of JSON; bytes are hexadecimal there, times microseconds since 1970. */
const printed = (indent: string) => [
  `${indent}values = [`,
  `${indent}    getattr(value, value.WhichOneof("value"))`,
  `${indent}    if value.WhichOneof("value") != "null" else None`,
  `${indent}    for value in row.values`,
  `${indent}]`,
  `${indent}print(json.dumps(values, default=bytes.hex))`,
]

const asked = ['import json', 'from immudb.grpc import schema_pb2']
const raw = `It sends immudb’s own message: sqlQuery of immudb-py ${versions.python} takes no FLOAT and rounds times.`

function bodyOf(call: Exclude<Call, { kind: OfDocuments }>): Part {
  switch (call.kind) {
    case 'sql': {
      const [send, request] = call.isQuery
        ? ['UnarySQLQuery', 'SQLQueryRequest']
        : ['SQLExec', 'SQLExecRequest']
      const sent = message(request, call.sql, call.params)
      if (!call.isQuery) {
        return {
          imports: ['from immudb.grpc import schema_pb2'],
          lines: [
            `answer = client.stub.${send}(${sent})`,
            'for tx in answer.txs:',
            '    print("transaction", tx.header.id, "rows", tx.updatedRows)',
          ],
          notes: [raw],
        }
      }
      return {
        imports: asked,
        lines: [
          `answer = client.stub.${send}(${sent})`,
          'for row in answer.rows:',
          ...printed('    '),
        ],
        notes: [raw, cells],
      }
    }
    case 'row': {
      const canProve = call.key.every(isProvable)
      return {
        imports: [...asked, ...(canProve ? ['from immudb import datatypesv2'] : [])],
        lines: [
          `answer = client.stub.UnarySQLQuery(${message('SQLQueryRequest', call.sql, call.params)})`,
          'for row in answer.rows:',
          ...printed('    '),
          ...(canProve
            ? [
                `proven = client.verifiableSQLGet(${doubleQuoted(call.table)}, [`,
                ...call.key.map((part) => `    datatypesv2.${primaryKey(part)},`),
                '])',
                'print("verified in transaction", proven.sqlEntry.tx)',
              ]
            : []),
        ],
        notes: [
          ...(canProve
            ? [
                'It verifies that immudb stores a row with this primary key, encoded in proven.sqlEntry.value. It does not check that the printed values are those: Go does.',
                state,
              ]
            : [
                `It only reads: immudb-py ${versions.python} refuses right proofs of rows whose primary key has a negative number, a FLOAT, a UUID or letters that are not ASCII. Use Go to verify.`,
              ]),
        ],
      }
    }
    case 'rows':
      return {
        imports: asked,
        lines: [
          `pages = client.stub.SQLQuery(${message('SQLQueryRequest', call.sql, call.params, true)})`,
          'for page in pages:',
          '    for row in page.rows:',
          ...printed('        '),
        ],
        notes: [cells],
      }
    case 'key':
      return key(call)
    case 'keys':
      return {
        imports: [],
        lines: [
          `entries = client.scan(b"", b${quotedBytes(call.prefix)}, False, ${call.limit})`,
          'for key, value in entries.items():',
          '    print(key.hex(), value.hex())',
        ],
        notes: ['It prints hexadecimal digits.'],
      }
    case 'tx':
      return {
        imports: [],
        lines: [
          `for key in client.${call.isVerified ? 'verifiedTxById' : 'txById'}(${call.tx}):`,
          '    print(key.hex())',
        ],
        notes: [...(call.isVerified ? [state] : []), 'It prints hexadecimal digits.'],
      }
  }
}

const cells = 'Bytes are printed as hexadecimal digits, times as microseconds since 1970.'

function key({ key, at, isVerified }: Extract<Call, { kind: 'key' }>): Part {
  const notes = isVerified ? [state] : []
  const write = 'sys.stdout.buffer.write(entry.value)'
  const name = `b${quotedBytes(key)}`
  if (at && 'tx' in at && !isVerified) {
    return {
      imports: ['from immudb.grpc import schema_pb2'],
      lines: [`entry = client.stub.Get(schema_pb2.KeyRequest(key=${name}, atTx=${at.tx}))`, write],
      notes,
    }
  }
  const get = isVerified ? 'verifiedGet' : 'get'
  const line = !at
    ? `entry = client.${get}(${name})`
    : 'tx' in at
      ? `entry = client.verifiedGetAt(${name}, ${at.tx})`
      : `entry = client.${get}(${name}, ${at.revision})`
  return { imports: [], lines: [line, write], notes }
}

function message(kind: string, sql: string, params: readonly Param[], isStream = false): string {
  const lines = [`schema_pb2.${kind}(`, `    sql=${textOf(sql)},`]
  if (isStream) lines.push('    acceptStream=True,')
  if (params.length > 0) {
    lines.push('    params=[')
    for (const { name, value } of params) {
      lines.push(
        `        schema_pb2.NamedParam(name=${doubleQuoted(name)}, value=schema_pb2.SQLValue(${sqlValue(value)})),`,
      )
    }
    lines.push('    ],')
  }
  return [...lines, ')'].join('\n')
}

/** A value of immudb's `SQLValue` as the argument that sets it. */
function sqlValue(value: Param['value']): string {
  const [[kind, one] = []] = Object.entries(value)
  switch (kind) {
    case 'n':
    case 'ts':
      return `${kind}=${one}`
    case 'b':
      return `b=${one === true ? 'True' : 'False'}`
    case 'bs':
      return `bs=b${quotedBytes(String(one))}`
    case 's':
      return `s=${doubleQuoted(String(one))}`
    case 'f':
      return `f=${pythonFloat(one)}`
  }
  return 'null=0'
}

function pythonFloat(value: unknown): string {
  if (Object.is(value, -0)) return '-0.0'
  return typeof value === 'number' && Number.isFinite(value)
    ? `float("${value}")`
    : `float(${doubleQuoted(String(value))})`
}

/** What the SDK encodes as immudb does (`encodeAsKey` of its verification.py). */
function isProvable({ type, value }: KeyPart): boolean {
  if ('f' in value || type === 'UUID') return false
  if ('s' in value) return /^[\0-\x7f]*$/.test(value.s)
  return !('n' in value && value.n.startsWith('-')) && !('ts' in value && value.ts.startsWith('-'))
}

function primaryKey({ value }: KeyPart): string {
  if ('n' in value) return `PrimaryKeyIntValue(${value.n})`
  if ('s' in value) return `PrimaryKeyVarCharValue(${doubleQuoted(value.s)})`
  if ('b' in value) return `PrimaryKeyBoolValue(${value.b ? 'True' : 'False'})`
  if ('bs' in value) return `PrimaryKeyBlobValue(b${quotedBytes(value.bs)})`
  return `PrimaryKeyTsValue(${'ts' in value ? value.ts : '0'})`
}

function textOf(sql: string): string {
  const lines = literalLines(sql, doubleQuoted)
  return lines.length === 1 ? (lines[0] ?? '""') : `(\n        ${lines.join('\n        ')}\n    )`
}

function bytesOfText(text: string): string {
  return `${doubleQuoted(text)}.encode()`
}

function documents(call: Extract<Call, { kind: OfDocuments }>, place: Place): Snippet {
  const { path, body = '{}' } = requestOf(call)
  const print =
    call.kind === 'documents'
      ? [
          '    for revision in found.get("revisions", []):',
          '        print(json.dumps(revision["document"]))',
        ]
      : ['    print(json.dumps(found))']
  const code = [
    'import json',
    'import os',
    'import urllib.request',
    '',
    `url = ${doubleQuoted(place.api)}`,
    'headers = {"Content-Type": "application/json"}',
    '',
    '',
    'def call(path, body):',
    '    request = urllib.request.Request(url + path, body.encode(), headers)',
    '    with urllib.request.urlopen(request) as answer:',
    '        return json.load(answer)',
    '',
    '',
    'opened = call("/v2/authorization/session/open", json.dumps({',
    '    "username": os.environ["IMMUDB_USER"],',
    '    "password": os.environ["IMMUDB_PASSWORD"],',
    `    "database": ${doubleQuoted(place.database)},`,
    '}))',
    'headers["sessionid"] = opened["sessionID"]',
    'try:',
    `    found = call(${doubleQuoted(path)}, ${doubleQuoted(body)})`,
    ...print,
    'finally:',
    '    call("/v2/authorization/session/close", "{}")',
  ]
  return {
    code: `${code.join('\n')}\n`,
    by: 'rest',
    needs: ['Python 3, no package'],
    notes: [
      `immudb-py ${versions.python} has no documents. This asks the REST interface.`,
      ...(call.kind === 'document proof'
        ? [`It verifies nothing: it only reads the proof. Use ${proversOf(call)} to verify.`]
        : []),
    ],
  }
}
