/** A field of a protobuf message by its tag: `number * 8 + wire type`. Varints are numbers. */
export type ProtoField = readonly [tag: number, value: number | Uint8Array]

const [varintWire, fixed64Wire, bytesWire] = [0, 1, 2]

export const varintTag = (number: number) => number * 8 + varintWire
export const fixed64Tag = (number: number) => number * 8 + fixed64Wire
export const bytesTag = (number: number) => number * 8 + bytesWire

/** Reads a message's fields; null when the bytes are no message or have an unused wire type. */
export function protoFields(message: Uint8Array): ProtoField[] | null {
  const found: ProtoField[] = []
  let at = 0
  // Beyond 2⁵³ digits get lost. Such a number is still no valid length, and still not zero.
  const varint = (): number => {
    let value = 0
    for (let place = 0; place < 10; place += 1) {
      const byte = message[at++] ?? Number.NaN
      value += (byte % 128) * 128 ** place
      // The tenth byte has the last of 64 bits.
      if (byte < (place < 9 ? 128 : 2)) return value
    }
    return Number.NaN
  }
  while (at < message.length) {
    const tag = varint()
    const wire = tag % 8
    const number = wire === varintWire || wire === bytesWire ? varint() : 8
    if (wire === varintWire && number >= 0) found.push([tag, number])
    else if (wire === bytesWire || wire === fixed64Wire) {
      found.push([tag, message.subarray(at, at + number)])
      at += number
    } else return null
    // The negation also refuses NaN, for which no comparison is true.
    if (!(at <= message.length)) return null
  }
  return found
}
