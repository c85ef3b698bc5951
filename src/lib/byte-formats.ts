import {
  base64ToBytes,
  bytesToBase64,
  bytesToHex,
  decodeUtf8,
  encodeUtf8,
  hexToBytes,
  survivesTextField,
} from './bytes'
import { scanJson } from './json-scan'
import { parsedJson } from './parsed-json'

/** How bytes are written for people, and read back from what people write. */
export type ByteFormat = 'text' | 'json' | 'hex' | 'base64'

export const byteFormats: readonly ByteFormat[] = ['text', 'json', 'hex', 'base64']

export const formatNames: Readonly<Record<ByteFormat, string>> = {
  text: 'Text',
  json: 'JSON',
  hex: 'Hex',
  base64: 'Base64',
}

/** The whole of the bytes in a format; null when they cannot be written in it. */
export function writeBytes(bytes: Uint8Array, format: ByteFormat): string | null {
  switch (format) {
    case 'hex':
      return bytesToHex(bytes)
    case 'base64':
      return bytesToBase64(bytes)
    default:
      return decodeUtf8(bytes)
  }
}

/** Whether a text field shows the bytes in this format and gives exactly them back. */
export function isEditableAs(bytes: Uint8Array, format: ByteFormat): boolean {
  if (format === 'hex' || format === 'base64') return true
  if (!survivesTextField(bytes)) return false
  return format === 'text' || 'bytes' in parseJson(decodeUtf8(bytes) ?? '')
}

export type Parsed = { bytes: Uint8Array<ArrayBuffer> } | { error: string }

/**
 * The bytes of what somebody typed. JSON is stored as it was typed, byte for byte; the format only
 * adds the check. Never changes anything silently: what has no exact bytes is an error.
 */
export function parseBytes(text: string, format: ByteFormat): Parsed {
  switch (format) {
    case 'text':
      return parseText(text)
    case 'json':
      return parseJson(text)
    case 'hex': {
      const bytes = hexToBytes(text)
      return bytes ? { bytes } : { error: 'Hex is pairs of the digits 0–9 and a–f.' }
    }
    case 'base64':
      return parseBase64(text)
  }
}

function parseText(text: string): Parsed {
  if (/\p{Surrogate}/u.test(text)) {
    return { error: 'The text holds half of a character, which has no bytes.' }
  }
  return { bytes: encodeUtf8(text) }
}

function parseJson(text: string): Parsed {
  const scan = scanJson(text)
  if (scan.kind === 'invalid') return { error: scan.reason }
  // Beyond the limits of the tree only the rest of the syntax is of interest.
  if (scan.kind !== 'tree' && parsedJson(text) === undefined)
    return { error: 'This is not valid JSON.' }
  return parseText(text)
}

/** Both alphabets are read, with and without padding and line ends. */
function parseBase64(text: string): Parsed {
  const plain = text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  try {
    const bytes = Uint8Array.from(base64ToBytes(plain))
    const isWhole = bytesToBase64(bytes).replace(/=+$/, '') === plain.replace(/=+$/, '')
    if (isWhole) return { bytes }
  } catch {
    // Told below, in words.
  }
  return { error: 'This is not complete base64.' }
}

const perLine = 16

/** Lines of 16 bytes: the place of the first one, the bytes, and those of them that are ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += perLine) {
    const line = bytes.subarray(at, at + perLine)
    const codes = Array.from(line, (byte) => bytesToHex(Uint8Array.of(byte))).join(' ')
    lines.push(`${at.toString(16).padStart(8, '0')}  ${codes.padEnd(perLine * 3)} ${ascii(line)}`)
  }
  return lines.join('\n')
}

function ascii(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·',
  ).join('')
}
