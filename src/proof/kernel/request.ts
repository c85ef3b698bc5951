import { anyFields, type Fields, isMissing, uint64 } from './read'
import { malformed, refusalOf, within } from './steps'

/** A correct proof of something other than requested. */
export const answerMismatch = refusalOf('answer-mismatch', 'request')

/** The request is our own: extra fields do no harm, and small ids may be numbers. */
export function readRequest(request: unknown): Fields {
  return isMissing(request) ? {} : inRequest(() => anyFields(request, 'request'))
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
  return id > 0n ? id : malformed(name, 'request')
}

/** Reads something of the request. */
export function inRequest<T>(read: () => T): T {
  return within('request', read)
}

/** @throws ProofError when another transaction was asked for than the answer is of */
export function checkAtTx(request: Fields, name: string, tx: bigint): bigint {
  const atTx = optionalId(request, name)
  if (atTx > 0n && tx !== atTx) throw answerMismatch(name)
  return atTx
}
