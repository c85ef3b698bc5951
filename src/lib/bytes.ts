const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of UTF-8 bytes, byte order mark included; null when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

const encoder = new TextEncoder()

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Control characters of binary files; white space and escape are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const binary = /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/

/** Whether bytes read as text: UTF-8 without the controls that only binary files have. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const text = decodeUtf8(bytes)
  return text !== null && !binary.test(text)
}

/**
 * Whether a text field can hold the bytes and return them unchanged. Fields turn carriage returns
 * into line feeds, and bytes that are not UTF-8 have no text.
 */
export function survivesTextField(bytes: Uint8Array): boolean {
  const text = decodeUtf8(bytes)
  if (text === null || text.includes('\r') || binary.test(text)) return false
  return areEqual(encodeUtf8(text), bytes)
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** Standard base64 with padding of the text's UTF-8 bytes, as the server expects names and passwords. */
export function textToBase64(text: string): string {
  return bytesToBase64(encodeUtf8(text))
}

/**
 * Reads base64 of UTF-8 text. Throws `InvalidCharacterError` for other than base64, `TypeError` for
 * other than UTF-8.
 */
export function base64ToText(base64: string): string {
  return strict.decode(base64ToBytes(base64))
}

/** Standard base64 with padding. Bytes are given as a list, because a spread takes four times as long. */
export function bytesToBase64(bytes: Uint8Array): string {
  const slice = 0x8000
  let binary = ''
  // One call with all bytes overflows the stack beyond about 100 kB.
  for (let at = 0; at < bytes.length; at += slice) {
    binary += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + slice))
  }
  return btoa(binary)
}

/** Whether a text is standard base64 with padding, so that everything behind may decode it. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

/** Throws `InvalidCharacterError` when the text is not base64. */
export function base64ToBytes(base64: string): Uint8Array {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** The codes of the sixteen digits, in their order. */
const digitCodes = encodeUtf8('0123456789abcdef')

/** Two lower-case digits for each byte, without anything between them. */
export function bytesToHex(bytes: Uint8Array): string {
  const codes = new Uint8Array(bytes.length * 2)
  let at = 0
  // Texts of two digits each would take ten times as long for megabytes, and far more memory.
  for (const byte of bytes) {
    codes[at++] = digitCodes[byte >> 4] ?? 0
    codes[at++] = digitCodes[byte & 15] ?? 0
  }
  return strict.decode(codes)
}

/** The digits of bytes in base64; throws when it is not base64. */
export function base64ToHex(base64: string): string {
  return bytesToHex(base64ToBytes(base64))
}

/** The digits of a hash in base64, to be shown; empty when it is not base64. */
export function hexOf(base64: string): string {
  try {
    return base64ToHex(base64)
  } catch {
    return ''
  }
}

/** Reads hex digits of either case, with white space between them; null when they are not that. */
export function hexToBytes(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = text.replace(/\s/g, '')
  if (plain.length % 2 === 1 || /[^0-9a-f]/i.test(plain)) return null
  const bytes = new Uint8Array(plain.length / 2)
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(plain.slice(at * 2, at * 2 + 2), 16)
  }
  return bytes
}

/** Hex digits as base64; empty for what is not hex digits. */
export function base64Of(hexDigits: string): string {
  return bytesToBase64(hexToBytes(hexDigits) ?? new Uint8Array())
}
