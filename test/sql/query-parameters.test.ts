// @vitest-environment node
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  givenParameter,
  hasUnnamedParameter,
  linkedValues,
  linkSearch,
  noValue,
  parameterNames,
  paramsFor,
  uuidCasts,
} from '~/sql/parameter-values'
import { type QueryParameter, queryParameter } from '~/sql/query-parameters'
import { corpus } from '../support/recorded'

const given = (type: QueryParameter['type'], text: string | null, name = 'x') =>
  givenParameter({ name, type, text }, 'utc')

const sentAs = (type: QueryParameter['type'], text: string | null) => {
  const found = given(type, text)
  return 'error' in found ? found.error : found.value
}

describe('the names of a text', () => {
  test('are those of the tokenizer, in lower case, once, not in texts and comments', () => {
    const text = `SELECT @Id, '@no', "@no", @ID, @_a1 -- @no
      /* @no */ FROM t WHERE a = @select`
    expect(parameterNames(text)).toEqual(['id', '_a1', 'select'])
  })

  test('are no letters that the server does not read', () => {
    expect(parameterNames('SELECT @é, @1, @ id, a@b, @')).toEqual(['b'])
    expect(parameterNames('SELECT 1')).toEqual([])
  })

  test('tell ? and $1 apart, which have none', () => {
    expect(hasUnnamedParameter('SELECT ?')).toBe(true)
    expect(hasUnnamedParameter('SELECT $1')).toBe(true)
    expect(hasUnnamedParameter("SELECT '?', @a -- $1")).toBe(false)
    expect(parameterNames('SELECT ?, $1')).toEqual([])
  })
})

describe('a value as it is sent', () => {
  test('is exact in each type', () => {
    expect(sentAs('INTEGER', '9223372036854775807')).toEqual({ n: '9223372036854775807' })
    expect(sentAs('INTEGER', ' -9223372036854775808 ')).toEqual({ n: '-9223372036854775808' })
    expect(sentAs('FLOAT', '-0')).toEqual({ f: '-0' })
    expect(sentAs('FLOAT', 'NaN')).toEqual({ f: 'NaN' })
    expect(sentAs('FLOAT', '1.5')).toEqual({ f: 1.5 })
    expect(sentAs('BOOLEAN', 'False')).toEqual({ b: false })
    expect(sentAs('TIMESTAMP', '2024-11-21 09:00:00.123456')).toEqual({ ts: '1732179600123456' })
    expect(sentAs('UUID', '11111111-2222-3333-4444-55555555555A')).toEqual({
      s: '11111111-2222-3333-4444-55555555555a',
    })
    expect(sentAs('JSON', '{"a": 9007199254740993}')).toEqual({ s: '{"a": 9007199254740993}' })
    expect(sentAs('BLOB', '0x0001')).toEqual({ bs: 'AAE=' })
    expect(sentAs('VARCHAR', '')).toEqual({ s: '' })
    for (const type of ['INTEGER', 'VARCHAR', 'UUID'] as const)
      expect(sentAs(type, null)).toEqual({ null: null })
  })

  test('is nothing where the text is no value of its type', () => {
    expect(sentAs('INTEGER', '9223372036854775808')).toMatch(/^Write a whole number/)
    expect(sentAs('INTEGER', '1.5')).toMatch(/^Write a whole number/)
    expect(sentAs('INTEGER', ' ')).toBe(noValue)
    expect(sentAs('FLOAT', '1e400')).toMatch(/^Write a number/)
    expect(sentAs('TIMESTAMP', '2026-02-31 00:00')).toMatch(/^Write a time/)
    expect(sentAs('BOOLEAN', 'yes')).toBe('Write true or false.')
    expect(sentAs('JSON', '{')).toEqual(expect.any(String))
  })

  test.each(['sql', 'line-end', 'bidi-invisible', 'emoji', 'markup'].flatMap(corpus))(
    'keeps the text $id',
    ({ text = '' }) => {
      const found = given('VARCHAR', text)
      // A lone surrogate is no text that JSON could carry to the server.
      if ('error' in found) expect(/\p{Surrogate}/u.test(text)).toBe(true)
      else expect(found.value).toEqual({ s: text })
    },
  )
})

test('only the names of the statement are sent, and what is missing is named', () => {
  const values = [given('INTEGER', '1', 'a'), given('VARCHAR', 'x', 'b')].flatMap((one) =>
    'error' in one ? [] : [one],
  )
  expect(paramsFor('SELECT @A, @c', values)).toEqual({
    params: [{ name: 'a', value: { n: '1' } }],
    missing: ['c'],
  })
})

test('a UUID gets its type behind the name, where the statement has none', () => {
  const id = given('UUID', '11111111-2222-3333-4444-555555555555', 'u')
  const values = 'error' in id ? [] : [id]
  const text = 'SELECT @u, CAST(@u AS UUID), @U::UUID, @other'
  expect([...uuidCasts(text, values)]).toEqual([[9, '::UUID']])
})

describe('values of a link', () => {
  const of = (search: string) => [...linkedValues(new URLSearchParams(search))]

  test('are read by names that a statement can have, the first of each', () => {
    expect(of('sql=x&p.Id=1&p.id=2&p.a_b=%00%E2%80%AE')).toEqual([
      ['id', { text: '1', type: null }],
      ['a_b', { text: '\0\u202e', type: null }],
    ])
    expect(of('p.=1&p.a-b=2&p.%3Cb%3E=3&p.__proto__=4&p=5')).toEqual([
      ['__proto__', { text: '4', type: null }],
    ])
  })

  test('have the type that a link names, and NULL; anything else of it says nothing', () => {
    expect(of('p.A.as=FLOAT&p.a=1&p.n.as=NULL&p.t=x&p.t.as=NULL&p.u=1&p.u.as=%3Cb%3E')).toEqual([
      ['a', { text: '1', type: 'FLOAT' }],
      ['t', { text: 'x', type: null }],
      ['u', { text: '1', type: null }],
      ['n', { text: null, type: null }],
    ])
    expect(of('p.x.as=FLOAT&p.x.as.as=NULL&p..as=NULL&p.y.as=null')).toEqual([])
  })

  test('are read as they were written', () => {
    const values = [
      ['a', { text: '&p.b=1#\u202e', type: 'JSON' }],
      ['b', { text: '', type: null }],
      ['c', { text: null, type: null }],
    ] as const
    const search = Object.assign({}, ...values.map(([name, value]) => linkSearch(name, value)))
    expect(of(new URLSearchParams(search).toString())).toEqual(values)
  })

  test('are not more than a hundred', () => {
    const many = Array.from({ length: 150 }, (_, at) => `p.a${at}=1`).join('&')
    expect(of(many)).toHaveLength(100)
  })
})

test('what is stored holds a name, a type and a text', () => {
  const stored = { name: 'id', type: 'INTEGER', text: '1' }
  expect(v.is(queryParameter, stored)).toBe(true)
  expect(v.is(queryParameter, { ...stored, text: null })).toBe(true)
  expect(v.is(queryParameter, { ...stored, name: 'a b' })).toBe(false)
  expect(v.is(queryParameter, { ...stored, type: 'NUMBER' })).toBe(false)
})
