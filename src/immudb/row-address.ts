import { base64ToBytes, bytesToBase64 } from '~/lib/bytes'
import { type KeyValue, toUrlSafe } from './key-address'

/** The values of a row's primary key, in the order of its columns. */
export type RowKey = readonly KeyValue[]

/**
 * A primary key in an address: each value as `kind:value` with the kinds of immudb's `SQLValue`,
 * separated by commas. Bytes are in URL-safe base64; a comma within a text is `%2C`.
 */
export function rowToAddress(key: RowKey): string {
  return key.map(partOf).join(',')
}

/** The primary key in an address; null for a text that is not one. */
export function rowFromAddress(address: string): RowKey | null {
  const parts = address.split(',').map(readPart)
  return parts.every((part) => part !== null) ? parts : null
}

function partOf(value: KeyValue): string {
  if ('n' in value) return `n:${value.n}`
  if ('ts' in value) return `ts:${value.ts}`
  if ('b' in value) return `b:${value.b}`
  if ('f' in value) return `f:${Object.is(value.f, -0) ? '-0' : value.f}`
  if ('bs' in value) return `bs:${toUrlSafe(value.bs).replace(/=+$/, '')}`
  return `s:${value.s.replaceAll('%', '%25').replaceAll(',', '%2C')}`
}

function readPart(part: string): KeyValue | null {
  const [, kind, text = ''] = /^(n|ts|b|f|bs|s):(.*)$/s.exec(part) ?? []
  switch (kind) {
    case 'n':
    case 'ts':
      return isInt64(text) ? (kind === 'n' ? { n: text } : { ts: text }) : null
    case 'b':
      return text === 'true' || text === 'false' ? { b: text === 'true' } : null
    case 'f':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? { f: Number(text) } : null
    case 'bs':
      return readBytes(text)
    case 's':
      return readText(text)
  }
  return null
}

function isInt64(text: string): boolean {
  if (!/^-?(0|[1-9]\d{0,18})$/.test(text) || text === '-0') return false
  const value = BigInt(text)
  return value === BigInt.asIntN(64, value)
}

const readText = (text: string): KeyValue => ({
  s: text.replace(/%(25|2C)/gi, (_, code: string) => (code === '25' ? '%' : ',')),
})

function readBytes(text: string): KeyValue | null {
  try {
    const bytes = base64ToBytes(text.replaceAll('-', '+').replaceAll('_', '/'))
    return { bs: bytesToBase64(bytes) }
  } catch {
    return null
  }
}
