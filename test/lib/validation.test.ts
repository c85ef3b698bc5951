// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { progressDuration, progressThrottle } from '~/lib/constants'
import {
  defaultValidationMessage,
  validationMessage,
  validationMessages,
  wholeNumber,
} from '~/lib/validation'

/** As the specification lists them. */
const rules = [
  'alpha',
  'alpha_num',
  'alpha_dash',
  'alpha_spaces',
  'between',
  'confirmed',
  'digits',
  'dimensions',
  'email',
  'excluded',
  'ext',
  'image',
  'integer',
  'length',
  'max_value',
  'max',
  'mimes',
  'min_value',
  'min',
  'numeric',
  'oneOf',
  'regex',
  'required_if',
  'required',
  'size',
  'double',
]

describe('validation messages', () => {
  test('the rules are those of the specification', () => {
    const rules =
      'alpha alpha_num alpha_dash alpha_spaces between confirmed digits dimensions email excluded ext image integer length max_value max mimes min_value min numeric oneOf regex required_if required size double'
    expect(Object.keys(validationMessages)).toEqual(rules.split(' '))
  })

  test('every rule has one, which names the field', () => {
    expect(Object.keys(validationMessages).sort()).toEqual([...rules].sort())
    for (const text of Object.values(validationMessages)) expect(text).toContain('{_field_}')
  })

  test('the default and the example of the specification', () => {
    expect(defaultValidationMessage).toBe('{_field_} is not valid.')
    expect(validationMessage('no_such_rule', 'Name')).toBe('Name is not valid.')
    expect(validationMessage('required', 'user')).toBe('The user field is required')
  })

  test('parameters are filled in, what has no value stays', () => {
    expect(validationMessage('between', 'Font size', { min: 1, max: 9 })).toBe(
      'Font size must be between 1 and 9.',
    )
    expect(validationMessage('size', 'File', { size: 12 })).toBe('File must be smaller than 12 KB.')
    expect(validationMessage('max', 'Name')).toContain('{length}')
  })

  test('names that every object has are neither rules nor parameters', () => {
    expect(validationMessage('constructor', 'Name')).toBe('Name is not valid.')
    expect(validationMessage('__proto__', '{toString}')).toBe('{toString} is not valid.')
  })
})

describe('a whole number', () => {
  const bounds = { min: 1, max: 720 }
  test.each([
    ['1', 1],
    ['720', 720],
    [' 30 ', 30],
  ])('%s', (text, value) => {
    expect(wholeNumber(text, 'Minutes', bounds)).toEqual({ value })
  })

  test.each([
    ['', 'The Minutes field is required'],
    ['  ', 'The Minutes field is required'],
    ['abc', 'Minutes must be a whole number.'],
    ['1.5', 'Minutes must be a whole number.'],
    ['1e2', 'Minutes must be a whole number.'],
    ['0x10', 'Minutes must be a whole number.'],
    ['0', 'Minutes must be between 1 and 720.'],
    ['-5', 'Minutes must be between 1 and 720.'],
    ['721', 'Minutes must be between 1 and 720.'],
    ['99999999999999999999', 'Minutes must be between 1 and 720.'],
  ])('not %s', (text, error) => {
    expect(wholeNumber(text, 'Minutes', bounds)).toEqual({ error })
  })
})

test('the progress bar keeps the specified times, which only the style sheet knows', () => {
  const css = readFileSync('src/styles/app.css', 'utf8')
  const rule = /animation: progress (\d+)s .* (\d+)ms both/.exec(css)
  expect([Number(rule?.[1]) * 1_000, Number(rule?.[2])]).toEqual([
    progressDuration,
    progressThrottle,
  ])
})
