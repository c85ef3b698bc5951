import { keywordOf, nameOf } from './names'
import { meaningfulTokens } from './tokens'

/** What a statement changes outside the open database. */
export type CatalogueChange = {
  readonly verb: 'CREATE' | 'ALTER' | 'DROP' | 'GRANT' | 'REVOKE'
  readonly of: 'user' | 'database'
  /** The name as the server stores it; undefined when unreadable. */
  readonly name: string | undefined
}

/**
 * What a statement changes about users, their permissions or databases. The server stores these
 * outside the open database (pkg/server/multidb_handler.go). Null for any other statement.
 */
export function catalogueChangeIn(text: string): CatalogueChange | null {
  const tokens = meaningfulTokens(text)
  const words = tokens.map((token) => keywordOf(text, token))
  const [verb, kind] = words
  if (verb === 'GRANT' || verb === 'REVOKE') {
    const at = words.lastIndexOf('USER')
    return { verb, of: 'user', name: at < 0 ? undefined : nameOf(text, tokens[at + 1]) }
  }
  if (verb !== 'CREATE' && verb !== 'ALTER' && verb !== 'DROP') return null
  if (kind !== 'USER' && kind !== 'DATABASE') return null
  const at = words[2] === 'IF' ? words.indexOf('EXISTS') + 1 : 2
  return { verb, of: kind === 'USER' ? 'user' : 'database', name: nameOf(text, tokens[at]) }
}
