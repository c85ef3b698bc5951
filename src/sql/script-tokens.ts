import type { ScriptSigns } from './script-dialect'

export type ScriptTokenKind =
  | 'word'
  /** A name in quotes of any kind. */
  | 'name'
  | 'text'
  /** Bytes in hexadecimal digits. */
  | 'bytes'
  | 'number'
  | 'sign'
  | 'comment'
  | 'space'
  | 'unreadable'

/** A piece of a script. Offsets are UTF-16, `to` is exclusive. */
export type ScriptToken = {
  readonly kind: ScriptTokenKind
  readonly from: number
  readonly to: number
  /** The text ended before what closes it. */
  readonly isOpen?: true
}

/** What only more of the script can tell. */
export const cutOff = -1

const word = /[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*/uy
const plainWord = /[A-Za-z_][A-Za-z0-9_]*/y
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const hexBytes = /0x[\da-fA-F]+/y
const spaces = /[\s\ufeff]+/y
const dollar = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y
/** What MySQL executes of what others take for a comment. */
const version = /\/\*M?!\d*/y
const signs = /::|->>?|<>|<=>?|>=|!=|\|\||:=|&&|[-+*/%=<>(),.;:!~^&|?@{}[\]\\]/y

function end(pattern: RegExp, source: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(source) ? pattern.lastIndex : cutOff
}

/** Signs that a token may look at behind itself before it is sure where it ends. */
export const lookAhead = 80

/** Where the search for the end of a token goes on, once more of the script is there. */
export type Resumed = { at: number; depth: number }

/**
 * The token that begins at an offset inside the text. One that is not closed takes the rest.
 * @param resumed where the search for its end goes on, and where it stopped
 */
export function scriptToken(
  source: string,
  from: number,
  of: ScriptSigns,
  resumed?: Resumed,
): ScriptToken {
  const code = source.charCodeAt(from)
  switch (code) {
    case 0x27: {
      const before = source.charCodeAt(from - 1) | 0x20
      const isEscaped =
        of.hasBackslashes ||
        (of.hasDollars && before === 0x65 && !isWordSign(source.charCodeAt(from - 2)))
      return closed('text', from, textEnd(source, from, "'", isEscaped, resumed), source)
    }
    case 0x22: {
      const kind = of.hasDoubleTexts ? 'text' : 'name'
      return closed(kind, from, textEnd(source, from, '"', of.hasBackslashes, resumed), source)
    }
    case 0x60:
      return closed('name', from, textEnd(source, from, '`', false, resumed), source)
    case 0x5b: {
      if (!of.hasBrackets || /[\d\]]/.test(source.charAt(from + 1))) break
      const at = source.indexOf(']', from)
      return closed('name', from, at < 0 ? cutOff : at + 1, source)
    }
    case 0x24: {
      if (!of.hasDollars || isWordSign(source.charCodeAt(from - 1))) break
      const opened = end(dollar, source, from)
      if (opened === cutOff) break
      const tag = source.slice(from, opened)
      const at = source.indexOf(tag, Math.max(opened, (resumed?.at ?? 0) - tag.length))
      if (at < 0 && resumed) resumed.at = source.length
      return closed('text', from, at < 0 ? cutOff : at + tag.length, source)
    }
    case 0x23:
      if (of.hasHashes) return { kind: 'comment', from, to: lineEnd(source, from) }
      break
    case 0x2d: {
      const isComment =
        source.charCodeAt(from + 1) === 0x2d &&
        (!of.hasHashes || !(source.charCodeAt(from + 2) > 0x20))
      if (isComment) return { kind: 'comment', from, to: lineEnd(source, from) }
      break
    }
    case 0x2f: {
      if (source.charCodeAt(from + 1) !== 0x2a) break
      const opened = of.hasHashes ? end(version, source, from) : cutOff
      if (opened !== cutOff) return { kind: 'space', from, to: opened }
      return closed('comment', from, commentEnd(source, from, of.nests, resumed), source)
    }
    case 0x2a:
      // What closes a version comment, whose content is part of the script.
      if (of.hasHashes && source.charCodeAt(from + 1) === 0x2f) {
        return { kind: 'space', from, to: from + 2 }
      }
      break
  }
  return plainToken(source, from, code, resumed)
}

function plainToken(source: string, from: number, code: number, resumed?: Resumed): ScriptToken {
  if (code <= 0x20 || code === 0xa0 || code === 0xfeff) {
    const to = end(spaces, source, from)
    if (to !== cutOff) return { kind: 'space', from, to }
  }
  if (isDigit(code) || (code === 0x2e && isDigit(source.charCodeAt(from + 1)))) {
    const hex = code === 0x30 ? end(hexBytes, source, from) : cutOff
    if (hex !== cutOff) return { kind: 'bytes', from, to: hex }
    return { kind: 'number', from, to: end(number, source, from) }
  }
  const isBytes = (code | 0x20) === 0x78 && source.charCodeAt(from + 1) === 0x27
  if (isBytes) return closed('bytes', from, textEnd(source, from + 1, "'", false, resumed), source)
  const to = code < 0x80 ? end(plainWord, source, from) : cutOff
  const isPlain = to !== cutOff && !(source.charCodeAt(to) >= 0x80) && source[to] !== '$'
  const behind = isPlain ? to : end(word, source, from)
  if (behind !== cutOff) return { kind: 'word', from, to: behind }
  const sign = end(signs, source, from)
  if (sign !== cutOff) return { kind: 'sign', from, to: sign }
  return { kind: 'unreadable', from, to: from + 1 }
}

function closed(kind: ScriptTokenKind, from: number, to: number, source: string): ScriptToken {
  return to === cutOff ? { kind, from, to: source.length, isOpen: true } : { kind, from, to }
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

const isWordSign = (code: number) =>
  isDigit(code) ||
  code === 0x24 ||
  code === 0x5f ||
  code >= 0x80 ||
  ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)

/** Behind the quote that closes a text whose opening quote is at `from`. */
function textEnd(
  source: string,
  from: number,
  quote: string,
  isEscaped: boolean,
  resumed?: Resumed,
): number {
  const found = isEscaped ? (quote === '"' ? doubleOrEscape : quoteOrEscape) : null
  let at = Math.max(from + 1, resumed?.at ?? 0)
  for (;;) {
    let close: number
    if (found === null) close = source.indexOf(quote, at)
    else {
      found.lastIndex = at
      close = found.exec(source)?.index ?? cutOff
    }
    if (close < 0 || (source[close] === '\\' && close + 1 >= source.length)) {
      if (resumed) resumed.at = close < 0 ? source.length : close
      return cutOff
    }
    if (source[close] === quote && source[close + 1] !== quote) return close + 1
    at = close + 2
  }
}

const quoteOrEscape = /['\\]/g
const doubleOrEscape = /["\\]/g
const commentMark = /\/\*|\*\//g
const lineMark = /[\r\n]/g

function commentEnd(source: string, from: number, nests: boolean, resumed?: Resumed): number {
  let depth = resumed?.depth ?? 0
  commentMark.lastIndex = Math.max(from + 2, resumed?.at ?? 0)
  for (;;) {
    const mark = commentMark.exec(source)
    if (mark === null) break
    const isClose = mark[0] === '*/'
    if (isClose && depth === 0) return mark.index + 2
    if (isClose) depth -= 1
    else if (nests) depth += 1
    // Both marks may share a sign: `/*/`.
    else commentMark.lastIndex = mark.index + 1
    if (resumed) Object.assign(resumed, { at: commentMark.lastIndex, depth })
  }
  if (resumed) resumed.at = Math.max(resumed.at, from + 2, source.length - 1)
  return cutOff
}

/** Where the line that an offset is in ends, before its end sign. */
export function lineEnd(source: string, from: number): number {
  lineMark.lastIndex = from
  return lineMark.exec(source)?.index ?? source.length
}
