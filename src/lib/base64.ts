/** Standard base64 with padding of the text's UTF-8 bytes, as the server expects names and passwords. */
export function textToBase64(text: string): string {
  return bytesToBase64(new TextEncoder().encode(text))
}

/** Reads base64 of UTF-8 text; throws `TypeError` or `InvalidCharacterError` when it is neither. */
export function base64ToText(base64: string): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(base64ToBytes(base64))
}

export function bytesToBase64(bytes: Uint8Array): string {
  const slice = 0x8000
  let binary = ''
  // One call with a spread of all bytes overflows the stack beyond about 100 kB.
  for (let at = 0; at < bytes.length; at += slice) {
    binary += String.fromCharCode(...bytes.subarray(at, at + slice))
  }
  return btoa(binary)
}

/** Throws `InvalidCharacterError` when the text is not base64. */
export function base64ToBytes(base64: string): Uint8Array {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}
