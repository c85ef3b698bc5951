/** One line of a metrics text: a name, its labels and its value. */
export type Reading = {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

/** More readings than any immudb has. The rest of a hostile text is ignored. */
const mostReadings = 50_000
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/**
 * Reads the lines of the named families from a text in the Prometheus exposition format, version
 * 0.0.4. A text has half a megabyte, and only a few dozen lines matter, so other lines are read no
 * further than their name. Malformed lines and values that are not finite numbers are left out.
 * Label values may be any text.
 */
export function readExposition(text: string, names: ReadonlySet<string>): Reading[] {
  const readings: Reading[] = []
  let start = 0
  while (start < text.length && readings.length < mostReadings) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    const reading = readLine(text, start, end, names)
    if (reading) readings.push(reading)
    start = end + 1
  }
  return readings
}

function readLine(
  text: string,
  start: number,
  end: number,
  names: ReadonlySet<string>,
): Reading | null {
  const nameEnd = endOfName(text, start, end)
  const name = text.slice(start, nameEnd)
  if (!names.has(name)) return null
  const labels = new Map<string, string>()
  const after = text[nameEnd] === '{' ? readLabels(text, nameEnd + 1, end, labels) : nameEnd
  if (after < 0) return null
  // A time may follow the value; immudb sends none.
  const [word = ''] = text
    .slice(after, Math.min(end, after + 100))
    .trim()
    .split(/\s/, 1)
  if (!number.test(word)) return null
  const value = Number(word)
  return Number.isFinite(value) ? { name, labels, value } : null
}

/** No family of interest has a longer name. */
const longestName = 80

function endOfName(text: string, start: number, end: number): number {
  const last = Math.min(end, start + longestName)
  let at = start
  while (at < last && text[at] !== '{' && text[at] !== ' ' && text[at] !== '\t') at += 1
  return at
}

/** Reads `a="b",c="d"}` into the map; returns the place behind the brace, or -1. */
function readLabels(text: string, start: number, end: number, into: Map<string, string>): number {
  let at = start
  while (at < end) {
    at = skipSpace(text, at, end)
    if (text[at] === '}') return at + 1
    const equals = text.indexOf('=', at)
    if (equals < 0 || equals >= end) return -1
    const name = text.slice(at, equals).trim()
    const opening = skipSpace(text, equals + 1, end)
    if (!labelName.test(name) || text[opening] !== '"') return -1
    const value = readQuoted(text, opening + 1, end)
    if (value === null) return -1
    into.set(name, value.text)
    at = skipSpace(text, value.after, end)
    if (text[at] === ',') at += 1
    else if (text[at] !== '}') return -1
  }
  return -1
}

function skipSpace(text: string, start: number, end: number): number {
  let at = start
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at += 1
  return at
}

const escapes: Readonly<Record<string, string>> = { n: '\n', '\\': '\\', '"': '"' }

function readQuoted(
  text: string,
  start: number,
  end: number,
): { text: string; after: number } | null {
  const parts: string[] = []
  let from = start
  for (let at = start; at < end; at += 1) {
    if (text[at] === '"') {
      parts.push(text.slice(from, at))
      return { text: parts.join(''), after: at + 1 }
    }
    if (text[at] !== '\\') continue
    // An unknown escape stands for itself.
    parts.push(text.slice(from, at), escapes[text[at + 1] ?? ''] ?? `\\${text[at + 1] ?? ''}`)
    at += 1
    from = at + 1
  }
  return null
}
