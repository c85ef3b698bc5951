import { defaultValidationMessage, validationMessages } from './validation-messages'

/**
 * The sentence of a rule about a field, with its parameters filled in; a rule without a sentence
 * gets the default one. What has no value stays as it is written.
 */
export function validationMessage(
  rule: string,
  field: string,
  parameters: Readonly<Record<string, string | number>> = {},
): string {
  const sentences = new Map<string, string>(Object.entries(validationMessages))
  const values = new Map(Object.entries({ ...parameters, _field_: field }))
  const sentence = sentences.get(rule) ?? defaultValidationMessage
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values.get(name) ?? whole))
}

/** The number a text says, when it is a whole one within bounds; otherwise what is wrong. */
export function wholeNumber(
  text: string,
  field: string,
  bounds: { min: number; max: number },
): { value: number } | { error: string } {
  if (text.trim() === '') return { error: validationMessage('required', field) }
  if (!/^-?\d+$/.test(text.trim())) return { error: validationMessage('integer', field) }
  const value = Number(text)
  const isWithin = value >= bounds.min && value <= bounds.max
  return isWithin ? { value } : { error: validationMessage('between', field, bounds) }
}
