/** An element of an array in a JSON text, with the line in which it begins, from 1. */
export type JsonElement = { readonly line: number; readonly text: string }

/** Whether a text is one array, and not lines of JSON of which the first is one. */
export function isJsonArray(text: string): boolean {
  if (!/^\s*\[/.test(text) || !/\]\s*$/.test(text)) return false
  const [first = '', second] = text.split('\n', 200).filter((line) => line.trim() !== '')
  // A line that ends in “]” may be a whole one; behind one, there would be no other.
  return second === undefined || !isWhole(first)
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

const [quote, backslash, feed, comma] = [0x22, 0x5c, 0x0a, 0x2c]

/**
 * The elements of an array, each as it was written. It looks at brackets, quotes and commas alone:
 * an element need not be JSON, and one may be empty.
 */
export function* elementsOf(text: string): Generator<JsonElement> {
  const begin = text.indexOf('[') + 1
  const end = text.lastIndexOf(']')
  if (text.slice(begin, end).trim() === '') return
  let line = text.slice(0, begin).split('\n').length
  let [from, first, depth] = [begin, line, 0]
  let isInside = false
  let isString = false
  for (let at = begin; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === feed) line += 1
    if (isString) {
      if (code === backslash) at += 1
      else if (code === quote || code === feed) isString = false
      continue
    }
    if (!isInside && code > 0x20) {
      isInside = true
      first = line
    }
    if (code === quote) isString = true
    else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) depth = Math.max(0, depth - 1)
    else if (code === comma && depth === 0) {
      yield { line: first, text: text.slice(from, at).trim() }
      from = at + 1
      isInside = false
    }
  }
  yield { line: isInside ? first : line, text: text.slice(from, end).trim() }
}
