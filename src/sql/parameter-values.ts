import { type ColumnType, columnTypes } from '~/immudb/column-types'
import { valuePrefix } from '~/lib/paths'
import { readInput } from './cell-input'
import type { TimeZone } from './cells'
import { keywordOf, lowerAscii, operatorOf } from './names'
import { type Param, paramValue } from './params'
import type { QueryParameter } from './query-parameters'
import { meaningfulTokens, type Token } from './tokens'

/** Most values that a link fills in. */
const mostLinked = 100

/** What a link has for a name: null for NULL, and the type that it is read as if it says so. */
export type LinkedValue = { readonly text: string | null; readonly type: ColumnType | null }

/** In lower case, behind the prefix: `name` has the text, `name.as` the type, or NULL for no text. */
const linkedKey = /^([a-z_][a-z0-9_]*)(\.as)?$/

/**
 * The values of a link, by their names; of a name that comes twice the first. Without a type it is
 * that of the column which the text names.
 */
export function linkedValues(search: URLSearchParams): ReadonlyMap<string, LinkedValue> {
  const [texts, types] = [new Map<string, string>(), new Map<string, string>()]
  for (const [key, value] of search) {
    if (!key.startsWith(valuePrefix)) continue
    const [, name, isType] = linkedKey.exec(lowerAscii(key.slice(valuePrefix.length))) ?? []
    const values = isType ? types : texts
    if (name !== undefined && !values.has(name) && values.size < mostLinked) values.set(name, value)
  }
  const found = new Map<string, LinkedValue>()
  for (const [name, text] of texts) {
    found.set(name, { text, type: columnTypes.find((one) => one === types.get(name)) ?? null })
  }
  for (const [name, type] of types) {
    if (type === 'NULL' && !texts.has(name)) found.set(name, { text: null, type: null })
  }
  return found
}

/** The parameters of an address from which `linkedValues` reads a value. */
export function linkSearch(name: string, { text, type }: LinkedValue): Record<string, string> {
  const key = valuePrefix + name
  if (text === null) return { [`${key}.as`]: 'NULL' }
  return { [key]: text, ...(type && { [`${key}.as`]: type }) }
}

/** The names behind `@` in a text, in lower case, each once, in the order of the text. */
export function parameterNames(text: string): string[] {
  if (!text.includes('@')) return []
  const named = meaningfulTokens(text).filter((token) => isNamed(text, token))
  return [...new Set(named.map((token) => parameterName(text, token)))]
}

/** Whether a token is a `@name`; `?` and `$1` have none. */
export function isNamed(text: string, token: Token | undefined): boolean {
  return token?.kind === 'parameter' && text[token.from] === '@'
}

export function parameterName(text: string, token: Token): string {
  return lowerAscii(text.slice(token.from + 1, token.to))
}

/** Whether a text has `?` or `$1`, which the console has no values for. */
export function hasUnnamedParameter(text: string): boolean {
  if (!/[?$]/.test(text)) return false
  return meaningfulTokens(text).some((token) => token.kind === 'parameter' && !isNamed(text, token))
}

/** A value for a `@name`, and the type that it was read as. */
export type GivenParameter = Param & { readonly type: ColumnType }

/**
 * What was typed as the server gets it, or why it is no value of its type.
 * @param zone of a time that is written without one
 */
export function givenParameter(
  { name, type, text }: QueryParameter,
  zone: TimeZone,
): GivenParameter | { readonly error: string; readonly isMissing?: true } {
  if (text === null) return { name, type, value: paramValue(type, null) }
  const isText = type === 'VARCHAR' || type === 'BLOB'
  if (text.trim() === '' && !isText) return { error: noValue, isMissing: true }
  const read = readInput({ name, type, length: null }, text, 'text', zone)
  return 'error' in read ? read : { name, type, value: paramValue(type, read.value) }
}

export const noValue = 'Type a value, or choose NULL.'

/** The values that a text needs, as they are sent, and the names that have none. */
export function paramsFor(
  text: string,
  given: readonly GivenParameter[],
): { readonly params: readonly Param[]; readonly missing: readonly string[] } {
  const names = parameterNames(text)
  const known = new Map(given.map((one) => [one.name, one]))
  const params = names.flatMap((name) => {
    const found = known.get(name)
    return found ? [{ name, value: found.value }] : []
  })
  return { params, missing: names.filter((name) => !known.has(name)) }
}

/** Those of some values that a text names, in its order. */
export function givenFor(
  text: string,
  given: readonly GivenParameter[],
): readonly GivenParameter[] {
  return parameterNames(text).flatMap((name) => given.find((one) => one.name === name) ?? [])
}

/**
 * What to put behind the names that are a UUID: the server compares no text with one, and JSON has
 * only texts for it. By the UTF-16 offset in the text.
 */
export function uuidCasts(
  text: string,
  given: readonly GivenParameter[],
): ReadonlyMap<number, string> {
  const uuids = new Set(given.flatMap(({ name, type }) => (type === 'UUID' ? [name] : [])))
  const found = new Map<number, string>()
  if (uuids.size === 0) return found
  const tokens = meaningfulTokens(text)
  tokens.forEach((token, at) => {
    if (!isNamed(text, token) || !uuids.has(parameterName(text, token))) return
    const isCast =
      operatorOf(text, tokens[at + 1]) === '::' || keywordOf(text, tokens[at - 2]) === 'CAST'
    if (!isCast) found.set(token.to, '::UUID')
  })
  return found
}
