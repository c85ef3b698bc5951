import * as v from 'valibot'
import { isBase64 } from '~/lib/bytes'

/**
 * A whole number of 64 bits. The server writes it as a decimal string and leaves it out when it is
 * zero; it stays a string until it is drawn, because a JavaScript number would round it.
 */
export const int64 = v.optional(
  v.union([
    v.pipe(v.string(), v.regex(/^-?\d{1,20}$/)),
    v.pipe(
      v.number(),
      v.check((value) => Number.isSafeInteger(value)),
      v.transform(String),
    ),
  ]),
  '0',
)

/** A number that is never zero, such as a transaction id, so the server never leaves it out. */
export const id = v.pipe(v.string(), v.regex(/^[1-9]\d{0,19}$/))

/** Standard base64 with padding, left out when empty. */
export const base64 = v.optional(v.pipe(v.string(), v.check(isBase64)), '')

/** The same of what is never empty. */
export const filledBase64 = v.pipe(v.string(), v.regex(/./), v.check(isBase64))

/** How many there are of something, left out when zero. */
export const count = v.optional(
  v.pipe(
    v.number(),
    v.check((value) => Number.isSafeInteger(value) && value >= 0),
  ),
  0,
)

/** A token that a request header can carry. */
export const token = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/))

/** Text that is never empty, so the server never leaves it out. */
export const filled = v.pipe(v.string(), v.regex(/./s))

/** Text that the server leaves out when empty. */
export const text = v.optional(v.string(), '')

/** A flag that the server leaves out when false. */
export const flag = v.optional(v.boolean(), false)

/** An object, which a list is not: `v.object` alone takes `[]` for one without fields. */
export function object<E extends v.ObjectEntries>(entries: E) {
  return v.pipe(v.unknown(), v.check(isRecord), v.object(entries))
}

/** Whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list that the server leaves out when empty. */
export function list<S extends v.GenericSchema>(item: S) {
  return v.optional(v.array(item), [])
}

/**
 * An answer that consists of one list; `{}` means an empty list, anything else without the list is
 * an error.
 */
export function listAnswer<S extends v.GenericSchema>(name: string, item: S) {
  const found = (answer: unknown) =>
    isEmpty(answer) ? [] : isRecord(answer) ? answer[name] : undefined
  return v.pipe(v.unknown(), v.transform(found), v.array(item))
}

/** A list that is never empty, so the server never leaves it out. */
export function filledList<S extends v.GenericSchema>(item: S) {
  return v.pipe(
    v.array(item),
    v.check((found) => found.length > 0),
  )
}

/** The empty answer `{}` of a call; anything else is not from immudb. */
export const nothing = v.pipe(v.unknown(), v.check(isEmpty))

/** An answer that is `{}` when there is nothing to tell, which becomes null. */
export function orNothing<S extends v.GenericSchema>(answer: S) {
  const none = v.pipe(
    nothing,
    v.transform(() => null),
  )
  return v.union([none, answer])
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0
}
