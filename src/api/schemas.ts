import * as v from 'valibot'

/**
 * A whole number of 64 bits. The server writes it as a decimal string and leaves it out when it is
 * zero; it stays a string to the pixel, because a JavaScript number would round it.
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

/** A token as it stands in a request header; anything else could not be sent. */
export const token = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/))

/** Text that is left out when empty. */
export const text = v.optional(v.string(), '')

/** A flag that is left out when false. */
export const flag = v.optional(v.boolean(), false)

/** A list that is left out when empty. */
export function list<S extends v.GenericSchema>(item: S) {
  return v.optional(v.array(item), [])
}

/** An answer whose content does not matter. */
export const nothing = v.object({})
