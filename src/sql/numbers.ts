import { isTrivia, type Token, tokenize } from './tokens'

/** A number that the server reads as another number. Offsets are UTF-16. */
export type NumberWarning = { readonly from: number; readonly to: number; readonly message: string }

const maxInteger = 2n ** 63n - 1n
const maxReadable = 2n ** 64n - 1n

/**
 * Number literals that immudb 1.11.1 takes without complaint and reads differently: integers beyond
 * 64 bits wrap around, and exponents, hexadecimal digits and separators become a column alias.
 */
export function checkNumbers(source: string): NumberWarning[] {
  if (!/\d[A-Za-z_]|\d{19}/.test(source)) return []
  const tokens = tokenize(source)
  const warnings: NumberWarning[] = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'number') return
    const warning = tailWarning(source, token, tokens[at + 1]) ?? rangeWarning(source, tokens, at)
    if (warning) warnings.push(warning)
  })
  return warnings
}

/** 1e5, 0x10 and 1_000 are a number and a name to the server. */
function tailWarning(
  source: string,
  token: Token,
  next: Token | undefined,
): NumberWarning | undefined {
  if (!next || (next.kind !== 'identifier' && next.kind !== 'keyword')) return undefined
  const typed = source.slice(token.from, next.to)
  const read = source.slice(token.from, token.to)
  return {
    from: token.from,
    to: next.to,
    message: `The server reads ${typed} as the number ${read} followed by the name ${source.slice(next.from, next.to)}. Write the digits in full.`,
  }
}

function rangeWarning(
  source: string,
  tokens: readonly Token[],
  at: number,
): NumberWarning | undefined {
  const token = tokens[at]
  const digits = token ? source.slice(token.from, token.to) : ''
  if (!token || !/^0*\d{19,20}$/.test(digits)) return undefined
  const value = BigInt(digits)
  // Beyond 64 bits without a sign the server refuses the literal by itself.
  if (value <= maxInteger || value > maxReadable) return undefined
  // The smallest integer is written as a minus in front of a literal that is one too large.
  if (value === maxInteger + 1n && hasSign(source, tokens, at)) return undefined
  const read = BigInt.asIntN(64, value)
  return {
    from: token.from,
    to: token.to,
    message: `${digits} is beyond 64 bits: the server reads it as ${read}.`,
  }
}

/** Whether a minus in front is a sign and no subtraction. */
function hasSign(source: string, tokens: readonly Token[], at: number): boolean {
  const signAt = previous(tokens, at)
  const sign = tokens[signAt]
  if (!sign || source.slice(sign.from, sign.to) !== '-') return false
  const left = tokens[previous(tokens, signAt)]
  if (!left) return true
  const text = source.slice(left.from, left.to)
  return left.kind === 'keyword' || (left.kind === 'operator' && text !== ')' && text !== ']')
}

function previous(tokens: readonly Token[], at: number): number {
  let index = at - 1
  for (let token = tokens[index]; token && isTrivia(token); token = tokens[index]) index--
  return index
}
