import { utf8, utf8Text, viewOf } from './bytes'
import type { JsonValue } from './facts'
import { refusalOf } from './failure'
import { isEqual } from './hash'
import { bytesTag, fixed64Tag, type ProtoField, protoFields, varintTag } from './protobuf'

export const badDocument = refusalOf('document-encoding', 'content')

/** A browser's stack must not be trusted with more. */
const deepest = 256

/**
 * Reads a `google.protobuf.Struct`, which is what a document is stored as, VERIFY.md 7.7. What the
 * messages do not have is refused, as is a field that occurs twice.
 */
export function readDocument(struct: Uint8Array, depth = 0): { [name: string]: JsonValue } {
  const entries = fieldsOf(struct, depth).map((field) => {
    const parts = fieldsOf(only(field), depth)
    const entry = new Map(parts)
    const [name, value] = [entry.get(bytesTag(1)), entry.get(bytesTag(2))]
    const known = [name, value].filter((part) => part !== undefined)
    if (known.length < parts.length) throw badDocument('entry')
    const text = name instanceof Uint8Array ? textOf(name) : ''
    return [text, value instanceof Uint8Array ? readValue(value, depth + 1) : null] as const
  })
  if (new Map(entries).size < entries.length) throw badDocument('name')
  // Unlike assignments, this makes a field of every name, `__proto__` among them.
  return Object.fromEntries(entries)
}

/** A `google.protobuf.Value`; one without a kind is null, as it is for Go. */
function readValue(message: Uint8Array, depth: number): JsonValue {
  const [field, ...others] = fieldsOf(message, depth)
  if (others.length > 0) throw badDocument('value')
  const [tag, value] = field ?? [varintTag(1), 0]
  if (tag === varintTag(1)) return null
  if (tag === varintTag(4)) return value !== 0
  if (typeof value !== 'number') {
    if (tag === fixed64Tag(2)) return viewOf(value).getFloat64(0, true)
    if (tag === bytesTag(3)) return textOf(value)
    if (tag === bytesTag(5)) return readDocument(value, depth + 1)
    if (tag === bytesTag(6)) {
      return fieldsOf(value, depth).map((each) => readValue(only(each), depth + 1))
    }
  }
  throw badDocument('value')
}

function fieldsOf(message: Uint8Array, depth: number): ProtoField[] {
  return (depth > deepest ? null : protoFields(message)) ?? refuse('message')
}

/** Bytes that are no UTF-8, which Go refuses as well, would all look alike. */
function textOf(bytes: Uint8Array): string {
  const text = utf8Text(bytes)
  return isEqual(utf8(text), bytes) ? text : refuse('text')
}

/** The content of a field with number 1, which is the only one its message has. */
function only([tag, value]: ProtoField): Uint8Array {
  return tag === bytesTag(1) && typeof value !== 'number' ? value : refuse('message')
}

function refuse(part: string): never {
  throw badDocument(part)
}
