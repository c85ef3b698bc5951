import { StreamLanguage, type StringStream } from '@codemirror/language'
import { aggregateNames, atomSet, functionNames, typeSet } from './keywords'
import { commentEnd, quoteEnd, readToken, type Token } from './tokens'

/** What a line begins in the middle of. */
type State = { open: 'string' | 'quoted' | 'comment' | undefined }

const functions: ReadonlySet<string> = new Set([...functionNames, ...aggregateNames])

/**
 * immudb's SQL for the editor, read by the tokenizer that also splits and sends statements. A
 * general SQL grammar would colour text differently from how this server reads it: it nests block
 * comments, so that a statement could look like a comment and still run, and it knows e'…' and 1e5.
 */
export const immudbSql = StreamLanguage.define<State>({
  name: 'immudb-sql',
  startState: () => ({ open: undefined }),
  copyState: ({ open }) => ({ open }),
  token: (stream, state) => (state.open ? continueOpen(stream, state) : nextToken(stream, state)),
  languageData: {
    commentTokens: { line: '--', block: { open: '/*', close: '*/' } },
  },
})

const openStyles = { string: 'string', quoted: 'variableName', comment: 'comment' }

function continueOpen(stream: StringStream, state: State): string | null {
  const kind = state.open ?? 'comment'
  const end =
    kind === 'comment'
      ? commentEnd(stream.string, stream.pos)
      : quoteEnd(stream.string, stream.pos, kind === 'quoted' ? '"' : "'")
  stream.pos = end < 0 ? stream.string.length : end
  if (end >= 0) state.open = undefined
  return openStyles[kind]
}

function nextToken(stream: StringStream, state: State): string | null {
  const token = readToken(stream.string, stream.pos)
  stream.pos = token.to
  if (token.unfinished)
    state.open = token.kind === 'quoted' || token.kind === 'comment' ? token.kind : 'string'
  return styleOf(stream.string, token)
}

function styleOf(line: string, token: Token): string | null {
  const word = line.slice(token.from, token.to)
  switch (token.kind) {
    case 'keyword':
      return keywordStyle(word.toUpperCase())
    case 'identifier':
      return functions.has(word.toUpperCase()) && line[token.to] === '('
        ? 'variableName.standard'
        : null
    case 'quoted':
      return openStyles.quoted
    case 'string':
    case 'blob':
      return openStyles.string
    case 'comment':
      return openStyles.comment
    case 'number':
      return 'number'
    case 'parameter':
      return 'variableName.special'
    case 'operator':
      return 'operator'
    case 'unreadable':
      return 'invalid'
    case 'space':
    case 'semicolon':
      return null
  }
}

function keywordStyle(word: string): string {
  if (typeSet.has(word)) return 'typeName'
  if (atomSet.has(word)) return 'atom'
  return functions.has(word) ? 'variableName.standard' : 'keyword'
}
