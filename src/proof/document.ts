import { utf8Text } from './bytes'
import type { JsonValue } from './facts'
import { ProofError } from './failure'
import { littleFloat, type ProtoField, protoFields, wires } from './protobuf'

/**
 * Reads a `google.protobuf.Struct`, which is what a document is stored as, VERIFY.md 7.7. Fields
 * that the messages do not have are refused; what occurs twice is refused too, as is a document
 * nested more deeply than a browser's stack may be trusted with.
 */
export function readDocument(struct: Uint8Array): { [name: string]: JsonValue } {
  return readStruct(struct, 0)
}

const deepest = 256

function readStruct(struct: Uint8Array, depth: number): { [name: string]: JsonValue } {
  if (depth > deepest) throw badDocument(`the document is nested more than ${deepest} times`)
  const entries = fieldsOfMessage(struct).map((field) => {
    const entry = fieldsOfMessage(only(field, 1))
    const [name, value] = [part(entry, 1), part(entry, 2)]
    if (entry.length !== Number(!!name) + Number(!!value)) throw badDocument('an entry is not one')
    const content = value ? readValue(value, depth + 1) : null
    return [name ? utf8Text(name) : '', content] as const
  })
  const names = new Set(entries.map(([name]) => name))
  if (names.size < entries.length) throw badDocument('a field occurs twice')
  // Unlike assignments, this makes a field of every name, `__proto__` among them.
  return Object.fromEntries(entries)
}

function readValue(message: Uint8Array, depth: number): JsonValue {
  const [field, ...others] = fieldsOfMessage(message)
  if (others.length > 0) throw badDocument('a value is several')
  if (!field) return null
  const { number, wire, value } = field
  const kind = number * 8 + wire
  if (typeof value === 'bigint') {
    if (kind === 1 * 8 + wires.varint) return null
    if (kind === 4 * 8 + wires.varint) return value !== 0n
    throw badDocument('a value is of no kind')
  }
  if (kind === 2 * 8 + wires.fixed64) return littleFloat(value)
  if (kind === 3 * 8 + wires.bytes) return utf8Text(value)
  if (kind === 5 * 8 + wires.bytes) return readStruct(value, depth)
  if (kind === 6 * 8 + wires.bytes) return readList(value, depth)
  throw badDocument('a value is of no kind')
}

function readList(list: Uint8Array, depth: number): JsonValue[] {
  if (depth > deepest) throw badDocument(`the document is nested more than ${deepest} times`)
  return fieldsOfMessage(list).map((field) => readValue(only(field, 1), depth + 1))
}

function fieldsOfMessage(message: Uint8Array): ProtoField[] {
  const fields = protoFields(message)
  if (!fields) throw badDocument('the document is no protobuf message')
  return fields
}

function only(field: ProtoField, number: number): Uint8Array {
  const bytes = part([field], number)
  if (!bytes) throw badDocument('a message has a field it cannot have')
  return bytes
}

/** The bytes of the field of this number; undefined when there are none. */
function part(fields: readonly ProtoField[], number: number): Uint8Array | undefined {
  const field = fields.find((each) => each.number === number && each.wire === wires.bytes)
  return field && typeof field.value !== 'bigint' ? field.value : undefined
}

export function badDocument(message: string): ProofError {
  return new ProofError('document-encoding', 'content', message)
}
