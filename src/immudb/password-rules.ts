import { encodeUtf8 } from '~/lib/bytes'
import { passwordByteLimit, passwordMinimum } from '~/lib/constants'

/** One condition as shown while the user types. */
export type Rule = { text: string; isMet: boolean }

/** Bytes of the text in UTF-8, which is what the server counts. */
export function byteLength(text: string): number {
  return encodeUtf8(text).length
}

/**
 * Why the server would refuse or silently change a password; undefined when it takes it unchanged.
 * Nothing is trimmed or normalised: spaces count.
 */
export function passwordProblem(password: string): string | undefined {
  if (password === '') return 'This field is required'
  if (/\p{Surrogate}/u.test(password)) return 'Contains half a character, which cannot be sent.'
  const bytes = byteLength(password)
  if (bytes <= passwordByteLimit) return undefined
  return `${bytes} bytes; immudb takes at most ${passwordByteLimit}.`
}

/** The console's rules for a good password; immudb itself has none (pkg/auth/passwords.go). */
export function passwordRules(password: string): Rule[] {
  return [
    {
      text: `${passwordMinimum} characters or more`,
      isMet: [...password].length >= passwordMinimum,
    },
    { text: 'A capital letter', isMet: /\p{Lu}/u.test(password) },
    { text: 'A small letter', isMet: /\p{Ll}/u.test(password) },
    { text: 'A digit', isMet: /\p{Nd}/u.test(password) },
    { text: 'A special character', isMet: /[\p{P}\p{S}\p{Zs}]/u.test(password) },
    {
      text: `At most ${passwordByteLimit} bytes`,
      isMet: password !== '' && byteLength(password) <= passwordByteLimit,
    },
  ]
}

export type Strength = { score: 0 | 1 | 2 | 3 | 4; word: string }

const words = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const
const bounds: readonly [number, Strength['score']][] = [
  [80, 4],
  [60, 3],
  [45, 2],
  [28, 1],
]

const alphabets: readonly (readonly [RegExp, number])[] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{Nd}/u, 10],
  [/[\p{P}\p{S}\p{Zs}]/u, 33],
  [/[^\p{Ll}\p{Lu}\p{Nd}\p{P}\p{S}\p{Zs}]/u, 100],
]

const common = /pass ?w[o0]rd|immudb|admin|qwert|letmein|welcome|secret|dragon|monkey|iloveyou/giu

/**
 * A rough estimate of how long guessing takes. Characters that follow from their neighbours, common
 * words and the user's own name hardly count.
 */
export function passwordStrength(password: string, user = ''): Strength {
  const bits = effectiveLength(password, user) * Math.log2(alphabetSize(password))
  const score = bounds.find(([least]) => bits >= least)?.[1] ?? 0
  return { score, word: words[score] }
}

function alphabetSize(password: string): number {
  const size = alphabets.reduce((sum, [kind, of]) => (kind.test(password) ? sum + of : sum), 0)
  return Math.max(2, size)
}

function effectiveLength(password: string, user: string): number {
  const lower = password.toLowerCase()
  const named = user.length > 2 ? lower.replaceAll(user.toLowerCase(), '*') : lower
  const points = [...named.replace(common, '*')].map((character) => character.codePointAt(0) ?? 0)
  return points.reduce((sum, point, at) => sum + (follows(points, at, point) ? 0.25 : 1), 0)
}

/** Repeats and runs such as `aaa`, `123` and `cba`. */
function follows(points: readonly number[], at: number, point: number): boolean {
  const before = points[at - 1]
  return before !== undefined && Math.abs(point - before) <= 1
}
