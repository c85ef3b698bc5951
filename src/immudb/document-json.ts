export type DocumentFields = Readonly<Record<string, unknown>>

/** Where lines are no longer indented further, in characters. */
const mostIndent = 128

/**
 * A value of a document as JSON, in the way the server's answers write it: −0 keeps its sign, and
 * NaN and the infinities, which JSON lacks, are texts. All in one line, or in lines below an indent;
 * fields in their own order, or in that of their names.
 */
export function documentJson(value: unknown, indent?: string, isOrdered = false): string {
  let written = ''
  // A loop: documents may be nested deeper than calls.
  const left: (string | readonly [value: unknown, indent: string | undefined])[] = [[value, indent]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string') {
      written += next
      continue
    }
    const [whole, outer] = next
    if (typeof whole !== 'object' || whole === null) {
      written += plainJson(whole)
      continue
    }
    const isArray = Array.isArray(whole)
    const members = Object.entries(whole)
    if (isOrdered && !isArray) members.sort(([one], [two]) => (one < two ? -1 : 1))
    const hasLines = outer !== undefined && members.length > 0
    const inner = hasLines && outer.length < mostIndent ? `${outer}  ` : outer
    written += isArray ? '[' : '{'
    left.push((hasLines ? `\n${outer}` : '') + (isArray ? ']' : '}'))
    members.reverse().forEach(([name, member], at) => {
      const comma = at < members.length - 1 ? ',' : ''
      const named = isArray ? '' : JSON.stringify(name) + (hasLines ? ': ' : ':')
      left.push([member, inner], comma + (hasLines ? `\n${inner}` : '') + named)
    })
  }
  return written
}

function plainJson(value: unknown): string {
  if (Object.is(value, -0)) return '-0'
  const isOdd = typeof value === 'number' && !Number.isFinite(value)
  return isOdd ? `"${value}"` : (JSON.stringify(value) ?? 'null')
}

/** Whether a document has a number above 2^53, from where on doubles leave out whole numbers. */
export function hasLargeNumber(document: DocumentFields): boolean {
  const left: unknown[] = [document]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return true
    if (typeof value !== 'object' || value === null) continue
    for (const member of Object.values(value)) left.push(member)
  }
  return false
}
