import { StreamLanguage, type StringStream } from '@codemirror/language'
import { tokenStyle } from './token-style'
import { commentEnd, quoteEnd, readToken } from './tokens'

/** What is still open when a line begins. */
type State = { open: 'string' | 'quoted' | 'comment' | undefined }

/**
 * immudb's SQL for the editor, read by the tokenizer that also splits and sends statements. A
 * general SQL grammar reads text differently from this server. It nests block comments, so a
 * statement could look like a comment and still run, and it knows e'…' and 1e5.
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
  return tokenStyle(stream.string, token)
}
