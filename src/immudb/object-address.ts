import { messages } from '~/lib/shared-sentences'

/** A typed transaction number without separators between digits. */
export function txOf(text: string): string {
  return text.replace(/^\s*tx\b/i, '').replace(/[\s,]/g, '')
}

/** Why a text is not a transaction number. */
export function refusalOfTx(text: string): string | undefined {
  const plain = txOf(text)
  if (plain === '') return messages.required
  const isNumber = /^[1-9]\d{0,18}$/.test(plain) && BigInt(plain) < 2n ** 63n
  return isNumber ? undefined : 'This is not a transaction number.'
}

/** Why a text is not the id of a document: 1 to 32 bytes as hex digits. */
export function refusalOfDocument(text: string): string | undefined {
  const plain = text.trim()
  if (plain === '') return messages.required
  const isId = /^([0-9a-f]{2}){1,32}$/i.test(plain)
  return isId ? undefined : 'A document id consists of pairs of the digits 0–9 and a–f.'
}
