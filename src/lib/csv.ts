/** How a file of separated values is written. */
export type CsvFormat = {
  /** One character. */
  readonly separator: string
  /** One character, or empty where nothing is quoted. */
  readonly quote: string
  /** A field that is this text, without quotes, is NULL. */
  readonly nullText: string
}

export type CsvRecord = {
  /** The line of the file in which it begins, from 1. */
  readonly line: number
  readonly cells: readonly (string | null)[]
  /** Nothing stands in its line. */
  readonly isBlank: boolean
  /** What is wrong with its quotes; null when nothing is. */
  readonly problem: string | null
}

/** A field as RFC 4180 has it; an empty text is quoted, because an empty field is NULL. */
export function quotedField(text: string): string {
  const mustQuote = text === '' || /[",\r\n]|^\s|\s$/.test(text)
  return mustQuote ? `"${text.replaceAll('"', '""')}"` : text
}

export type CsvReader = {
  /** The records that this part of the text completes. */
  read(text: string): CsvRecord[]
  /** The last record, when no line end follows it. */
  end(): CsvRecord[]
  /** Characters of a record that is not complete yet. */
  held(): number
}

/** Reads records from parts of a text that may be cut anywhere. */
export function csvReader(format: CsvFormat): CsvReader {
  let rest = ''
  /** A long record is looked at again only when twice as much is there, so time stays linear. */
  let needed = 0
  let line = 1
  const take = (isEnd: boolean): CsvRecord[] => {
    if (!isEnd && rest.length < needed) return []
    const records: CsvRecord[] = []
    let at = 0
    while (at < rest.length) {
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
  { separator, quote, nullText }: CsvFormat,
  isEnd: boolean,
): Found | null {
  const [split, quoteCode] = [separator.charCodeAt(0), quote === '' ? -1 : quote.charCodeAt(0)]
  const cells: (string | null)[] = []
  let problem: string | null = null
  let isQuotedAny = false
  let lines = 0
  let at = start
  for (;;) {
    let cell = ''
    let isQuoted = false
    if (text.charCodeAt(at) === quoteCode) {
      const quoted = quotedAt(text, at, quote, isEnd)
      if (quoted === null) return null
      cell = quoted.text
      lines += lineEnds(cell)
      if (!quoted.isClosed) problem = 'A quote opens here and is never closed.'
      at = quoted.next
      isQuoted = true
      isQuotedAny = true
    }
    const from = at
    let code = text.charCodeAt(at)
    while (at < text.length && code !== split && code !== lineFeed && code !== carriageReturn) {
      at += 1
      code = text.charCodeAt(at)
    }
    if (at > from) {
      if (isQuoted) problem ??= 'Text stands behind a closing quote.'
      cell += text.slice(from, at)
    }
    cells.push(!isQuoted && cell === nullText ? null : cell)
    if (at >= text.length && !isEnd) return null
    if (at < text.length && code === split) {
      at += 1
      continue
    }
    const next = afterLineEnd(text, at, isEnd)
    if (next === null) return null
    const isBlank = cells.length === 1 && !isQuotedAny && (cells[0] ?? nullText) === ''
    return { record: { line, cells, isBlank, problem }, next, lines: lines + 1 }
  }
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
