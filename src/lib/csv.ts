import { formatCount } from './text'

/** How a file of separated values is written. */
export type CsvFormat = {
  /** One character. */
  readonly separator: string
  /** One character, or empty where nothing is quoted. */
  readonly quote: string
}

export type CsvRecord = {
  /** The line of the file in which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** Which fields stand in quotes; shorter than `cells` where no further one does. */
  readonly quoted: readonly boolean[]
  /** Nothing stands in its line. */
  readonly isBlank: boolean
  /** What is wrong with its quotes; null when nothing is. */
  readonly problem: string | null
}

/** Texts that other programs write for NULL. */
export const nullWords = [
  'NULL',
  'null',
  'Null',
  '\\N',
  'NA',
  'N/A',
  'n/a',
  '#N/A',
  'None',
  'nil',
  '(null)',
] as const
const words: ReadonlySet<string> = new Set(nullWords)

/**
 * A field as RFC 4180 has it. A text that would be read as NULL is quoted: an empty one, and a word
 * for NULL.
 */
export function quotedField(text: string, separator = ','): string {
  const mustQuote =
    text === '' || words.has(text) || text.includes(separator) || /["\r\n]|^\s|\s$/.test(text)
  return mustQuote ? inQuotes(text) : text
}

/** A field in quotes, each of its own written twice. */
export const inQuotes = (text: string) => `"${text.replaceAll('"', '""')}"`

export type CsvReader = {
  /** The records that this part of the text completes. */
  read(text: string): CsvRecord[]
  /** The last record, when no line end follows it. */
  end(): CsvRecord[]
  /** Characters of a record that is not complete yet. */
  held(): number
  /** The line in which that record begins. */
  line(): number
}

/**
 * Reads records from parts of a text that may be cut anywhere.
 * @param firstLine the line, from 1, in which the first record begins; lines above are not read
 */
export function csvReader(format: CsvFormat, firstLine = 1): CsvReader {
  let rest = ''
  /** A long record is looked at again only when twice as much is there, so time stays linear. */
  let needed = 0
  let line = 1
  const take = (isEnd: boolean): CsvRecord[] => {
    if (!isEnd && rest.length < needed) return []
    const records: CsvRecord[] = []
    let at = 0
    while (at < rest.length) {
      if (line < firstLine) {
        const next = nextLine(rest, at, isEnd)
        if (next === null) break
        at = next
        line += 1
        continue
      }
      const found = recordAt(rest, at, line, format, isEnd)
      if (found === null) break
      records.push(found.record)
      at = found.next
      line += found.lines
    }
    rest = rest.slice(at)
    needed = rest.length * 2
    return records
  }
  return {
    read: (text) => {
      rest += text
      return take(false)
    },
    end: () => take(true),
    held: () => rest.length,
    line: () => line,
  }
}

type Found = { record: CsvRecord; next: number; lines: number }

const lineFeed = 10
const carriageReturn = 13

/** The record that begins at an offset; null while its end is not there. */
function recordAt(
  text: string,
  start: number,
  line: number,
  { separator, quote }: CsvFormat,
  isEnd: boolean,
): Found | null {
  const [split, quoteCode] = [separator.charCodeAt(0), quote === '' ? -1 : quote.charCodeAt(0)]
  const cells: string[] = []
  let quoted: boolean[] = noneQuoted
  let problem: string | null = null
  let lines = 0
  let at = start
  for (;;) {
    let cell = ''
    let isQuoted = false
    if (text.charCodeAt(at) === quoteCode) {
      const inside = quotedAt(text, at, quote, isEnd)
      if (inside === null) return null
      cell = inside.text
      lines += lineEnds(cell)
      if (!inside.isClosed) problem ??= neverClosed(line, line + lines)
      at = inside.next
      isQuoted = true
      if (quoted === noneQuoted) quoted = []
      quoted[cells.length] = true
    }
    const from = at
    let code = text.charCodeAt(at)
    while (at < text.length && code !== split && code !== lineFeed && code !== carriageReturn) {
      at += 1
      code = text.charCodeAt(at)
    }
    if (at > from) {
      if (isQuoted) problem ??= behindQuote(line, line + lines)
      cell += text.slice(from, at)
    }
    cells.push(cell)
    if (at >= text.length && !isEnd) return null
    if (at < text.length && code === split) {
      at += 1
      continue
    }
    const next = afterLineEnd(text, at, isEnd)
    if (next === null) return null
    const isBlank = cells.length === 1 && quoted === noneQuoted && cells[0] === ''
    return { record: { line, cells, quoted, isBlank, problem }, next, lines: lines + 1 }
  }
}

/** Most records have no quotes and share this. */
const noneQuoted: boolean[] = []

function neverClosed(first: number, last: number): string {
  const rest = last > first ? ` All up to line ${formatCount(last)} is taken for one field.` : ''
  return `A quote opens here and is never closed.${rest}`
}

function behindQuote(first: number, last: number): string {
  return last > first
    ? `A quote opens here, and text stands behind the one that closes it in line ${formatCount(last)}.`
    : 'Text stands behind a closing quote.'
}

/** The offset of the next line; null while its line end is not there. */
function nextLine(text: string, start: number, isEnd: boolean): number | null {
  let at = start
  let code = text.charCodeAt(at)
  while (at < text.length && code !== lineFeed && code !== carriageReturn) {
    at += 1
    code = text.charCodeAt(at)
  }
  return at >= text.length && !isEnd ? null : afterLineEnd(text, at, isEnd)
}

/** The offset behind a line end; null while a line feed may still follow a carriage return. */
function afterLineEnd(text: string, at: number, isEnd: boolean): number | null {
  if (at >= text.length) return at
  if (text.charCodeAt(at) === lineFeed) return at + 1
  if (at + 1 >= text.length && !isEnd) return null
  return text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1
}

/** The text between quotes, with doubled ones read as one; null while its end is not there. */
function quotedAt(text: string, start: number, quote: string, isEnd: boolean) {
  let at = start + 1
  let isDoubled = false
  for (;;) {
    const close = text.indexOf(quote, at)
    // A quote at the end of what is here may be the first of two.
    if (!isEnd && (close < 0 || close + 1 >= text.length)) return null
    if (close < 0) return { text: inner(text.length), next: text.length, isClosed: false }
    if (text[close + 1] !== quote) return { text: inner(close), next: close + 1, isClosed: true }
    isDoubled = true
    at = close + 2
  }
  function inner(end: number): string {
    const found = text.slice(start + 1, end)
    return isDoubled ? found.replaceAll(quote + quote, quote) : found
  }
}

function lineEnds(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}
