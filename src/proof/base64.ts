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

/** Standard base64 with padding, of few bytes. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
