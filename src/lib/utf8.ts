const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of UTF-8 bytes, byte order mark included; null when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Controls that files have and texts have not; white space and escape are let through. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const binary = /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/

/** Whether bytes read as text: UTF-8 without the controls that only binary files have. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const text = decodeUtf8(bytes)
  return text !== null && !binary.test(text)
}

/**
 * Whether a text field can hold the bytes and give them back unchanged. Fields turn carriage
 * returns into line feeds, and what is not UTF-8 has no text at all.
 */
export function survivesTextField(bytes: Uint8Array): boolean {
  const text = decodeUtf8(bytes)
  if (text === null || text.includes('\r') || binary.test(text)) return false
  return areEqual(encodeUtf8(text), bytes)
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
