import { bytesToBase64, bytesToHex, decodeUtf8, hexToBytes } from '~/lib/bytes'
import { isBroken } from '~/lib/encoding'
import { exactDecimal } from '~/lib/exact-decimal'
import { formatMicroseconds } from './cells'
import { callText, isCall } from './import-statements'
import { type ImportType, readField, type WireValue } from './import-types'
import { literalOf } from './literals'
import { lowerAscii } from './names'
import type { ScriptDialect, ScriptSigns } from './script-dialect'
import { type ScriptToken, scriptToken } from './script-tokens'

/** A statement that is read token by token, without what means nothing. */
export class ScriptCursor {
  /** The token that is next; null at the end. */
  token: ScriptToken | null = null
  /** Of a value that is read: how many brackets and functions are open around it. */
  nested = 0

  constructor(
    readonly source: string,
    readonly signs: ScriptSigns,
    at = 0,
  ) {
    this.#read(at)
  }

  #read(from: number): void {
    for (let at = from; at < this.source.length; ) {
      const token = scriptToken(this.source, at, this.signs)
      at = token.to
      if (token.kind === 'space' || token.kind === 'comment') continue
      this.token = token
      return
    }
    this.token = null
  }

  /** Goes behind the token. */
  step(): void {
    if (this.token) this.#read(this.token.to)
  }

  /** The text of the token; empty at the end. */
  get text(): string {
    return this.token ? this.source.slice(this.token.from, this.token.to) : ''
  }

  /** A word without quotes, in upper case; empty for anything else. */
  get word(): string {
    return this.token?.kind === 'word' ? this.text.toUpperCase() : ''
  }

  /** An operator or bracket; empty for anything else. */
  get sign(): string {
    return this.token?.kind === 'sign' ? this.text : ''
  }

  /** Goes behind these words if they are next, in this order. */
  takes(...words: readonly string[]): boolean {
    const before = this.token
    for (const word of words) {
      if (this.word !== word) {
        this.token = before
        return false
      }
      this.step()
    }
    return true
  }

  takesSign(sign: string): boolean {
    if (this.sign !== sign) return false
    this.step()
    return true
  }

  /** A name in any quotes or without; null for anything else. */
  takeName(): string | null {
    const { token } = this
    if (token?.kind !== 'word' && token?.kind !== 'name' && token?.kind !== 'text') return null
    const name = token.kind === 'word' ? this.#folded(this.text) : unquotedName(this.text)
    this.step()
    return name
  }

  /** PostgreSQL knows two names by their capitals, and gives them only to those in quotes. */
  #folded(word: string): string {
    return this.signs.hasDollars ? lowerAscii(word) : word
  }

  /** Goes behind everything up to what closes a bracket that is open. */
  skipBrackets(): void {
    let depth = 1
    while (this.token && depth > 0) {
      if (this.sign === '(') depth += 1
      if (this.sign === ')') depth -= 1
      this.step()
    }
  }

  /** A cursor at the same place. */
  copy(): ScriptCursor {
    return new ScriptCursor(this.source, this.signs, this.token?.from ?? this.source.length)
  }
}

function unquotedName(text: string): string {
  const quote = text.slice(-1)
  return text.slice(1, -1).replaceAll(quote + quote, quote)
}

/** A value as a script has it. */
export type ScriptValue =
  /** `new id`: a UUID that the server makes. */
  | { readonly kind: 'null' | 'default' | 'now' | 'new id' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly is: boolean }
  /** `isRaw`: the script has bytes above ASCII as they are, not as digits. */
  | { readonly kind: 'bytes'; readonly hex: string; readonly isRaw?: boolean }
  | { readonly kind: 'bits'; readonly bits: string }
  /** Anything that would have to be calculated, as it stands there. */
  | { readonly kind: 'other'; readonly text: string }

/** The value that is next, up to the comma or bracket behind it. */
export function takeValue(cursor: ScriptCursor): ScriptValue {
  const from = cursor.token?.from ?? cursor.source.length
  const value = takeSimple(cursor)
  if (value !== null && (cursor.sign === ',' || cursor.sign === ')' || cursor.token === null)) {
    return value
  }
  return { kind: 'other', text: cursor.source.slice(from, skipValue(cursor, from)).trim() }
}

/** Goes to the comma or bracket behind a value; its offset. */
function skipValue(cursor: ScriptCursor, from: number): number {
  let depth = 0
  let to = from
  // From its beginning: a part of it may be read already.
  const again = new ScriptCursor(cursor.source, cursor.signs, from)
  while (again.token) {
    const { sign } = again
    if (depth === 0 && (sign === ',' || sign === ')')) break
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    to = again.token.to
    again.step()
  }
  cursor.token = again.token
  return to
}

/** Brackets and functions in one another, in which a value is looked for. */
const mostNested = 50

function takeSimple(cursor: ScriptCursor): ScriptValue | null {
  if (cursor.nested === mostNested) return null
  cursor.nested += 1
  const value = takeTyped(cursor)
  cursor.nested -= 1
  return value
}

function takeTyped(cursor: ScriptCursor): ScriptValue | null {
  let value = takeLiteral(cursor)
  while (value?.kind === 'text' && cursor.takesSign('||')) {
    const more = takeLiteral(cursor)
    value = more?.kind === 'text' ? { kind: 'text', text: value.text + more.text } : null
  }
  // A type behind a literal changes nothing: the column has one.
  while (value !== null && cursor.sign === '::') {
    cursor.step()
    skipType(cursor)
  }
  return value
}

function skipType(cursor: ScriptCursor): void {
  while (cursor.token && cursor.sign !== ',' && cursor.sign !== ')' && cursor.sign !== '::') {
    const isOpen = cursor.sign === '('
    cursor.step()
    if (isOpen) cursor.skipBrackets()
  }
}

function takeLiteral(cursor: ScriptCursor): ScriptValue | null {
  const { token, signs } = cursor
  if (token === null) return null
  const { text } = cursor
  switch (token.kind) {
    case 'text':
      cursor.step()
      return moreText(cursor, unquoted(text, signs.hasBackslashes ? 'mysql' : 'none'))
    case 'number':
      cursor.step()
      return { kind: 'number', text }
    case 'bytes':
      cursor.step()
      return { kind: 'bytes', hex: text.replace(/^(0x|x')|'$/gi, '') }
    case 'sign':
      return takeSigned(cursor)
    case 'word':
      return takeWord(cursor)
    case 'name':
      // SQLite takes a name that it does not know for a text.
      if (text[0] !== '"' || signs.hasDollars) return null
      cursor.step()
      return { kind: 'text', text: unquotedName(text) }
  }
  return null
}

/** Texts that follow each other are one. */
function moreText(cursor: ScriptCursor, first: string): ScriptValue {
  let text = first
  while (cursor.token?.kind === 'text') {
    text += unquoted(cursor.text, cursor.signs.hasBackslashes ? 'mysql' : 'none')
    cursor.step()
  }
  return { kind: 'text', text }
}

function takeSigned(cursor: ScriptCursor): ScriptValue | null {
  const { sign } = cursor
  cursor.step()
  if (sign === '(') {
    const inner = takeSimple(cursor)
    return inner !== null && cursor.takesSign(')') ? inner : null
  }
  if (sign !== '-' && sign !== '+') return null
  if (cursor.token?.kind !== 'number') return null
  const text = `${sign === '-' ? '-' : ''}${cursor.text}`
  cursor.step()
  return { kind: 'number', text }
}

export const nowWords =
  /^(NOW|CURRENT_TIMESTAMP|LOCALTIMESTAMP|TRANSACTION_TIMESTAMP|SYSDATE|GETDATE)$/

const newIdWords = /^(RANDOM_UUID|GEN_RANDOM_UUID|UUID_GENERATE_V4|UUIDV4|UUID|NEWID)$/

function takeWord(cursor: ScriptCursor): ScriptValue | null {
  let { word, token } = cursor
  cursor.step()
  // A function may be named with its schema.
  if (cursor.takesSign('.')) {
    if (cursor.token?.kind !== 'word') return null
    ;({ word, token } = cursor)
    cursor.step()
  }
  const isClose = cursor.token?.from === token?.to
  if (cursor.token?.kind === 'text' && (isClose || word.startsWith('_'))) {
    return prefixed(cursor, word)
  }
  if (cursor.token?.kind === 'bytes' && word.startsWith('_')) return takeLiteral(cursor)
  if (/^(DATE|TIME|TIMESTAMP|TIMESTAMPTZ)$/.test(word) && cursor.token?.kind === 'text') {
    return takeLiteral(cursor)
  }
  if (nowWords.test(word)) {
    if (cursor.takesSign('(')) cursor.skipBrackets()
    return { kind: 'now' }
  }
  if (newIdWords.test(word) && cursor.takesSign('(')) {
    return cursor.takesSign(')') ? { kind: 'new id' } : null
  }
  switch (word) {
    case 'NULL':
      return { kind: 'null' }
    case 'DEFAULT':
      return { kind: 'default' }
    case 'TRUE':
    case 'FALSE':
      return { kind: 'boolean', is: word === 'TRUE' }
    case 'CAST':
      return cursor.takesSign('(') ? cast(cursor) : null
    case 'REPLACE':
      return cursor.takesSign('(') ? replaced(cursor) : null
    case 'CHAR':
    case 'CHR':
      return cursor.takesSign('(') ? ofCodes(cursor) : null
    // So SQLite has the time of now.
    case 'DATETIME': {
      const value = cursor.takesSign('(') ? takeSimple(cursor) : null
      const isNow = value?.kind === 'text' && value.text.toLowerCase() === 'now'
      return isNow && cursor.takesSign(')') ? { kind: 'now' } : null
    }
    case 'UNISTR': {
      const value = cursor.takesSign('(') ? takeSimple(cursor) : null
      if (value?.kind !== 'text' || !cursor.takesSign(')')) return null
      return { kind: 'text', text: postgresText(value.text) }
    }
    case 'DECODE':
    case 'UNHEX':
      return cursor.takesSign('(') ? decoded(cursor, word) : null
  }
  return null
}

/** `E'…'`, `N'…'`, `B'…'` and `_utf8'…'`. */
function prefixed(cursor: ScriptCursor, word: string): ScriptValue | null {
  const { text, signs } = cursor
  cursor.step()
  if (word === 'B') return { kind: 'bits', bits: text.slice(1, -1) }
  if (word === 'E') return moreText(cursor, unquoted(text, 'postgres'))
  if (word !== 'N' && !word.startsWith('_')) return null
  const content = unquoted(text, signs.hasBackslashes ? 'mysql' : 'none')
  if (word === '_BINARY') {
    return { kind: 'bytes', hex: bytesToHex(rawBytes(content)), isRaw: !isAscii(content) }
  }
  return { kind: 'text', text: content }
}

function cast(cursor: ScriptCursor): ScriptValue | null {
  const value = takeSimple(cursor)
  if (value === null || !cursor.takes('AS')) return null
  while (cursor.token && cursor.sign !== ')') {
    const isOpen = cursor.sign === '('
    cursor.step()
    if (isOpen) cursor.skipBrackets()
  }
  return cursor.takesSign(')') ? value : null
}

/** A text as SQLite writes one with line ends: `replace('a\\nb','\\n',char(10))`. */
function replaced(cursor: ScriptCursor): ScriptValue | null {
  const texts: string[] = []
  do {
    const value = takeSimple(cursor)
    if (value?.kind !== 'text') return null
    texts.push(value.text)
  } while (cursor.takesSign(','))
  const [text = '', from = '', to = ''] = texts
  if (texts.length !== 3 || from === '' || !cursor.takesSign(')')) return null
  return { kind: 'text', text: text.replaceAll(from, () => to) }
}

/** `char(10, 13)`. */
function ofCodes(cursor: ScriptCursor): ScriptValue | null {
  let text = ''
  do {
    const value = takeSimple(cursor)
    const code = value?.kind === 'number' ? Number(value.text) : Number.NaN
    if (!Number.isInteger(code) || code < 1 || code > 0x10ffff) return null
    text += String.fromCodePoint(code)
  } while (cursor.takesSign(','))
  return cursor.takesSign(')') ? { kind: 'text', text } : null
}

function decoded(cursor: ScriptCursor, word: string): ScriptValue | null {
  const value = takeSimple(cursor)
  if (value?.kind !== 'text') return null
  if (word === 'UNHEX') return cursor.takesSign(')') ? { kind: 'bytes', hex: value.text } : null
  if (!cursor.takesSign(',')) return null
  const form = takeSimple(cursor)
  if (form?.kind !== 'text' || form.text.toLowerCase() !== 'hex') return null
  return cursor.takesSign(')') ? { kind: 'bytes', hex: value.text } : null
}

const mysqlEscapes: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
  '%': '\\%',
  _: '\\_',
}
const postgresEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const postgresEscape =
  /\\(?:([0-7]{1,3})|x([\da-fA-F]{1,2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g

function postgresText(text: string): string {
  return text.replace(postgresEscape, (_all, octal, hex, four, eight, one: string) => {
    const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? four ?? eight, 16)
    if (one !== undefined) return postgresEscapes[one] ?? one
    // A byte above ASCII is part of a character only together with others.
    if ((octal || hex) && code > 0x7f) return String.fromCharCode(0xdc00 + (code & 0xff))
    return code > 0x10ffff ? '\udcff' : String.fromCodePoint(code)
  })
}

/** The content of a text in quotes or between `$$`. */
function unquoted(written: string, escapes: 'none' | 'mysql' | 'postgres'): string {
  const quote = written[0] ?? ''
  if (quote === '$') {
    const tag = written.indexOf('$', 1) + 1
    return written.slice(tag, -tag)
  }
  const inner = written.slice(1, -1)
  const isPlain = !inner.includes(quote) && (escapes === 'none' || !inner.includes('\\'))
  if (isPlain) return inner
  if (escapes === 'none') return inner.replaceAll(quote + quote, quote)
  if (escapes === 'postgres') return withBytes(postgresText(inner.replaceAll("''", "'")))
  return inner.replace(/\\([\s\S])|''|""/g, (all, one: string | undefined) => {
    if (one !== undefined) return mysqlEscapes[one] ?? one
    return all[0] === quote ? quote : all
  })
}

/** Bytes that were written one by one are the characters that they are together. */
function withBytes(text: string): string {
  if (!isBroken(text)) return text
  const whole = decodeUtf8(rawBytes(text))
  return whole ?? text
}

const oneByOne = new TextEncoder()

/** The bytes of a text, with those that are no UTF-8 as the file has them. */
function rawBytes(text: string): Uint8Array {
  if (!isBroken(text)) return oneByOne.encode(text)
  const bytes: number[] = []
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0
    if (code >= 0xdc00 && code <= 0xdcff) bytes.push(code & 0xff)
    else bytes.push(...oneByOne.encode(sign))
  }
  return new Uint8Array(bytes)
}

/** The fields of a line of COPY; null is NULL. */
export function copyFields(line: string): (string | null)[] {
  return line.split('\t').map((field) => {
    if (field === '\\N') return null
    return field.includes('\\') ? withBytes(postgresText(field)) : field
  })
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

/** Whether the bytes of a value are those of the file, which only UTF-8 tells. */
export function isOfFile({ type }: ValueColumn, value: ScriptValue): boolean {
  if (value.kind === 'bytes') return value.isRaw === true
  return type.name === 'BLOB' && value.kind === 'text' && !isAscii(value.text)
}

/** A column as far as its values go. */
export type ValueColumn = {
  readonly name: string
  readonly type: ImportType
  readonly isNullable: boolean
  /** A number whose digits all count, which immudb has no type for. */
  readonly isDecimal: boolean
}

/** What is sent for a value, null for NULL; or why it cannot be, as the end of a sentence. */
export type ValueRead =
  | { readonly wire: WireValue | null; readonly note?: string }
  | { readonly why: string }

const zeroDate = /^0000-00-00/

/** A value of a script for a column of immudb. */
export function wireOf(column: ValueColumn, value: ScriptValue, dialect: ScriptDialect): ValueRead {
  const { type } = column
  switch (value.kind) {
    case 'null':
      return { wire: null }
    case 'boolean':
      if (type.name === 'INTEGER') return { wire: { n: value.is ? '1' : '0' } }
      return readText(column, value.is ? 'true' : 'false')
    case 'bits':
      return readBits(column, value.bits)
    case 'bytes':
      return readBytes(column, value.hex)
    case 'number':
      if (type.name === 'TIMESTAMP' && value.text !== '0') break
      // So SQLite writes the numbers beyond all others.
      if (type.name === 'FLOAT' && /^-?(1|9\.0)e\+?999$/.test(value.text)) {
        return { wire: { f: value.text.startsWith('-') ? '-Infinity' : 'Infinity' } }
      }
      // SQLite had no more than a FLOAT, of which it writes more digits than there are.
      if (column.isDecimal && dialect === 'sqlite' && /[.eE]/.test(value.text))
        return readText({ ...column, isDecimal: false }, value.text)
      return readText(column, value.text)
    case 'text':
      return column.type.name === 'BLOB'
        ? readBytea(column, value.text, dialect)
        : readText(column, value.text)
    case 'now':
      return type.name === 'TIMESTAMP'
        ? { wire: { call: 'now' } }
        : { why: `is a time of the server, which immudb puts into no ${type.name}` }
    case 'new id':
      return type.name === 'UUID'
        ? { wire: { call: 'new id' } }
        : { why: `is made by the server, and immudb puts it into no ${type.name}` }
    case 'other':
      return { why: 'must be calculated, and the console sends values alone' }
    case 'default':
      break
  }
  return { why: 'is no value that the console can send' }
}

function readText(column: ValueColumn, text: string): ValueRead {
  const { type } = column
  if (type.name === 'TIMESTAMP' && (zeroDate.test(text) || text === '0')) {
    return column.isNullable
      ? { wire: null, note: `${column.name}: the date 0000-00-00 becomes NULL.` }
      : { why: 'is the date 0000-00-00, which is no time, and the column takes no NULL' }
  }
  if (type.name === 'BLOB') return ofBytes(column, rawBytes(text))
  if (type.name === 'JSON' && text.trim() === '') return { why: 'is not JSON' }
  const read = readField(type, type.name === 'TIMESTAMP' ? withoutEra(text) : text)
  if ('why' in read) return read
  if (type.name !== 'FLOAT' || !column.isDecimal) return { wire: read.reads }
  const isExact = exactDecimal(plainDecimal(text)) === exactDecimal(String(read.reads.f ?? text))
  if (isExact) return { wire: read.reads }
  return {
    wire: read.reads,
    note: `${column.name}: FLOAT keeps ${String(read.reads.f)} of ${text.trim()}.`,
  }
}

/** The bytes that a text stands for: PostgreSQL writes `\\x00ff`, or some of them as `\\377`. */
function readBytea(column: ValueColumn, text: string, dialect: ScriptDialect): ValueRead {
  if (dialect !== 'postgres' || !text.includes('\\')) return ofBytes(column, rawBytes(text))
  const noBytes = { why: 'is not bytes as PostgreSQL writes them' }
  if (/^\\x/i.test(text)) {
    const bytes = hexToBytes(text.slice(2))
    return bytes === null ? noBytes : ofBytes(column, bytes)
  }
  const bytes: number[] = []
  for (const [one, octal, plain = ''] of text.matchAll(/\\([0-3][0-7]{2})|\\\\|([^\\]+)|\\/g)) {
    if (one === '\\') return noBytes
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else if (plain === '') bytes.push(0x5c)
    else bytes.push(...rawBytes(plain))
  }
  return ofBytes(column, new Uint8Array(bytes))
}

const plainDecimal = (text: string) =>
  text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|[eE])/, '')

/** PostgreSQL writes no blank between a time and its zone, and MySQL a T nowhere. */
const withoutEra = (text: string) => text.trim().replace(/ AD$/, '')

function readBytes(column: ValueColumn, hex: string): ValueRead {
  const bytes = hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`)
  if (bytes === null) return { why: 'is not bytes in hexadecimal digits' }
  switch (column.type.name) {
    case 'BLOB':
      return ofBytes(column, bytes)
    case 'INTEGER':
      return toWire(readField(column.type, String(BigInt(`0x${hex || '0'}`))))
    case 'BOOLEAN':
      return { wire: { b: bytes.some((byte) => byte !== 0) } }
  }
  const text = decodeUtf8(bytes)
  return text === null ? { why: 'has bytes that are no text' } : readText(column, text)
}

function ofBytes({ type }: ValueColumn, bytes: Uint8Array): ValueRead {
  if (type.length !== null && bytes.length > type.length) {
    return { why: `is longer than ${type.length} bytes` }
  }
  return { wire: { bs: bytesToBase64(bytes) } }
}

function readBits(column: ValueColumn, bits: string): ValueRead {
  if (!/^[01]*$/.test(bits)) return { why: 'is not bits' }
  const number = BigInt(`0b${bits || '0'}`)
  if (column.type.name === 'BOOLEAN') return { wire: { b: number !== 0n } }
  if (column.type.name === 'INTEGER') return toWire(readField(column.type, String(number)))
  return readText(column, bits)
}

function toWire(read: ReturnType<typeof readField>): ValueRead {
  return 'why' in read ? read : { wire: read.reads }
}

/** A value as a literal of immudb. */
export function literalOfWire(type: ImportType, wire: WireValue | null): string {
  if (wire === null) return 'NULL'
  const { b, n, f, s, ts, bs } = wire
  if (isCall(wire)) return callText(wire)
  if (b !== undefined) return b ? 'TRUE' : 'FALSE'
  if (n !== undefined) return String(n)
  if (bs !== undefined) return literalOf('BLOB', String(bs))
  if (ts !== undefined) {
    const text = formatMicroseconds(String(ts), 'utc').replace(/ UTC$/, '')
    return `CAST('${text}' AS TIMESTAMP)`
  }
  if (f !== undefined) return literalOf('FLOAT', String(f))
  return literalOf(type.name, String(s))
}
