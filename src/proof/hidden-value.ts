import { bytesToBase64 } from '~/lib/bytes'
import { fromBase64 } from './kernel/bytes'
import { hash } from './kernel/hash'
import { plainValue } from './kernel/stored'

type Fields = Readonly<Record<string, unknown>>

/**
 * The answer of `/db/verifiable/get` with the hash of the stored value in place of the value. It
 * proves the same, and anyone who has the value can compare it. `verifyGet` takes it where the request
 * has `hidesValue`. An answer without a readable value becomes one that is refused.
 */
export function withHiddenValue(response: unknown): unknown {
  const answer = fieldsOf(response)
  const entry = fieldsOf(answer?.entry)
  if (!answer || !entry) return null
  const { value = '', valueHash: _, ...rest } = entry
  const stored = typeof value === 'string' ? fromBase64(value) : null
  const valueHash = stored && bytesToBase64(hash(plainValue(stored)))
  return { ...answer, entry: { ...rest, valueHash } }
}

function fieldsOf(value: unknown): Fields | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Fields) : null // every object has fields of some kind
}
