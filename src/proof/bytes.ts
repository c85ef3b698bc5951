/** Integers are unsigned and big-endian unless the name says otherwise: VERIFY.md section 3. */

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export function u8(value: number): Uint8Array {
  return Uint8Array.of(value)
}

export function u16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value)
}

export function u32(value: number): Uint8Array {
  return Uint8Array.of(value >> 24, value >> 16, value >> 8, value)
}

/** Also for signed integers, which become their two's complement. */
export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  viewOf(bytes).setBigUint64(0, value)
  return bytes
}

/** IEEE 754. */
export function f64(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  viewOf(bytes).setFloat64(0, value)
  return bytes
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const encoder = new TextEncoder()

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** A byte order mark belongs to the text; what is no UTF-8 becomes U+FFFD. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
