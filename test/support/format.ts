import { readFileSync } from 'node:fs'

/** A row of a table of FORMAT.md: a field by its path, such as `context.trusted.txId`. */
export type FormatRow = { field: string; type: string; missing: string; meaning: string }

const text = readFileSync('src/proof/FORMAT.md', 'utf8')

/** The rows of the table in the section whose heading begins with this, such as `### 2.1 `. */
export function rowsOf(heading: string): FormatRow[] {
  const from = text.indexOf(`\n${heading}`)
  if (from < 0) throw new Error(`FORMAT.md has no section ${heading}`)
  const rest = text.slice(from + 1)
  const end = rest.slice(1).search(/\n#+ /)
  const section = end < 0 ? rest : rest.slice(0, end + 1)
  const head = /\n\| (?:field|fact) \|.*\n\|---/.exec(section)
  const isFact = head?.[0].startsWith('\n| fact ')
  return [...section.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, field = '', cells = '']) => {
    const [type = '', ...others] = cells.split(' | ')
    const [missing = ''] = isFact ? [''] : others
    return { field, type, missing, meaning: others.at(-1) ?? '' }
  })
}

/** The messages of section 3.0: the type of each field, by its name. */
export const messages: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  [...text.matchAll(/^\| ([A-Z]\w+) \| (`\w+` \w.*) \|$/gm)].map(([, name = '', fields = '']) => [
    name,
    new Map(
      [...fields.matchAll(/`(\w+)` ([\w ]+)/g)].map(([, field = '', type = '']) => [field, type]),
    ),
  ]),
)

/** The message that the answers of a kind are, by the words of its section. */
export function answerOf(kind: string): string {
  const section = new RegExp(`\\n### 3\\.\\d \`${kind}\`\\n([^]*?)\\n### `).exec(text)?.[1] ?? ''
  return /Response: ([A-Z]\w+)/.exec(section)?.[1] ?? ''
}

/** The facts of a kind. */
export function factsOf(kind: string): FormatRow[] {
  const heading = new RegExp(`\\n(### 3\\.\\d \`${kind}\`)\\n`).exec(text)?.[1]
  if (!heading) throw new Error(`FORMAT.md has no kind ${kind}`)
  return rowsOf(heading)
}

/** Every kind that section 3 names. */
export const kindsInFormat: readonly string[] = [
  ...text.matchAll(/^\| (`\w+`(?:, `\w+`)?) \| .* \| 7\.[\d., ]+ \|$/gm),
].flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))

/**
 * The fields of a value that the rows do not have. What a row calls an object or a list, and has no
 * rows of its own for, may have anything in it.
 */
export function unlisted(rows: readonly FormatRow[], value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const fields = rows.map(({ field }) => field)
  const isDescribed =
    at === '' || fields.some((field) => field.startsWith(`${at}.`) || field.startsWith(`${at}[]`))
  if (!isDescribed) return []
  if (Array.isArray(value)) {
    const isWalked = fields.some((field) => field.startsWith(`${at}[]`))
    return isWalked ? value.flatMap((one) => unlisted(rows, one, `${at}[]`)) : []
  }
  const isMap = fields.some((field) => field.startsWith(`${at}.*`))
  return Object.entries(value).flatMap(([name, child]) => {
    const path = isMap ? `${at}.*` : at === '' ? name : `${at}.${name}`
    const isListed = isMap || fields.some((field) => field === path || field.startsWith(`${path}.`))
    return isListed ? unlisted(rows, child, path) : [path]
  })
}

/** Whether a value has a field by its path. */
export function hasField(value: unknown, path: string): boolean {
  const [name = '', ...rest] = path.split('.')
  if (typeof value !== 'object' || value === null) return false
  const isList = name.endsWith('[]')
  const own = isList ? name.slice(0, -2) : name
  const children =
    own === '*' ? Object.values(value) : Object.hasOwn(value, own) ? [Reflect.get(value, own)] : []
  const all = isList ? children.flatMap((child) => (Array.isArray(child) ? child : [])) : children
  return rest.length === 0 ? all.length > 0 : all.some((child) => hasField(child, rest.join('.')))
}
