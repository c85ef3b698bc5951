/** A number in one spelling: `1.50` and `15e-1` are the same, `0` and `-0` are not. */
export function exactDecimal(number: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number)
  if (!parts) return number
  const [, sign = '', whole = '', part = '', power = '0'] = parts
  const digits = `${whole}${part}`.replace(/^0+/, '')
  const plain = digits.replace(/0+$/, '')
  if (plain === '') return `${sign}0`
  const exponent = BigInt(power) - BigInt(part.length) + BigInt(digits.length - plain.length)
  return `${sign}${plain}e${exponent}`
}
