import { type ScriptDialect, signsOf } from './script-dialect'
import { lineEnd, lookAhead, type Resumed, type ScriptToken, scriptToken } from './script-tokens'

/** What a script is made of: `command` is for the client, `row` is data of the COPY before it. */
export type ScriptPartKind = 'statement' | 'command' | 'copy' | 'row'

/** A piece of a script that is judged by itself. Lines count from 1. */
export type ScriptPart = {
  readonly kind: ScriptPartKind
  /** Without comments before it and without what ends it. */
  readonly text: string
  readonly line: number
  /** Where it begins in the whole script, in UTF-16 units. */
  readonly from: number
  /** The script ends in a text, name or comment that begins in this line and is never closed. */
  readonly openLine: number | null
}

/** Characters of one statement; one with a quote that is never closed would take the whole script. */
const longestStatement = 33_554_432

/** A statement does not end; the message is a sentence. */
export class EndlessStatement extends Error {
  override readonly name = 'EndlessStatement'
}

type Reader = {
  /** The parts that end in what was read so far. */
  read(text: string): Generator<ScriptPart>
  /** The last part. */
  end(): Generator<ScriptPart>
}

/** Signs inside a statement that begin nothing and end nothing. */
const plain = /[^;'"`[#$/*-]+/y
const delimiterLine = /delimiter[ \t]+(\S+)[^\r\n]*/iy
const clientLine = /\\[^\r\n]*|\.[a-z]+\b[^\r\n]*/iy
const copyFrom = /^copy\s[\s\S]*\sfrom\s+stdin\b/i
const versionMarks = /^\/\*M?!\d*\s*|(?<=\s)\/\*M?!\d*\s*|\*\//g
const bodyWords = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|--[^\r\n]*|\b\w+\b/g
const hasBody =
  /^create\s+(?:or\s+replace\s+)?(?:definer\s*=\s*\S+\s+)?(?:temp(?:orary)?\s+)?(?:trigger|procedure|function|event)\b/i

/**
 * Splits a script that comes in pieces, cut anywhere, into its statements. It is made for what dump
 * programs write, and for what people write: comments, texts, client commands and data of COPY are
 * read as the dialect has them. It never stops at something that it does not know.
 */
export function scriptReader(dialect: ScriptDialect): Reader {
  const signs = signsOf(dialect)
  let source = ''
  /** What was dropped of the beginning. */
  let dropped = 0
  let line = 1
  /** Up to where lines are counted. */
  let counted = 0
  let at = 0
  /** Where the statement begins; -1 between two of them. */
  let start = -1
  let delimiter = ';'
  let inData = false
  let resumed: Resumed = { at: 0, depth: 0 }

  const lineOf = (offset: number) => {
    line += lineEnds(source, counted, offset)
    counted = offset
    return line
  }
  const part = (kind: ScriptPartKind, from: number, to: number): ScriptPart => {
    const found = source.slice(from, to)
    const text = kind === 'row' ? found : found.trimEnd()
    return { kind, text, line: lineOf(from), from: dropped + from, openLine: null }
  }
  const drop = () => {
    const upTo = start < 0 ? at : start
    if (upTo === 0) return
    lineOf(upTo)
    source = source.slice(upTo)
    dropped += upTo
    at -= upTo
    counted -= upTo
    resumed = { at: Math.max(0, resumed.at - upTo), depth: resumed.depth }
    if (start >= 0) start = 0
  }
  const ends = (token: string) => delimiter === ';' && token === ';'

  function* run(isEnd: boolean): Generator<ScriptPart> {
    while (at < source.length) {
      if (inData) {
        if (!dataIsWhole(isEnd)) return
        const row = dataRow()
        if (row) yield row
        continue
      }
      if (!isEnd && at + lookAhead > source.length) return
      if (start < 0 && isAtClientLine()) {
        const stop = lineEnd(source, at)
        if (stop === source.length && !isEnd) return
        yield client(stop)
        continue
      }
      if (start >= 0 && delimiter !== ';' && source.startsWith(delimiter, at)) {
        yield* finish(at, at + delimiter.length)
        continue
      }
      if (start >= 0 && delimiter === ';') {
        plain.lastIndex = at
        if (plain.test(source)) {
          at = plain.lastIndex
          continue
        }
      }
      const token = shortened(scriptToken(source, at, signs, resumed))
      // What reaches the end of what is there may go on behind it.
      if (!isEnd && token.to >= source.length) {
        const from = start < 0 ? token.from : start
        if (source.length - from > longestStatement) throw tooLong(from)
        return
      }
      resumed = { at: 0, depth: 0 }
      if (start < 0) {
        // What MySQL alone executes begins like a comment.
        const isVersion = token.kind === 'space' && source[token.from] === '/'
        const isNothing = !isVersion && (token.kind === 'space' || token.kind === 'comment')
        if (!isNothing && !ends(source.slice(token.from, token.to))) start = token.from
        if (isNothing && token.isOpen) {
          yield { ...part('statement', token.from, token.to), openLine: lineOf(token.from) }
        }
        if (start >= 0 && token.isOpen) openAt = token.from
      } else if (token.isOpen) openAt = token.from
      else if (
        token.kind === 'sign' &&
        ends(source.slice(token.from, token.to)) &&
        isWhole(token.from)
      ) {
        at = token.to
        yield* finish(token.from, token.to)
        continue
      }
      at = token.to
    }
  }

  let openAt = -1
  /** Of a statement with a body: where it begins, up to where it was looked at, what is open in it. */
  let body = { from: -1, to: 0, depth: 0 }

  /** A name takes a delimiter such as `$$` for a part of itself. */
  function shortened(token: ScriptToken): ScriptToken {
    if (delimiter === ';' || token.kind !== 'word') return token
    const cut = source.slice(token.from, token.to).indexOf(delimiter)
    return cut > 0 ? { ...token, to: token.from + cut } : token
  }

  function isAtClientLine(): boolean {
    delimiterLine.lastIndex = at
    clientLine.lastIndex = at
    const isLineStart = at === 0 || /[\s;]/.test(source.charAt(at - 1))
    return isLineStart && (delimiterLine.test(source) || clientLine.test(source))
  }

  function client(stop: number): ScriptPart {
    delimiterLine.lastIndex = at
    delimiter = delimiterLine.exec(source)?.[1] ?? delimiter
    const found = part('command', at, stop)
    at = stop
    return found
  }

  /** A body of statements ends with its END, which closes what it opened. */
  function isWhole(to: number): boolean {
    if (!/[cC/]/.test(source.charAt(start))) return true
    const from = dropped + start
    if (body.from !== from) {
      const head = source.slice(start, Math.min(to, start + 200)).replace(versionMarks, '')
      if (!hasBody.test(head)) return true
      body = { from, to: from, depth: 0 }
    }
    // Each of its statements is looked at once.
    const words = source.slice(body.to - dropped, to).match(bodyWords) ?? []
    words.forEach((word, place) => {
      const upper = word.toUpperCase()
      if (upper === 'BEGIN' || (upper === 'CASE' && words[place - 1]?.toUpperCase() !== 'END'))
        body.depth += 1
      const isOther = /^(IF|LOOP|WHILE|REPEAT)$/i.test(words[place + 1] ?? '')
      if (upper === 'END' && !isOther) body.depth -= 1
    })
    body.to = dropped + to
    return body.depth <= 0
  }

  function* finish(to: number, behind: number): Generator<ScriptPart> {
    const text = source.slice(start, to)
    const isCopy = copyFrom.test(text.slice(0, 4_096))
    const from = start
    start = -1
    at = behind
    yield part(isCopy ? 'copy' : 'statement', from, to)
    if (isCopy) {
      inData = true
      // The data begins in the next line.
      isBehindCopy = true
    }
  }

  let isBehindCopy = false

  const dataIsWhole = (isEnd: boolean) => {
    const stop = lineEnd(source, at)
    if (isEnd || stop + 1 < source.length) return true
    if (source.length - at > longestStatement) throw tooLong(at)
    return false
  }

  function dataRow(): ScriptPart | null {
    // A carriage return alone is part of no data that COPY writes.
    const stop = lineEnd(source, at)
    const behind = source.startsWith('\r\n', stop) ? stop + 2 : stop + 1
    const from = at
    const text = source.slice(from, stop)
    if (isBehindCopy) {
      isBehindCopy = false
      at = Math.min(behind, source.length)
      if (text.trim() === '') return null
    }
    at = Math.min(behind, source.length)
    if (text === '\\.') {
      inData = false
      return null
    }
    return part('row', from, stop)
  }

  const tooLong = (from: number) =>
    new EndlessStatement(
      `What begins in line ${lineOf(from)} has more than 32 million characters and no end. A quote or comment in it may never be closed.`,
    )

  return {
    *read(text) {
      source += text
      yield* run(false)
      drop()
    },
    *end() {
      yield* run(true)
      if (start < 0) return
      const found = part('statement', start, source.length)
      const isCopy = openAt < 0 && copyFrom.test(found.text.slice(0, 4_096))
      yield {
        ...found,
        kind: isCopy ? 'copy' : 'statement',
        openLine: openAt < 0 ? null : lineOf(openAt),
      }
    },
  }
}

/** Line ends of any kind between two offsets; `\r\n` that is cut counts at its feed. */
function lineEnds(source: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) {
    const code = source.charCodeAt(at)
    if (code === 0x0a || (code === 0x0d && source.charCodeAt(at + 1) !== 0x0a)) count += 1
  }
  return count
}
