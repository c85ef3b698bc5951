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
import {
  isNumberFormat,
  type NumberFormat,
  numberFormats,
  numberName,
  parseNumber,
  reasonAgainstNumber,
  writeNumber,
} from './number-formats'
import { parsedJson } from './parsed-json'

/** The formats in which people read and type bytes. */
export type ByteFormat = 'text' | 'json' | 'hex' | 'base64' | NumberFormat

/** Those that suit bytes of any number. */
export const byteFormats = ['text', 'json', 'hex', 'base64'] as const

/** All of them. */
export const valueFormats: readonly ByteFormat[] = [...byteFormats, ...numberFormats]

const plainNames = { text: 'Text', json: 'JSON', hex: 'Hex', base64: 'Base64' } as const

export function formatName(format: ByteFormat): string {
  return isNumberFormat(format) ? numberName(format) : plainNames[format]
}

/** All the bytes as text in a format; null when the format cannot hold them. */
export function writeBytes(bytes: Uint8Array, format: ByteFormat): string | null {
  if (isNumberFormat(format)) return writeNumber(bytes, format)
  switch (format) {
    case 'hex':
      return bytesToHex(bytes)
    case 'base64':
      return bytesToBase64(bytes)
    default:
      return decodeUtf8(bytes)
  }
}

/** Whether a text field can show the bytes in this format and return exactly the same bytes. */
export function isEditableAs(bytes: Uint8Array, format: ByteFormat): boolean {
  if (isNumberFormat(format)) return writeNumber(bytes, format) !== null
  if (format === 'hex' || format === 'base64') return true
  if (!survivesTextField(bytes)) return false
  return format === 'text' || 'bytes' in parseJson(decodeUtf8(bytes) ?? '')
}

/** Why bytes cannot be shown in a format; null when they can. */
export function reasonAgainstFormat(bytes: Uint8Array, format: ByteFormat): string | null {
  if (isNumberFormat(format)) return reasonAgainstNumber(bytes, format)
  if (format === 'hex' || format === 'base64') return null
  return decodeUtf8(bytes) === null ? 'These bytes are not UTF-8 text.' : null
}

export type Parsed = { bytes: Uint8Array<ArrayBuffer> } | { error: string }

/**
 * The bytes of a typed text. JSON is stored byte for byte as typed; the format only adds a check.
 * Text without exact bytes is an error, because nothing may change silently.
 */
export function parseBytes(text: string, format: ByteFormat): Parsed {
  if (isNumberFormat(format)) return parseNumber(text, format)
  switch (format) {
    case 'text':
      return parseText(text)
    case 'json':
      return parseJson(text)
    case 'hex': {
      const bytes = hexToBytes(text)
      return bytes ? { bytes } : { error: 'Hex consists of pairs of the digits 0–9 and a–f.' }
    }
    case 'base64':
      return parseBase64(text)
  }
}

function parseText(text: string): Parsed {
  if (/\p{Surrogate}/u.test(text)) {
    return { error: 'The text contains half a character, which has no bytes.' }
  }
  return { bytes: encodeUtf8(text) }
}

function parseJson(text: string): Parsed {
  const scan = scanJson(text)
  if (scan.kind === 'invalid') return { error: scan.reason }
  // The tree has limits; beyond them only the syntax is checked.
  if (scan.kind !== 'tree' && parsedJson(text) === undefined)
    return { error: 'This is not valid JSON.' }
  return parseText(text)
}

/** Reads both alphabets, with and without padding and line ends. */
function parseBase64(text: string): Parsed {
  const plain = text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  try {
    const bytes = Uint8Array.from(base64ToBytes(plain))
    const isWhole = bytesToBase64(bytes).replace(/=+$/, '') === plain.replace(/=+$/, '')
    if (isWhole) return { bytes }
  } catch {
    // The sentence below says so.
  }
  return { error: 'This is not complete base64.' }
}

const perLine = 16

/** Lines of 16 bytes: the offset, the bytes in hex, and the same bytes as ASCII. */
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
