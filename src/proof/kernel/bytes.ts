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

/** Standard base64 with padding of a hash or a key. */
export function bytesToBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

const encoder = new TextEncoder()

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

const digits = encodeUtf8('0123456789abcdef')

/** Two lower-case digits for each byte; one text for each pair would take far more memory. */
export function bytesToHex(bytes: Uint8Array): string {
  const codes = new Uint8Array(bytes.length * 2)
  for (const [at, byte] of bytes.entries()) {
    codes[2 * at] = digits[byte >> 4] ?? 0
    codes[2 * at + 1] = digits[byte & 15] ?? 0
  }
  return utf8Text(codes)
}

/** Null for what is not pairs of hex digits of either case. */
export function hexToBytes(hex: string): Uint8Array | null {
  if (hex.length % 2 === 1 || /[^0-9a-f]/i.test(hex)) return null
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  )
}
