export const firstChecksum = 0x811c9dc5

/**
 * Continues a checksum (FNV-1a of 32 bits) that shows whether a file is still the same. It protects
 * against mistakes, not against intent.
 */
export function checksum(before: number, part: string | Uint8Array): number {
  let sum = before
  if (typeof part === 'string') {
    for (let at = 0; at < part.length; at += 1)
      sum = Math.imul(sum ^ part.charCodeAt(at), 0x01000193)
  } else {
    for (const byte of part) sum = Math.imul(sum ^ byte, 0x01000193)
  }
  return sum >>> 0
}
