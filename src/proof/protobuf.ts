import { viewOf } from './bytes'

/** A field of a protobuf message: an integer for varints, bytes for all else. */
export type ProtoField = { number: number; wire: number; value: bigint | Uint8Array }

export const wires = { varint: 0, fixed64: 1, bytes: 2 } as const

/** Reads a message's fields; null when the bytes are none or have a wire type nobody needs here. */
export function protoFields(message: Uint8Array): ProtoField[] | null {
  const found: ProtoField[] = []
  let at = 0
  const varint = (): bigint | null => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at]
      if (byte === undefined) return null
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    return null
  }
  const slice = (size: number): Uint8Array | null => {
    if (at + size > message.length) return null
    at += size
    return message.subarray(at - size, at)
  }
  const content = (wire: number): bigint | Uint8Array | null => {
    if (wire === wires.varint) return varint()
    if (wire === wires.fixed64) return slice(8)
    const size = wire === wires.bytes ? varint() : null
    return size === null ? null : slice(Number(size))
  }
  while (at < message.length) {
    const tag = varint()
    if (tag === null) return null
    const wire = Number(tag & 7n)
    const value = content(wire)
    if (value === null) return null
    found.push({ number: Number(tag >> 3n), wire, value })
  }
  return found
}

/** A double, which protobuf has little-endian. */
export function littleFloat(bytes: Uint8Array): number {
  return viewOf(bytes).getFloat64(0, true)
}
