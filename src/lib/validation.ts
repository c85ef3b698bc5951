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

/**
 * The English sentence of every validation rule, as data; `{…}` are filled in by
 * `validationMessage`. The code of a rule exists only where the console uses it.
 */
export const validationMessages = {
  alpha: '{_field_} may contain only letters.',
  alpha_num: '{_field_} may contain only letters and digits.',
  alpha_dash: '{_field_} may contain only letters, digits, dashes and underscores.',
  alpha_spaces: '{_field_} may contain only letters and spaces.',
  between: '{_field_} must be between {min} and {max}.',
  confirmed: '{_field_} does not match {target}.',
  digits: '{_field_} must have exactly {length} digits.',
  dimensions: '{_field_} must be {width} by {height} pixels.',
  email: '{_field_} must be an e-mail address.',
  excluded: '{_field_} has a value that is not allowed.',
  ext: '{_field_} must be a file of an allowed type.',
  image: '{_field_} must be an image.',
  integer: '{_field_} must be a whole number.',
  length: '{_field_} must be {length} long.',
  max_value: '{_field_} must be {max} or less.',
  max: '{_field_} may not be longer than {length} characters.',
  mimes: '{_field_} must be a file of an allowed type.',
  min_value: '{_field_} must be {min} or more.',
  min: '{_field_} must be at least {length} characters long.',
  numeric: '{_field_} may contain only digits.',
  oneOf: '{_field_} is not one of the allowed values.',
  regex: '{_field_} does not have the right form.',
  required_if: 'The {_field_} field is required',
  required: 'The {_field_} field is required',
  size: '{_field_} must be smaller than {size} KB.',
  double: '{_field_} must be a number with decimals.',
} as const

/** For rules without a sentence of their own. */
export const defaultValidationMessage = '{_field_} is not valid.'
