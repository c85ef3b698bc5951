import type { Call, Place, Snippet } from './call'
import { curlSnippet } from './curl'
import { goSnippet } from './go'
import { javaSnippet } from './java'
import { nodeSnippet } from './node'
import { psqlSnippet } from './psql'
import { pythonSnippet } from './python'

type Writer = (call: Call, place: Place) => Snippet

/** Every language, in the order of its tab. */
export const languages = [
  { name: 'curl', label: 'curl', write: curlSnippet },
  { name: 'go', label: 'Go', write: goSnippet },
  { name: 'python', label: 'Python', write: pythonSnippet },
  { name: 'java', label: 'Java', write: javaSnippet },
  { name: 'node', label: 'Node', write: nodeSnippet },
  { name: 'psql', label: 'psql', write: psqlSnippet },
] as const satisfies readonly {
  readonly name: string
  readonly label: string
  readonly write: Writer
}[]

export type Language = (typeof languages)[number]['name']

/** Characters of a snippet: what is longer is no example but data. */
const longest = 60_000

/** The call in a language. */
export function snippetOf(name: Language, call: Call, place: Place): Snippet {
  const found = languages.find((language) => language.name === name) ?? languages[0]
  const isPlainRow = call.kind === 'row' && !call.isVerified
  const snippet = found.write(isPlainRow ? { ...call, kind: 'sql', isQuery: true } : call, place)
  if ('cannot' in snippet || snippet.code.length <= longest) return snippet
  return { cannot: 'Its values are too long for a snippet. Read them from a file in your program.' }
}
