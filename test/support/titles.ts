/** A test or a group of tests, with the titles of the groups that it stands in. */
export type Title = {
  readonly kind: 'group' | 'test'
  readonly title: string
  readonly groups: readonly string[]
}

/** Begins a test or a group and ends behind its title, also where `each` or `for` brings a table first. */
const opening =
  /^( *)(describe|test|it|\w+Test)(?:\.(?:each|for)\b(?:.*?|.*(?:\n(?:\1[ \])}>].*)?)*?\n\1(?=[\])}>]).*?)\)\(|(?:\.\w+)*\()\s*(['"`])((?:\\.|(?!\3).)+)\3(?=,)/gm

/**
 * Titles of a Vitest file, read from its text without running it: as they are written, with `%s`
 * and `${…}` in place. Our sources are formatted, so a group holds what is indented further.
 */
export function titlesOf(source: string): Title[] {
  const open: { readonly indent: number; readonly title: string }[] = []
  return [...source.matchAll(opening)].map(([, { length: indent } = '', word, , written = '']) => {
    const title = written.replace(/\\(['"`\\])/g, '$1')
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const groups = open.map((group) => group.title)
    if (word !== 'describe') return { kind: 'test', title, groups }
    open.push({ indent, title })
    return { kind: 'group', title, groups }
  })
}
