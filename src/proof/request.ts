import { malformed, ProofError } from './failure'
import { anyFields, type Fields, isMissing, uint64 } from './read'

/** The request is our own: more fields in it do no harm, and small ids may be numbers. */
export function readRequest(request: unknown): Fields {
  return isMissing(request) ? {} : inRequest(() => anyFields(request, 'the request'))
}

/** A part of the request that must be there. */
export function requestPart(request: Fields, name: string): Fields {
  return inRequest(() => anyFields(request[name], name))
}

/** A transaction's id; 0 and missing say that none was asked for. */
export function optionalId(request: Fields, name: string): bigint {
  const value = request[name]
  const digits = Number.isSafeInteger(value) ? String(value) : value
  return inRequest(() => uint64({ [name]: digits }, name))
}

export function requestedId(request: Fields, name: string): bigint {
  const id = optionalId(request, name)
  return id > 0n ? id : malformed(`the request has no ${name}`, 'request')
}

/** Reads something of the request, which is then what a refusal names as the place. */
export function inRequest<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ProofError) return malformed(error.message, 'request')
    throw error
  }
}

/** @throws ProofError for a correct proof of something else than was asked for */
export function answerMismatch(message: string): ProofError {
  return new ProofError('answer-mismatch', 'request', message)
}
