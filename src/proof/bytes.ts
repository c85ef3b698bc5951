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

/** A byte order mark belongs to the text; what is no UTF-8 becomes U+FFFD. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const unknown = 64
const values = new Uint8Array(128).fill(unknown)
for (let at = 0; at < letters.length; at += 1) values[letters.charCodeAt(at)] = at

/**
 * Reads standard base64 with padding; null for everything else, such as another alphabet, missing
 * padding, or bits in the last group that no byte takes. `atob` would let these through.
 */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const count = text.length - padding
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let bits = 0
  let to = 0
  for (let at = 0; at < count; at += 1) {
    const value = values[text.charCodeAt(at)] ?? unknown
    if (value === unknown) return null
    bits = ((bits << 6) | value) & 0xffffff
    if (at % 4 === 1) bytes[to++] = bits >> 4
    else if (at % 4 === 2) bytes[to++] = bits >> 2
    else if (at % 4 === 3) bytes[to++] = bits
  }
  const spare = padding === 2 ? bits & 0xf : padding === 1 ? bits & 3 : 0
  return spare === 0 ? bytes : null
}
