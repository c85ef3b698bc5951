import { ApiError, troubleOf } from '~/api/errors'
import { systemDatabase } from '~/lib/constants'

/** Why a database of an address was not opened, as far as the answer tells causes apart. */
type WhyUnopened = 'missing' | 'permission' | 'unloaded' | 'system' | 'failed'

/** The gRPC code of an answer about something that is not there. */
const codeOfMissing = 5

export function whyUnopened(name: string, error: unknown): WhyUnopened {
  if (name === systemDatabase) return 'system'
  if (!(error instanceof ApiError)) return 'failed'
  // By its code, because the text with a very long name is cut before it says so.
  if (error.code === codeOfMissing) return 'missing'
  if (error.kind === 'permission') return 'permission'
  return troubleOf(error) === 'unloaded' ? 'unloaded' : 'failed'
}
