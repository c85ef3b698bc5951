import { hasHidden } from './visible-text'

/** The cost limit for drawing one part of a long text; a plain character costs 1. */
const partCost = 16_384
/** The cost of a line, and of a mark, in plain characters. */
const lineCost = 8
const markCost = 128

/**
 * The beginning of a long text in at most `count` parts, each quick to draw. Parts end at line ends
 * where possible and never split a character. The text continues after the sum of their lengths.
 */
export function textParts(text: string, count: number): string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length && parts.length < count; ) {
    const to = partEnd(text, from)
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

/** The characters of all parts together. */
export function totalLength(parts: readonly string[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

function partEnd(text: string, from: number): number {
  let cost = 0
  let line = from
  for (let at = from; at < text.length; ) {
    const size = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
    cost += costOf(text, at, size)
    at += size
    if (text.charCodeAt(at - 1) === 0x0a) line = at
    // A line that begins late in the part goes to the next one whole.
    if (cost >= partCost) return line - from > (at - from) / 2 ? line : at
  }
  return text.length
}

function costOf(text: string, at: number, size: number): number {
  const code = text.charCodeAt(at)
  if (code === 0x0a) return lineCost
  if (code >= 0x20 && code < 0x7f) return 1
  return hasHidden(text.slice(at, at + size)) ? markCost : size
}
