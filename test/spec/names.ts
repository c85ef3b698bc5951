/** The names of the tests of one file, each behind those of the groups it stands in. */
export type TestName = { readonly groups: readonly string[]; readonly title: string }

const separator = ' › '

/** `group › title`, as Vitest prints it. */
export function fullName({ groups, title }: TestName): string {
  return [...groups, title].join(separator)
}

/** Names of a Go file: its test functions. */
export function goTestNames(source: string): TestName[] {
  return [...source.matchAll(/^func (Test\w+)\(/gm)].map(([, title = '']) => ({
    groups: [],
    title,
  }))
}

type Call = { kind: 'group' | 'test'; title: string; from: number; to: number }

/**
 * Names of a Vitest file, read from its text without running it: titles as they are written, with
 * `%s` and `${…}` in place. A title that is no literal names nothing that a row could point to.
 */
export function testNames(source: string): TestName[] {
  const code = blanked(source)
  const calls = [...code.matchAll(/(?<![\w.$])(describe|test|it)((?:\.\w+)*)/g)].flatMap((match) =>
    readCall(source, code, match.index, match[0].length, match[1] === 'describe'),
  )
  const groups = calls.filter(({ kind }) => kind === 'group')
  return calls
    .filter(({ kind }) => kind === 'test')
    .map(({ title, from }) => ({
      title,
      groups: groups
        .filter((group) => group.from < from && from < group.to)
        .map((one) => one.title),
    }))
}

function readCall(
  source: string,
  code: string,
  from: number,
  length: number,
  isGroup: boolean,
): Call[] {
  let at = skip(code, from + length)
  if (code[at] === '<') at = skip(code, closing(code, at) + 1)
  // The rows of `each` and `for` come first, then the call with the title.
  const isTable = /\.(each|for)$/.test(code.slice(from, from + length))
  if (isTable && code[at] === '(') at = skip(code, closing(code, at) + 1)
  if (code[at] !== '(') return []
  const title = literal(source, skip(code, at + 1))
  return title === null
    ? []
    : [{ kind: isGroup ? 'group' : 'test', title, from, to: closing(code, at) }]
}

function skip(code: string, at: number): number {
  let next = at
  while (/\s/.test(code[next] ?? '')) next += 1
  return next
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** Where the bracket at `from` is closed; the end of the text when it never is. */
function closing(code: string, from: number): number {
  const open = code[from] ?? ''
  const close = pairs[open]
  let depth = 0
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === open) depth += 1
    if (code[at] === close) depth -= 1
    if (depth === 0) return at
  }
  return code.length
}

/** The text of the string that begins there, or null when there is none. */
function literal(source: string, from: number): string | null {
  const quote = source[from] ?? ''
  if (!`'"\``.includes(quote) || quote === '') return null
  const end = endOfString(source, from)
  return source.slice(from + 1, end).replace(/\\(['"`\\])/g, '$1')
}

/** The text with everything inside of strings, patterns and comments turned into blanks. */
export function blanked(source: string): string {
  let code = ''
  let at = 0
  while (at < source.length) {
    const end = endOfOpaque(source, code, at)
    if (end === at) {
      code += source[at]
      at += 1
    } else {
      const inside = source.slice(at + 1, end)
      code += `"${inside.replace(/[^\n]/g, ' ')}${end < source.length ? '"' : ''}`
      at = end + 1
    }
  }
  return code
}

/** The last character of the string, comment or pattern that begins at `at`; `at` if none does. */
function endOfOpaque(source: string, before: string, at: number): number {
  const char = source[at] ?? ''
  if (`'"\``.includes(char)) return endOfString(source, at)
  if (char !== '/') return at
  if (source[at + 1] === '/') return Math.max(at + 1, lineEnd(source, at) - 1)
  if (source[at + 1] === '*') return source.indexOf('*/', at + 2) + 1
  // A slash behind a value divides; behind anything else it begins a pattern.
  const last = before.trimEnd().at(-1) ?? '('
  return /[\w)\]}"]/.test(last) ? at : endOfPattern(source, at)
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}

function endOfPattern(source: string, from: number): number {
  let isClass = false
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '[') isClass = true
    else if (source[at] === ']') isClass = false
    else if (source[at] === '/' && !isClass) return at
    else if (source[at] === '\n') return from
  }
  return from
}

function endOfString(source: string, from: number): number {
  const quote = source[from]
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === quote) return at
    else if (quote === '`' && source.startsWith('${', at)) at = endOfHole(source, at + 1)
  }
  return source.length
}

/** Where the braces of `${…}` end; what stands in them may hold strings of its own. */
function endOfHole(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at += 1) {
    const char = source[at] ?? ''
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
    if (depth === 0) return at
    if (`'"\``.includes(char)) at = endOfString(source, at)
  }
  return source.length
}
