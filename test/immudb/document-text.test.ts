// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { CollectionField } from '~/immudb/collection'
import { readDocumentText, withoutField } from '~/immudb/document-text'

const fields: CollectionField[] = [
  { name: '_id', type: 'STRING' },
  { name: 'n', type: 'INTEGER' },
  { name: 'a.b', type: 'INTEGER' },
]

const read = (text: string) => readDocumentText(text, { idField: '_id', fields })
const warnings = (text: string) => {
  const found = read(text)
  return found.kind === 'document' ? found.warnings.join(' ') : found.reason
}

describe('a document as it is typed', () => {
  test('is sent as it is', () => {
    const text = '{ "n": 1.50, "x": -0, "y": 1e2, "z": [null, true] }'
    expect(read(text)).toEqual({
      kind: 'document',
      json: text,
      warnings: ['“n” is an INTEGER field. Searches by it find 1.'],
    })
  })

  test.each([
    ['9007199254740992', ''],
    ['9007199254740993', '9007199254740993 becomes 9007199254740992'],
    ['9223372036854775807', '9223372036854775807 becomes 9223372036854776000'],
    ['-9007199254740993', '-9007199254740993 becomes -9007199254740992'],
    ['0.1', ''],
    ['0.10000000000000000001', '0.10000000000000000001 becomes 0.1'],
    ['1e21', ''],
    ['1.50', ''],
    ['-0', ''],
    ['-0.0', ''],
    ['0e5', ''],
    ['5e-324', ''],
    ['1e-400', '1e-400 becomes 0'],
  ])('says what becomes of the number %s', (number, said) => {
    const found = warnings(`{"x":${number}}`)
    if (said === '') expect(found).toBe('')
    else expect(found).toContain(said)
  })

  test('says that the index of an INTEGER field holds another number', () => {
    expect(warnings('{"a":{"b":2.5}}')).toBe('“a.b” is an INTEGER field. Searches by it find 2.')
    expect(warnings('{"n":9223372036854775808}')).toContain('INTEGER field of 64 bits')
    expect(warnings('{"n":1,"b":2.5}')).toBe('')
  })

  test.each([
    ['', 'Enter a document'],
    ['[1]', 'A document is an object'],
    ['null', 'A document is an object'],
    ['{"a":1', 'This is not JSON. Line 1, column 7'],
    ['{"_id":"ff"}', 'Leave out “_id”'],
    ['{"\\u005fid":"ff"}', 'Leave out “_id”'],
    ['{"x":1e400}', '1e400 is larger than any number'],
    [`${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}`, 'nested more than 1,000'],
  ])('is refused: %s', (text, reason) => {
    const found = read(text)
    expect(found.kind).toBe('invalid')
    expect(found.kind === 'invalid' && found.reason).toContain(reason)
  })

  test.each([
    ['a long text', `{"x":"${'x'.repeat(4_193_900)}"}`, false],
    ['a longer text', `{"x":"${'x'.repeat(4_194_300)}"}`, true],
    ['a text of other letters', `{"x":"${'é'.repeat(2_100_000)}"}`, true],
    ['many numbers', `{"x":[${'1,'.repeat(400_000)}1]}`, true],
    ['fewer numbers', `{"x":[${'1,'.repeat(360_000)}1]}`, false],
  ])('says whether an answer can hold it: %s', (_what, text, isTooLarge) => {
    expect(warnings(text).includes('more than 4 MiB')).toBe(isTooLarge)
  })

  test('may have the id inside', () => {
    expect(read('{"x":{"_id":1}}').kind).toBe('document')
  })

  test('says that half characters and names that stand twice are stored otherwise', () => {
    expect(warnings('{"s":"\\ud800x"}')).toContain('U+FFFD')
    expect(warnings('{"s":"\\ud83d\\ude00"}')).toBe('')
    expect(warnings('{"a":1,"\\u0061":2}')).toBe(
      'A name stands twice in one object: “a”. Only the last is stored.',
    )
    expect(warnings('{"a":{"a":1},"b":{"a":2}}')).toBe('')
  })
})

describe('a field that is left out', () => {
  const any = () => true

  test('leaves every other digit and name as it was written', () => {
    const text = '{"_id":"ff", "n": 9007199254740993 ,"_id":1,"x":{"_id":2}}'
    expect(withoutField(text, '_id', any)).toEqual({
      text: '{"n":9007199254740993,"x":{"_id":2}}',
      field: '1',
    })
    expect(withoutField('{"a":1}', '_id', any)).toEqual({ text: '{"a":1}', field: null })
    expect(withoutField('{"_id":1}', '_id', any)).toEqual({ text: '{}', field: '1' })
    expect(withoutField('{"_id":1}', '_id', (json) => json !== '1')).toEqual({
      text: '{"_id":1}',
      field: null,
    })
  })
})
