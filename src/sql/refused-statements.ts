import { keywordOf } from './names'
import type { Statement } from './statements'
import { meaningfulTokens, tokenize } from './tokens'

/**
 * Why a statement must not be sent, as a sentence for the operator; undefined when it may go.
 * Each case is one where immudb 1.11.1 reports success and does something else, or nothing.
 */
export function refusalOf(statement: Statement): string | undefined {
  if (statement.returning)
    return `${statement.verb} … RETURNING was not sent: this server reports success but stores nothing. Run it without RETURNING, then select the rows.`
  if (hasNul(statement.text))
    return 'The statement was not sent. It contains an invisible NUL character, and the server would run only the part before it.'
  if (statement.isBlock && hasPartialRollback(statement.text))
    return 'The transaction was not sent. This server ignores ROLLBACK TO a savepoint and would store the changes that it should undo.'
  if (statement.unfinished === 'transaction')
    return 'The transaction was not sent: BEGIN has no COMMIT or ROLLBACK behind it, so the server would drop it.'
  return undefined
}

/** A NUL ends the text for the server's parser, except inside quotes and comments. */
function hasNul(text: string): boolean {
  if (!text.includes('\0')) return false
  return tokenize(text).some((token) => token.kind === 'unreadable' && text[token.from] === '\0')
}

function hasPartialRollback(text: string): boolean {
  const tokens = meaningfulTokens(text)
  return tokens.some(
    (token, at) =>
      keywordOf(text, token) === 'ROLLBACK' && keywordOf(text, tokens[at + 1]) === 'TO',
  )
}
