/** A line of a text beside another: in both, only in the older, or only in the newer one. */
export type DiffLine = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }

/** Lines that are compared one with each other; more differ as a whole. */
const mostCompared = 1_000

/** How a text became another one, by line. */
export function lineDiff(older: string, newer: string): DiffLine[] {
  const [one, two] = [older.split('\n'), newer.split('\n')]
  let start = 0
  while (start < one.length && start < two.length && one[start] === two[start]) start += 1
  let end = 0
  const isLeft = () => end < one.length - start && end < two.length - start
  while (isLeft() && one.at(-1 - end) === two.at(-1 - end)) end += 1
  const same = (lines: readonly string[]) => lines.map((text) => ({ kind: 'same', text }) as const)
  return [
    ...same(one.slice(0, start)),
    ...middleDiff(one.slice(start, one.length - end), two.slice(start, two.length - end)),
    ...same(one.slice(one.length - end)),
  ]
}

function middleDiff(one: readonly string[], two: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (one.length > mostCompared || two.length > mostCompared) {
    return [...one.map(removed), ...two.map(added)]
  }
  const lengths = commonLengths(one, two)
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < one.length || column < two.length) {
    const [old = '', young = ''] = [one[row], two[column]]
    if (row < one.length && column < two.length && old === young) {
      lines.push({ kind: 'same', text: old })
      row += 1
      column += 1
    } else if (
      column >= two.length ||
      (row < one.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push(removed(old))
      row += 1
    } else {
      lines.push(added(young))
      column += 1
    }
  }
  return lines
}

/** Length of the longest common subsequence from each pair of lines on. */
function commonLengths(one: readonly string[], two: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(two.length + 1))
  for (let row = one.length - 1; row >= 0; row -= 1) {
    const [here, below] = [lengths[row] as Uint16Array, lengths[row + 1] as Uint16Array]
    for (let column = two.length - 1; column >= 0; column -= 1) {
      here[column] =
        one[row] === two[column]
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, here[column + 1] ?? 0)
    }
  }
  return lengths
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Where lines are no longer indented further: a text of brackets would grow with its square. */
const mostIndents = 16
const newLines = Array.from({ length: mostIndents + 1 }, (_, depth) => `\n${'  '.repeat(depth)}`)

/** A JSON text with one value on each line; its numbers and names stay as they are written. */
export function jsonLines(text: string): string {
  let depth = 0
  let lines = ''
  const newLine = () => newLines[Math.min(depth, mostIndents)] ?? ''
  const tokens: readonly string[] = text.match(token) ?? []
  tokens.forEach((one, at) => {
    const isOpening = one === '{' || one === '['
    const isClosing = one === '}' || one === ']'
    const isEmpty = isOpening && (tokens[at + 1] === '}' || tokens[at + 1] === ']')
    const closesEmpty = isClosing && (tokens[at - 1] === '{' || tokens[at - 1] === '[')
    if (isOpening) {
      depth += isEmpty ? 0 : 1
      lines += isEmpty ? one : one + newLine()
    } else if (isClosing) {
      depth -= closesEmpty ? 0 : 1
      lines += closesEmpty ? one : newLine() + one
    } else lines += one === ',' ? one + newLine() : one === ':' ? ': ' : one
  })
  return lines
}
