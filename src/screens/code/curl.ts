import { type Call, type Place, pageBody, pageRows, requestOf, type Snippet } from './call'
import { asciiJson, shellWord } from './quoting'

/** The call for `curl` and a POSIX shell. Login and token never stand in the list of processes. */
export function curlSnippet(call: Call, place: Place): Snippet {
  const { path, body, login } = requestOf(call)
  const asked = body === undefined ? '' : `--data-raw ${word(body)} `
  const lines = [
    '#!/bin/sh',
    'set -eu',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads it.
    ': "${IMMUDB_USER:?is not set}" "${IMMUDB_PASSWORD:?is not set}"',
    `url=${word(place.api)}`,
    ...(login === 'token' ? byToken(place) : bySession(place)),
    '',
    ...(call.kind === 'rows' ? pages(call) : [`call ${asked}"$url"${word(path)}`]),
  ]
  return {
    code: `${lines.join('\n')}\n`,
    by: 'rest',
    needs: ['curl 7.76 or newer, and a POSIX shell'],
    notes: notesOn(call),
  }
}

const curl = 'curl --silent --show-error --fail-with-body'

function byToken({ database }: Place): string[] {
  return [
    "base64_of() { printf '%s' \"$1\" | base64 | tr -d '\\n'; }",
    'token_in() { sed -n \'s/.*"token":"\\([^"]*\\)".*/\\1/p\'; }',
    'call() {',
    '  printf \'header = "Authorization: Bearer %s"\\n\' "$token" |',
    `    ${curl} --config - "$@"`,
    '}',
    '',
    'token=$(printf \'{"user":"%s","password":"%s"}\' \\',
    '  "$(base64_of "$IMMUDB_USER")" "$(base64_of "$IMMUDB_PASSWORD")" |',
    `  ${curl} --data @- "$url/login" | token_in)`,
    '[ -n "$token" ] || { echo \'The login failed.\' >&2; exit 1; }',
    `token=$(call "$url"${word(`/db/use/${encodeURIComponent(database)}`)} | token_in)`,
    '[ -n "$token" ] || { echo \'The database could not be opened.\' >&2; exit 1; }',
  ]
}

function bySession({ database }: Place): string[] {
  return [
    "json_of() { printf '%s' \"$1\" | sed 's/[\\\\\"]/\\\\&/g'; }",
    'call() {',
    '  printf \'header = "sessionid: %s"\\n\' "$session" |',
    `    ${curl} --config - "$@"`,
    '}',
    '',
    'session=$(printf \'{"username":"%s","password":"%s","database":%s}\' \\',
    `  "$(json_of "$IMMUDB_USER")" "$(json_of "$IMMUDB_PASSWORD")" ${word(asciiJson(database))} |`,
    `  ${curl} --data @- "$url/v2/authorization/session/open" |`,
    '  sed -n \'s/.*"sessionID":"\\([^"]*\\)".*/\\1/p\')',
    '[ -n "$session" ] || { echo \'The login failed.\' >&2; exit 1; }',
    'trap \'call --data-raw "{}" "$url/v2/authorization/session/close" >/dev/null\' EXIT',
  ]
}

/** Pages until one has no rows; in a value the quotes of `"rows":[` would have backslashes. */
function pages(call: Extract<Call, { kind: 'rows' }>): string[] {
  const [begin, end] = pageBody(call).map(word)
  return [
    'offset=0',
    'while',
    `  page=$(call --data-raw ${begin}"$offset"${end} "$url/db/sqlquery")`,
    '  case $page in *\'"rows":[\'*) true ;; *) false ;; esac',
    'do',
    '  printf \'%s\\n\' "$page"',
    `  offset=$((offset + ${pageRows}))`,
    'done',
  ]
}

/** JSON and addresses are ASCII and have no NUL. */
function word(text: string): string {
  return shellWord(text) ?? "''"
}

function notesOn(call: Call): string[] {
  const notes = ['It prints the JSON of the server.']
  const hasKeys = call.kind === 'key' || call.kind === 'keys' || call.kind === 'tx'
  if (hasKeys) notes.push('Keys and values in it are base64.')
  if (call.kind === 'rows') notes.push(offsetNote)
  if (isProof(call)) {
    notes.push(
      `curl verifies nothing: this only reads. Save evidence in the proof and check it with “webconsole verify”, or use ${proversOf(call)}.`,
    )
  }
  return notes
}

/** Whether the call is about a proof. */
export function isProof(call: Call): boolean {
  if (call.kind === 'row' || call.kind === 'document proof') return true
  return (call.kind === 'key' || call.kind === 'tx') && call.isVerified
}

/** The languages whose SDK verifies what a call reads. */
export function proversOf(call: Call): string {
  return call.kind === 'document proof' ? 'Go' : 'Go or Python'
}

export const offsetNote = `It asks for ${pageRows} rows at a time. Rows that are written meanwhile can be missed or come twice. Go, Python and psql read one snapshot.`
