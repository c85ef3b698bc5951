import { encodeUtf8 } from '~/lib/bytes'
import { defaultDatabase } from '~/lib/constants'
import { hasHidden } from '~/lib/visible-text'

const longestName = 128
const reserved = new Set([defaultDatabase, 'systemdb'])

/**
 * The name as the server stores it. Go lower-cases each letter by itself, so a final sigma stays a
 * plain one and a Kelvin sign becomes `k`.
 */
export function storedName(name: string): string {
  return [...name]
    .map((letter) => {
      const [lower = ''] = letter.toLowerCase()
      return lower
    })
    .join('')
}

/**
 * Why the server would refuse the name, or undefined; `taken` holds the names in use. The rules are
 * those of `isValidDBName` (pkg/server/server.go, 1.11.1), where the length is in bytes.
 */
export function nameProblem(name: string, taken: ReadonlySet<string>): string | undefined {
  const stored = storedName(name)
  const size = encodeUtf8(stored).length
  if (size === 0) return 'This field is required'
  if (size > longestName) return `A name has at most ${longestName} bytes; this one has ${size}.`
  const odd = [...stored].find((letter) => !/[\p{Ll}\p{Nd}_]/u.test(letter))
  if (odd !== undefined)
    return `${describeLetter(odd)} is not allowed. Use only letters, digits and _.`
  if (reserved.has(stored)) return 'This name is reserved by the server.'
  return taken.has(stored) ? 'A database with this name already exists.' : undefined
}

/** The code points of the characters that are not ASCII, each once, such as `а U+0430`. */
export function codePoints(name: string): string {
  const odd = new Set([...name].filter((letter) => /[^\x20-\x7e]/u.test(letter)))
  return [...odd].map(describeLetter).join(', ')
}

function describeLetter(letter: string): string {
  const code = letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  if (letter === ' ') return 'A space'
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter) && !hasHidden(letter)
    ? `${letter} (U+${code})`
    : `U+${code}`
}

/** Whether a name has characters that could be mistaken for others. */
export function isUnusualName(name: string): boolean {
  return /[^\x20-\x7e]/u.test(name)
}

/** Why no one can change, load or delete a reserved database; undefined for any other. */
export function reservedReason(name: string): string | undefined {
  return reserved.has(name)
    ? `${name} is reserved: the server does not allow this for it.`
    : undefined
}
