// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cellLeaves,
  entryLeaves,
  fieldLeaves,
  fieldValue,
  sentFieldLeaves,
} from '~/proof/proven-leaves'
import {
  booleanValue,
  bytesValue,
  type Content,
  compareShown,
  doubleType,
  jsonValue,
  type Leaf,
  type Match,
  matchOf,
  nothing,
  nullValue,
  numberValue,
  objectLeaf,
  passedBy,
  type Shown,
  textValue,
  type Value,
} from '~/proof/shown'

const typed = (type: string, value: Value): Value => ({ ...value, type })
const float = (of: string | number) => typed('FLOAT', numberValue(of))
const double = (of: string | number) => typed(doubleType, numberValue(of))
const time = (of: string) => typed('TIMESTAMP', numberValue(of))
const integer = (of: string) => typed('INTEGER', numberValue(of))
const varchar = (of: string) => typed('VARCHAR', textValue(of))
const json = (of: string) => typed('JSON', jsonValue(of))

describe('a value is the same as another only if nothing of it differs', () => {
  test.each<[string, Value, Value, Match]>([
    ['digits that are those of a text', textValue('9999'), bytesValue('9999'), 'differs'],
    ['a text that has the digits of bytes', bytesValue('39393939'), textValue('9999'), 'differs'],
    ['a text and its own bytes', textValue('a'), bytesValue('61'), 'differs'],
    ['bytes that are not UTF-8', bytesValue('ff'), bytesValue('fe'), 'differs'],
    ['bytes and a byte more', bytesValue('ff'), bytesValue('ff00'), 'differs'],
    [
      'what stands for such bytes',
      varchar('\ufffd'),
      typed('VARCHAR', bytesValue('ff')),
      'replaced',
    ],
    ['as much as Go writes of them', textValue('\ufffd\ufffd'), bytesValue('f09f'), 'replaced'],
    ['other text around them', textValue('a\ufffd'), bytesValue('62ff'), 'differs'],
    ['what stands for UTF-8', textValue('\ufffd'), bytesValue('efbfbd'), 'differs'],
    ['no text and bytes that are not UTF-8', textValue(''), bytesValue('ff'), 'differs'],
    ['a letter and its parts', textValue('\u00e9'), textValue('e\u0301'), 'differs'],
    ['a mark of the byte order', textValue('\ufeffa'), textValue('a'), 'differs'],
    ['white space at the end', textValue('a '), textValue('a'), 'differs'],
    ['the next whole number', integer('9007199254740993'), integer('9007199254740992'), 'differs'],
    ['the last of many digits', float('0.1'), float('0.10000000000000002'), 'differs'],
    [
      'digits that no double has',
      float('0.1000000000000000055511151231257827'),
      float('0.1'),
      'differs',
    ],
    ['the sign of zero', float('0'), float(-0), 'differs'],
    ['the sign of zero, shown', float(-0), float('0'), 'differs'],
    ['the sign of zero in a document', double('0'), double(-0), 'differs'],
    ['the sign of zero, typed', double('-0.0'), double(0), 'differs'],
    ['no number and a text that says so', textValue('NaN'), double(Number.NaN), 'replaced'],
    ['no number and zero', float(0), float(Number.NaN), 'differs'],
    ['the other infinity', float('-Infinity'), float('Infinity'), 'differs'],
    ['a number beyond a double', float('1e999'), float('Infinity'), 'differs'],
    ['a microsecond', time('1700000000000001'), time('1700000000000000'), 'differs'],
    ['a number as a moment', time('10'), integer('10'), 'differs'],
    ['a text as a number', textValue('1'), numberValue('1'), 'differs'],
    ['a text as yes or no', textValue('true'), booleanValue(true), 'differs'],
    ['yes and no', booleanValue(true), booleanValue(false), 'differs'],
    ['NULL and nothing', nullValue, nothing, 'differs'],
    ['nothing and NULL', nothing, nullValue, 'differs'],
    ['NULL and an empty text', textValue(''), nullValue, 'differs'],
    ['an empty text and nothing', textValue(''), nothing, 'differs'],
    ['no bytes and nothing', bytesValue(''), nothing, 'differs'],
    ['NULL and its name', textValue('NULL'), nullValue, 'differs'],
    ['NULL and null of JSON', nullValue, json('null'), 'differs'],
    ['a text and JSON of it', varchar('{}'), jsonValue('{}'), 'differs'],
    ['a name of JSON twice', json('{"a":2}'), json('{"a":1,"a":2}'), 'unclear'],
    ['another order of names', json('{"a":1,"b":2}'), json('{"b":2,"a":1}'), 'reordered'],
    ['a rounded number', json('[9007199254740992]'), json('[9007199254740993]'), 'rounded'],
  ])('%s', (_what, shown, proven, expected) => expect(matchOf(shown, proven)).toBe(expected))

  test.each<[string, Value]>([
    ['nothing', nothing],
    ['NULL', nullValue],
    ['an empty text', textValue('')],
    ['no bytes', bytesValue('')],
    ['bytes that are not UTF-8', bytesValue('ff00fe')],
    ['no number', float(Number.NaN)],
    ['minus zero', float(-0)],
    ['a whole number', integer('-9223372036854775808')],
    ['JSON', json('{"a":1,"a":2}')],
  ])('%s equals itself', (_what, value) => expect(matchOf(value, { ...value })).toBe('same'))

  test('a time has passed up to an hour before or after the clock that decides', () => {
    const at = passedBy(1_700_000_000)
    expect(matchOf(at, numberValue('1600000000'))).toBe('same')
    expect(matchOf(at, numberValue('1900000000'))).toBe('differs')
    expect(matchOf(at, nothing)).toBe('differs')
  })
})

describe('numbers of documents', () => {
  test.each([
    ['9007199254740993', 9007199254740992, 'rounded'],
    ['0.1000000000000000055511151231257827', 0.1, 'rounded'],
    ['1.50', 1.5, 'same'],
    ['15E-1', 1.5, 'same'],
    ['1e21', 1e21, 'same'],
    ['5e-324', 5e-324, 'same'],
    ['1e-400', 0, 'rounded'],
    ['-0', -0, 'same'],
    ['-0', 0, 'differs'],
    ['0', -0, 'differs'],
    ['9007199254740993', 9007199254740994, 'differs'],
  ] as const)('typed as %s and stored as %s', (digits, stored, expected) => {
    for (const [sent, proven] of [
      [`{"n":${digits}}`, { n: stored }],
      [`{"n":{"in":[true,${digits}]}}`, { n: { in: [true, stored] } }],
    ] as const) {
      const [leaf] = sentFieldLeaves(sent)
      expect(matchOf(leaf?.value ?? nothing, fieldValue(proven.n))).toBe(expected)
    }
  })

  test('next to one that is rounded are compared all the same', () => {
    const [sent] = sentFieldLeaves('{"n":[9007199254740993,1,"9007199254740993"]}')
    const to = (stored: unknown) => matchOf(sent?.value ?? nothing, fieldValue(stored))
    expect(to([9007199254740992, 1, '9007199254740993'])).toBe('rounded')
    expect(to([9007199254740992, 2, '9007199254740993'])).toBe('differs')
    expect(to([9007199254740992, 1, '9007199254740992'])).toBe('differs')
    expect(to([9007199254740992, 1, '9007199254740993', null])).toBe('differs')
  })
})

describe('a document beside the proven one', () => {
  const proof = (document: object): Content => ({
    leaves: fieldLeaves({ ...document }),
    whole: ['field'],
  })
  const matches = (shown: string, proven: object) =>
    compareShown({ leaves: fieldLeaves(JSON.parse(shown)), whole: ['field'] }, proof(proven)).map(
      ({ name, match }) => [name, match],
    )

  test('has texts in the place of numbers that JSON lacks', () => {
    const proven = { a: Number.NaN, b: [Number.NEGATIVE_INFINITY], c: -0, d: 'NaN' }
    expect(matches('{"a":"NaN","b":["-Infinity"],"c":-0,"d":"NaN"}', proven)).toEqual([
      ['a', 'replaced'],
      ['b', 'replaced'],
      ['c', 'same'],
      ['d', 'same'],
    ])
    expect(matches('{"b":["Infinity"]}', { b: [Number.NEGATIVE_INFINITY] })).toEqual([
      ['b', 'differs'],
    ])
    expect(matches('{"b":["NaN",1]}', { b: [Number.NaN, 2] })).toEqual([['b', 'differs']])
  })

  test.each([
    ['another sign of zero', '{"a":0}', { a: -0 }],
    ['another sign of zero inside', '{"a":[0]}', { a: [-0] }],
    ['another type', '{"a":"1"}', { a: 1 }],
    ['another type inside', '{"a":["1"]}', { a: [1] }],
    ['a missing field', '{}', { a: 1 }],
    ['a missing field with null', '{}', { a: null }],
    ['a field too many', '{"a":1}', {}],
    ['a field with null too many', '{"a":null}', {}],
    ['an empty text for null', '{"a":""}', { a: null }],
    ['a list for an object', '{"a":[]}', { a: {} }],
    ['a text that is JSON', '{"a":"[1]"}', { a: [1] }],
    ['a name that objects inherit', '{"__proto__":{}}', {}],
    ['another name that objects inherit', '{"constructor":1}', {}],
    ['a name that objects inherit, not shown', '{}', JSON.parse('{"__proto__":{}}')],
  ])('%s differs', (_what, shown, proven) => {
    const compared = compareShown(
      { leaves: fieldLeaves(JSON.parse(shown)), whole: ['field'] },
      { leaves: fieldLeaves(proven), whole: ['field'] },
    )
    expect(compared.map(({ match }) => match)).toEqual(['differs'])
  })

  test('has no order of fields, but lists have one', () => {
    expect(matches('{"a":{"x":1,"y":[1,2]}}', { a: { y: [1, 2], x: 1 } })).toEqual([['a', 'same']])
    expect(matches('{"a":[1,2]}', { a: [2, 1] })).toEqual([['a', 'differs']])
  })

  test('is compared at any depth', () => {
    const nested = (inside: string) => `{"a":${'['.repeat(50_000)}${inside}${']'.repeat(50_000)}}`
    const document = JSON.parse(nested('1'))
    expect(matches(nested('1'), document)).toEqual([['a', 'same']])
    expect(matches(nested('2'), document)).toEqual([['a', 'differs']])
  })

  test('is compared where one of its texts is as large as an answer may be', () => {
    const text = '\\"'.repeat(1_000_000)
    const document = JSON.parse(`{"a":["${text}"]}`)
    expect(matches(`{"a":["${text}x"]}`, document)).toEqual([['a', 'differs']])
  })

  test('that is deleted is compared as such', () => {
    const of = (isDeleted: boolean) => objectLeaf('the deletion', booleanValue(isDeleted))
    const match = (shown: boolean, proven: boolean) =>
      compareShown({ leaves: [of(shown)], whole: [] }, { leaves: [of(proven)], whole: ['field'] })
    expect(match(true, true)).toMatchObject([{ match: 'same' }])
    expect(match(true, false)).toMatchObject([{ name: 'the deletion', match: 'differs' }])
    expect(match(false, true)).toMatchObject([{ match: 'differs' }])
  })

  test('that was sent has U+FFFD for half characters, and every name that was sent', () => {
    const sent = '{"\\ud800":"a\\udc00","__proto__":[{"10":1,"9":2}],"😀":{"\\ud800":1}}'
    const stored = '{"😀":{"\ufffd":1},"__proto__":[{"9":2,"10":1}],"\ufffd":"a\ufffd"}'
    const compared = compareShown(
      { leaves: sentFieldLeaves(sent), whole: ['field'] },
      proof(JSON.parse(stored)),
    )
    expect(compared.map(({ match }) => match)).toEqual(['same', 'same', 'same'])
  })
})

describe('JSON of SQL is the stored one only in every digit and in the order of its names', () => {
  test.each([
    ['white space', '{"a": 1}', '{"a":1}'],
    ['all digits of a number', '{"n":9007199254740993}', '{ "n": 9007199254740993 }'],
    ['spellings of a number', '[1.5,100000,-0]', '[1.50,1E5,-0.0]'],
    ['escapes', '["\\u003ca\\u003e\\u0026\\u2028\\b/é"]', '["<a>&\\u2028\\u0008\\/é"]'],
    ['a name twice, written alike', '{"a":1,"a":2}', '{"a":1,"a":2}'],
  ])('%s: the same', (_what, shown, stored) => {
    expect(matchOf(json(shown), json(stored))).toBe('same')
  })

  // As Go's encoding/json writes what it read.
  test.each<[string, string, Match]>([
    ['{"a":1.5,"b":[1,2]}', '{ "b": [1, 2], "a": 1.50 }', 'reordered'],
    ['{"b":1,"a":1}', '{"a": 1, "b": 1}', 'reordered'],
    ['[{"x":1,"y":2}]', '[{"y":2,"x":1}]', 'reordered'],
    [
      '{"":6,"10":3,"9":4,"__proto__":5,"￿":2,"😀":1}',
      '{"😀":1,"￿":2,"10":3,"9":4,"__proto__":5,"":6}',
      'reordered',
    ],
    [
      '{"a":-0,"b":-0,"c":100000,"d":1e+21,"e":100000000000000000000,"f":0.000001,"g":1e-7,"h":1.2345678901234568e+29,"i":5e-324}',
      '{"b": -0, "a": -0.0, "c": 1E5, "d":1e21, "e":1e20, "f":0.000001, "g":0.0000001, "h":123456789012345678901234567890, "i":5e-324}',
      'rounded',
    ],
    ['9007199254740992', '9007199254740993', 'rounded'],
    ['12345678901234567000', '12345678901234567890', 'rounded'],
    ['0.1', '0.1000000000000000055511151231257827', 'rounded'],
    ['-0', '-1e-999', 'rounded'],
    ['["é\ufffdx"]', '["é\\ud800x"]', 'replaced'],
    ['{"\ufffd":"\\\\ud800"}', '{"\\udc00":"\\\\ud800"}', 'replaced'],
    ['["\ufffd",9007199254740992]', '["\\ud800",9007199254740993]', 'rounded'],
  ])('%s', (shown, stored, expected) => {
    expect(matchOf(json(shown), json(stored))).toBe(expected)
  })

  test.each([
    ['a list in another order', '{"a":[2,1]}', '{"a":[1,2]}'],
    ['another number beyond a double', '{"a":1e999}', '{"a":null}'],
    ['one of two such numbers', '{"a":1e999}', '{"a":-2e999}'],
    ['a number that rounds to the stored one', '9007199254740993', '9007199254740992'],
    ['all digits of the double', '0.1000000000000000055511151231257827', '0.1'],
    ['digits that a double drops', '{"a":0.1}', '{"a":0.10000000000000002}'],
    ['the sign of zero', '[0]', '[-0]'],
    ['one more field of the same name', '{"role":"admin","role":"user"}', '{"role":"user"}'],
    ['one more field, in another order', '{"b":1,"a":1,"a":2}', '{"b":1,"a":2}'],
    ['a text for a number', '{"a":"1"}', '{"a":1}'],
    ['a text for another letter', '["a"]', '["\\u0062"]'],
    ['a text for half a character', '["x"]', '["\\ud800"]'],
    ['a name that objects inherit', '{"__proto__":1}', '{}'],
    ['no JSON', '{', '{}'],
    ['no JSON stored', '{}', '{'],
  ])('%s differs', (_what, shown, stored) => {
    expect(matchOf(json(shown), json(stored))).toBe('differs')
  })

  test.each([
    ['repeated names in what is stored', '{"a":2}', '{"a":1,"a":2}'],
    ['more depth than can be compared', nested(20_000, ' '), nested(20_000, '')],
  ])('cannot be compared: %s', (_what, shown, stored) => {
    expect(matchOf(json(shown), json(stored))).toBe('unclear')
  })

  test('repeated names do not hide other content', () => {
    expect(matchOf(json('{"a":3}'), json('{"a":1,"a":2}'))).toBe('differs')
  })
})

describe('content beside what is proven', () => {
  const cells = (...names: readonly string[]) =>
    names.map((name): Leaf => ({ group: 'column', name, value: textValue(name) }))
  const compared = (shown: Shown, proven: Content) =>
    compareShown(shown, proven).map(({ name, value, proven: is, match }) => [
      name,
      value.of,
      is?.of ?? null,
      match,
    ])

  test('is not covered where the proof does not know all of its kind', () => {
    const shown = { leaves: cells('a', 'b'), whole: [] }
    expect(compared(shown, { leaves: cells('a'), whole: [] })).toEqual([
      ['a', 'a', 'a', 'same'],
      ['b', 'b', null, 'uncovered'],
    ])
  })

  test('differs where the proof knows all of its kind, and it is not there', () => {
    const shown = { leaves: cells('b'), whole: [] }
    expect(compared(shown, { leaves: cells('a'), whole: ['column'] })).toEqual([
      ['b', 'b', '', 'differs'],
    ])
  })

  test('differs where more is proven than is shown as a whole', () => {
    const proven: Content = { leaves: cells('a', 'b'), whole: ['column'] }
    expect(compared({ leaves: cells('a'), whole: [] }, proven)).toEqual([['a', 'a', 'a', 'same']])
    expect(compared({ leaves: cells('a'), whole: ['column'] }, proven)).toEqual([
      ['a', 'a', 'a', 'same'],
      ['b', '', 'b', 'differs'],
    ])
  })

  test('is named where a server put something where nothing was sent', () => {
    const proven: Content = { leaves: cells('a', 'b'), whole: ['column'] }
    expect(compared({ leaves: cells('a'), whole: [], rest: ['column'] }, proven)).toEqual([
      ['a', 'a', 'a', 'same'],
      ['b', '', 'b', 'uncovered'],
    ])
  })

  test('of one kind does not stand for that of another', () => {
    const field: Leaf = { group: 'field', name: 'a', value: textValue('a') }
    const proven: Content = { leaves: [...cells('a'), field], whole: ['column', 'field'] }
    expect(compared({ leaves: cells('a'), whole: ['field'] }, proven)).toEqual([
      ['a', 'a', 'a', 'same'],
      ['a', '', 'a', 'differs'],
    ])
  })

  test('that is shown twice is compared twice', () => {
    const [a] = cells('a')
    if (!a) throw new Error('no leaf')
    const twice = [a, { ...a, value: textValue('b') }]
    const proven: Content = { leaves: [a], whole: ['column'] }
    expect(compared({ leaves: twice, whole: [] }, proven)).toEqual([
      ['a', 'a', 'a', 'same'],
      ['a', 'b', 'a', 'differs'],
    ])
  })

  test('has NULL where a row has a column without a cell', () => {
    const proven: Content = { leaves: cellLeaves({ a: null }), whole: ['column'] }
    const of = (value: Value): Shown => {
      return { leaves: [{ group: 'column', name: 'a', value }], whole: ['column'] }
    }
    expect(compareShown(of(nullValue), proven)).toMatchObject([{ match: 'same' }])
    expect(compareShown(of(varchar('')), proven)).toMatchObject([{ match: 'differs' }])
    // It may have been added since.
    expect(compareShown({ leaves: [], whole: ['column'] }, proven)).toEqual([])
  })

  test('has no entry that the transaction lacks, and each in its place', () => {
    const meta = { deleted: false, expiresAt: null, nonIndexable: false }
    const entry = (key: string, at: number | null, more: Partial<typeof meta> = {}) =>
      entryLeaves({ key, meta: { ...meta, ...more }, valueHash: '00' }, at)
    const proven: Content = { leaves: [...entry('aa', 0), ...entry('bb', 1)], whole: ['entry'] }
    const differing = (leaves: readonly Leaf[], whole: Shown['whole'] = ['entry']) =>
      compareShown({ leaves, whole }, proven).flatMap(({ name, match }) =>
        match === 'same' ? [] : [[name, match]],
      )
    expect(differing([...entry('bb', 1), ...entry('aa', 0)])).toEqual([])
    expect(differing([...entry('aa', 1), ...entry('bb', 0)])).toEqual([
      ['aa place', 'differs'],
      ['bb place', 'differs'],
    ])
    expect(differing(entry('aa', null), [])).toEqual([])
    expect(differing(entry('aa', 0))).toHaveLength(4)
    expect(differing([...entry('aa', 0), ...entry('bb', 1, { deleted: true })])).toEqual([
      ['bb deleted', 'differs'],
    ])
    expect(differing(entry('cc', null), [])).toEqual(
      ['digest', 'deleted', 'expires', 'indexed'].flatMap((part) =>
        // What does not expire is said to do so nowhere.
        part === 'expires' ? [] : [[`cc ${part}`, 'differs']],
      ),
    )
  })
})

function nested(depth: number, inside: string): string {
  return `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`
}

describe('for any two values', () => {
  const scalar = fc.constantFrom(
    ...['', '0', '-0', '-0.0', '00', '1', '1.0', '10e-1', '0.1', '0.10000000000000001', '1e999'],
    ...['9007199254740993', '9007199254740992', 'NaN', 'Infinity', '-Infinity', '9999', '39', '9'],
    ...['true', 'null', 'NULL', 'ff', '\ufffd', 'efbfbd', 'é', 'e\u0301', '"1"', '[1]', '[1.0]'],
  )
  const kind = fc.constantFrom(
    ...(['nothing', 'null', 'bytes', 'text', 'number', 'boolean', 'json'] as const),
  )
  const type = fc.constantFrom(undefined, 'INTEGER', 'FLOAT', 'VARCHAR', 'JSON', doubleType)
  const plain = fc
    .tuple(kind, scalar, type)
    .map(([is, of, of2]): Value => (of2 === undefined ? { is, of } : { is, of, type: of2 }))

  test('the same are only those that are equal', () => {
    fc.assert(
      fc.property(plain, plain, (shown, proven) => {
        if (matchOf(shown, proven) === 'same') expect(areEqual(shown, proven)).toBe(true)
      }),
      { numRuns: 20_000 },
    )
  })

  test('JSON is the same only if every name, text and digit is, and then it is', () => {
    fc.assert(
      fc.property(jsonPair, ([shown, proven]) => {
        const isEqual = areEqual(json(shown), json(proven))
        expect([matchOf(json(shown), json(proven)) === 'same', shown, proven]).toEqual([
          isEqual,
          shown,
          proven,
        ])
      }),
      { numRuns: 5_000 },
    )
  })

  test('a document that was sent is the same only if every text and digit is stored', () => {
    fc.assert(
      fc.property(jsonPair, ([sent, stored]) => {
        const [leaf] = sentFieldLeaves(`{"a":${sent}}`)
        const match = matchOf(leaf?.value ?? nothing, fieldValue(JSON.parse(stored)))
        if (match !== 'same') return
        expect(canonical(sent, { isSorted: true })).toBe(
          canonical(stored, { isSorted: true, isOfDoubles: true }),
        )
      }),
      { numRuns: 5_000 },
    )
  })
})

/** What equal means, by other means than those that are tested. */
function areEqual(one: Value, other: Value): boolean {
  const isRetyped = one.type !== undefined && other.type !== undefined && one.type !== other.type
  if (one.is !== other.is || isRetyped) return false
  if (one.of === other.of) return true
  const isDouble = other.type === doubleType
  if (one.is === 'number' && isDouble) return fraction(one.of) === fraction(other.of)
  if (one.is !== 'json') return false
  try {
    return canonical(one.of) === canonical(other.of)
  } catch {
    return false
  }
}

/** A number as its digits and the power of ten behind them, by counting on from place to place. */
function fraction(number: string): string {
  const [, sign, whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  if (sign === undefined) return number
  let digits = BigInt(whole + part)
  let exponent = Number(power) - part.length
  while (digits !== 0n && digits % 10n === 0n) {
    digits /= 10n
    exponent += 1
  }
  return digits === 0n ? `${sign}0` : `${sign}${digits}*10^${exponent}`
}

/**
 * JSON letter by letter, with its texts and numbers in one spelling and its names in their order, or
 * sorted; `isOfDoubles`: with each number as the double that is nearest to it.
 */
function canonical(text: string, { isSorted = false, isOfDoubles = false } = {}): string {
  let at = 0
  const space = () => {
    while (/\s/.test(text[at] ?? '')) at += 1
  }
  const take = (letter: string) => {
    space()
    if (text[at] !== letter) return false
    at += 1
    return true
  }
  const string = (): string => {
    const from = at
    at += 1
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at += 1
    return JSON.stringify(JSON.parse(text.slice(from, at)))
  }
  const list = (end: string, member: () => string, isOrdered: boolean): string => {
    const members: string[] = []
    if (take(end)) return end
    do members.push(member())
    while (take(','))
    if (!take(end)) throw new Error(`no ${end} at ${at}`)
    return `${(isOrdered ? members : members.sort()).join()}${end}`
  }
  const value = (): string => {
    space()
    if (take('[')) return `[${list(']', value, true)}`
    if (take('{')) return `{${list('}', named, !isSorted)}`
    if (text[at] === '"') return string()
    const [token = ''] = /^(true|false|null|-?\d[\d.eE+-]*)/.exec(text.slice(at)) ?? []
    if (token === '') throw new Error(`no value at ${at}`)
    at += token.length
    if (!/\d/.test(token)) return token
    const double = Number(token)
    const nearest = Object.is(double, -0) ? '-0' : String(double)
    return fraction(isOfDoubles ? nearest : token)
  }
  const named = (): string => {
    space()
    const name = string()
    if (!take(':')) throw new Error(`no colon at ${at}`)
    return `${name}:${value()}`
  }
  const whole = value()
  space()
  if (at !== text.length) throw new Error(`more at ${at}`)
  return whole
}

type Tree = { number: string } | string | boolean | null | Tree[] | { fields: [string, Tree][] }

const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('0', '1', '10', '15', '9007199254740992', '9007199254740993', '123'),
    fc.constantFrom('', '.0', '.5', '.50', '.1000000000000000055511151231257827'),
    fc.constantFrom('', 'e0', 'E+1', 'e-1', 'e21'),
  )
  .map((parts) => parts.join(''))

const word = fc.constantFrom('', 'a', 'b', '10', '9', '__proto__', 'é', '😀', '"\\/', '\n', '<:>')

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    numberText.map((number): Tree => ({ number })),
    word,
    fc.constantFrom(true, false, null),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(word, tie('tree')), { maxLength: 3, selector: ([name]) => name })
      .map((fields): Tree => ({ fields })),
  ),
}))

/** How a tree is written: each number of it decides something, one after the other. */
function written(of: Tree, whims: readonly number[]): string {
  let at = 0
  const whim = (count: number) => (whims[at++ % whims.length] ?? 0) % count
  const space = () => ['', '', ' ', '\n\t'][whim(4)] ?? ''
  const text = (plain: string) => {
    if (whim(3) > 0) return JSON.stringify(plain)
    const units = Array.from({ length: plain.length }, (_, unit) => plain.charCodeAt(unit))
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
  }
  const number = (digits: string) => {
    const isPlain = !/[.eE]/.test(digits)
    return isPlain ? (['', '.0', 'e0', 'E+0', '.00e-0'][whim(5)] ?? '') : ''
  }
  const all = (one: Tree): string => {
    if (one === null || typeof one === 'boolean') return String(one)
    if (typeof one === 'string') return text(one)
    if (Array.isArray(one)) return `[${space()}${one.map(all).join(`${space()},`)}${space()}]`
    if ('number' in one) return one.number + number(one.number)
    const fields = one.fields.map(([name, member]) => `${text(name)}${space()}:${all(member)}`)
    const isTurned = whim(6) === 0
    return `{${space()}${(isTurned ? fields.reverse() : fields).join(`,${space()}`)}}`
  }
  return `${space()}${all(of)}${space()}`
}

const whims = fc.array(fc.nat(59), { minLength: 1, maxLength: 20 })

/** Two texts of one tree, or of two trees that may be nearly the same. */
const jsonPair = fc.oneof(
  fc.tuple(tree, whims, whims).map(([of, a, b]) => [written(of, a), written(of, b)] as const),
  fc.tuple(tree, tree, whims).map(([of, other, a]) => [written(of, a), written(other, a)] as const),
  fc.tuple(tree, numberText, numberText, word, whims).map(([of, a, b, name, w]) => {
    const around = (number: string): Tree => ({ fields: [[name, [of, { number }]]] })
    return [written(around(a), w), written(around(b), w)] as const
  }),
)
