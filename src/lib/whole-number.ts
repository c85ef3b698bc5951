/** The number a text says, when it is a whole one within bounds; otherwise what is wrong. */
export function wholeNumber(
  text: string,
  field: string,
  { min, max }: { min: number; max: number },
): { value: number } | { error: string } {
  if (text.trim() === '') return { error: `The ${field} field is required` }
  if (!/^-?\d+$/.test(text.trim())) return { error: `${field} must be a whole number.` }
  const value = Number(text)
  const isWithin = value >= min && value <= max
  return isWithin ? { value } : { error: `${field} must be between ${min} and ${max}.` }
}
