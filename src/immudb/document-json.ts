export type DocumentFields = Readonly<Record<string, unknown>>

/**
 * A value of a document as JSON, in the way the server's answers write it: −0 keeps its sign, and
 * NaN and the infinities, which JSON lacks, are texts. All in one line, or in lines below an indent.
 */
export function documentJson(value: unknown, indent?: string): string {
  if (typeof value === 'number') return numberJson(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = indent === undefined ? indent : `${indent}  `
  const json = (one: unknown) => documentJson(one, inner)
  if (Array.isArray(value)) return `[${inLines(value.map(json), indent)}]`
  const named = indent === undefined ? ':' : ': '
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}${named}${json(field)}`,
  )
  return `{${inLines(fields, indent)}}`
}

function inLines(items: readonly string[], indent: string | undefined): string {
  if (indent === undefined || items.length === 0) return items.join(',')
  return `\n${indent}  ${items.join(`,\n${indent}  `)}\n${indent}`
}

function numberJson(value: number): string {
  if (Object.is(value, -0)) return '-0'
  return Number.isFinite(value) ? String(value) : `"${value}"`
}
