import { type Call, type Place, pageBody, pageRows, requestOf, type Snippet } from './call'
import { isProof, offsetNote, proversOf } from './curl'
import { scriptText } from './quoting'
import { versions } from './versions'

/** The call for Node's own `fetch`, over the REST interface. */
export function nodeSnippet(call: Call, place: Place): Snippet {
  const { path, body, login } = requestOf(call)
  const sent = body === undefined ? '' : `, ${scriptText(body)}`
  const use = scriptText(`/db/use/${encodeURIComponent(place.database)}`)
  const lines = [
    "import process from 'node:process'",
    '',
    `const url = ${scriptText(place.api)}`,
    'const { IMMUDB_USER: user, IMMUDB_PASSWORD: password } = process.env',
    "if (!user || !password) throw new Error('Set IMMUDB_USER and IMMUDB_PASSWORD.')",
    'let headers = {}',
    'async function call(path, body) {',
    "  const method = body === undefined ? 'GET' : 'POST'",
    '  const answer = await fetch(url + path, { method, headers, body })',
    '  if (!answer.ok) throw new Error(await answer.text())',
    '  return answer.json()',
    '}',
    "const json = (value) => JSON.stringify(value, (_, one) => (Object.is(one, -0) ? '-0' : one))",
    '',
    ...(login === 'token'
      ? [
          "const base64 = (text) => Buffer.from(text).toString('base64')",
          'const login = JSON.stringify({ user: base64(user), password: base64(password) })',
          "headers = { authorization: 'Bearer ' + (await call('/login', login)).token }",
          `headers = { authorization: 'Bearer ' + (await call(${use})).token }`,
        ]
      : [
          `const login = JSON.stringify({ username: user, password, database: ${scriptText(place.database)} })`,
          "const opened = await call('/v2/authorization/session/open', login)",
          'headers = { sessionid: opened.sessionID }',
        ]),
    '',
    ...(call.kind === 'rows' ? pages(call) : print(call, `await call(${scriptText(path)}${sent})`)),
    ...(login === 'session' ? ["await call('/v2/authorization/session/close', '{}')"] : []),
  ]
  return {
    code: `${lines.join('\n')}\n`,
    by: 'rest',
    needs: ['Node 18 or newer, no package'],
    notes: notesOn(call),
  }
}

function print(call: Call, answer: string): string[] {
  switch (call.kind) {
    case 'sql':
    case 'row':
      if (call.kind === 'sql' && !call.isQuery) break
      return [
        `const { rows = [] } = ${answer}`,
        'for (const row of rows) console.log(json(row.values))',
      ]
    case 'key':
      return [
        `const { value = '' } = ${answer}`,
        "process.stdout.write(Buffer.from(value, 'base64'))",
      ]
  }
  return [`console.log(json(${answer}))`]
}

function pages(call: Extract<Call, { kind: 'rows' }>): string[] {
  const [begin = '', end = ''] = pageBody(call)
  return [
    `for (let offset = 0; ; offset += ${pageRows}) {`,
    `  const { rows = [] } = await call('/db/sqlquery', ${scriptText(begin)} + offset + ${scriptText(end)})`,
    '  if (rows.length === 0) break',
    '  for (const row of rows) console.log(json(row.values))',
    '}',
  ]
}

function notesOn(call: Call): string[] {
  const notes = ['Save it as immudb.mjs.']
  if (call.kind === 'keys' || call.kind === 'tx') notes.push('Keys and values are base64.')
  if (call.kind === 'rows') notes.push(offsetNote)
  notes.push('It prints −0 as a text, because JSON.stringify writes 0.')
  if (isProof(call)) {
    notes.push(
      `It only reads and verifies nothing: immudb-node ${versions.node} refuses the proofs of every server since 1.2. Use ${proversOf(call)} to verify.`,
    )
  }
  notes.push(
    `It does not use immudb-node: version ${versions.node} rounds integers above 2^53, loses times and FLOAT values, and takes no key that is not UTF-8.`,
  )
  return notes
}
