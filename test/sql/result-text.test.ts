// @vitest-environment node

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutGuards } from '~/sql/formula-guard'
import { literalOf } from '~/sql/literals'
import { type ResultTable, readResult } from '~/sql/result'
import { copiedRows, csvField, type ExportFormat, exportedRows, frameOf } from '~/sql/result-text'
import { corpus } from '../support/recorded'

function texts(values: readonly (string | null)[]): ResultTable {
  return readResult({
    columns: [{ name: '(t.v)', type: 'VARCHAR' }],
    rows: values.map((value) => ({ values: [value === null ? { null: null } : { s: value }] })),
  })
}

function file(format: ExportFormat, table: ResultTable): string {
  const { before, between, after } = frameOf(format, table)
  return before + exportedRows(format, table).join(between) + after
}

/** Reads CSV as RFC 4180 says; a field that was not quoted and is empty is null. */
function parsed(csv: string): (string | null)[][] {
  const rows: (string | null)[][] = []
  let row: (string | null)[] = []
  for (let at = 0; at < csv.length; ) {
    let field: string | null = ''
    if (csv[at] === '"') {
      for (at += 1; csv[at] !== '"' || csv[at + 1] === '"'; at += csv[at] === '"' ? 2 : 1)
        field += csv[at]
      at += 1
    } else {
      for (; at < csv.length && csv[at] !== ',' && csv[at] !== '\r'; at += 1) field += csv[at]
      if (field === '') field = null
    }
    row.push(field)
    if (csv[at] === ',') at += 1
    else {
      rows.push(row)
      row = []
      at += 2
    }
  }
  return rows
}

/** What a spreadsheet would take for a formula, as OWASP lists it. */
const isFormula = (field: string) =>
  /^[\s"'\ufeff]*[=+\-@＝＋－＠]/.test(field) && !field.startsWith("'")

describe('A11: CSV', () => {
  const hostile = corpus('csv').flatMap(({ text }) => text ?? [])

  it('has cases', () => {
    expect(hostile.length).toBeGreaterThan(10)
  })

  it.each([['corpus', hostile]])(
    'of the %s never starts a formula, and keeps every character',
    (_what, values) => {
      const fields = parsed(file('csv', texts(values))).slice(1)
      expect(fields).toHaveLength(values.length)
      fields.forEach(([field], at) => {
        expect(isFormula(field ?? ''), JSON.stringify(field)).toBe(false)
        expect(withoutGuards(field ?? '', ',')).toBe(values[at])
      })
    },
  )

  it('with exact values is what is stored, byte by byte', () => {
    expect(parsed(file('exact-csv', texts(hostile))).slice(1)).toEqual(
      hostile.map((text) => [text]),
    )
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 4 }),
        (values) => {
          expect(parsed(file('exact-csv', texts(values))).slice(1)).toEqual(
            values.map((one) => [one]),
          )
        },
      ),
    )
  })

  it('never starts a formula, whatever is stored', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            '=',
            '+',
            '-',
            '@',
            ' ',
            '\t',
            '"',
            "'",
            ',',
            'a',
            '\r\n',
            '＝',
            '\ufeff',
          ),
        }),
        (value) => {
          const [, [field] = []] = parsed(file('csv', texts([value])))
          expect(isFormula(field ?? '')).toBe(false)
        },
      ),
    )
  })

  it('tells NULL from empty text, and leaves numbers alone', () => {
    expect(csvField('VARCHAR', null, true)).toBe('')
    expect(csvField('VARCHAR', '', true)).toBe('""')
    expect(csvField('INTEGER', '-9223372036854775808', true)).toBe('-9223372036854775808')
    expect(csvField('FLOAT', '-1.5', true)).toBe('-1.5')
    expect(csvField('VARCHAR', '-1.5', true)).toBe("'-1.5")
    expect(csvField('TIMESTAMP', '1577836800123456', true)).toBe('2020-01-01T00:00:00.123456Z')
    expect(csvField('BLOB', 'AAE=', true)).toBe('0x0001')
  })

  it('guards headings too', () => {
    const table = readResult({ columns: [{ name: '=1+1', type: 'INTEGER' }] })
    expect(file('csv', table)).toBe("'=1+1\r\n")
  })
})

describe('JSON', () => {
  const table = readResult({
    columns: [
      { name: '(t.__proto__)', type: 'INTEGER' },
      { name: '(t.id)', type: 'VARCHAR' },
      { name: '(t.id)', type: 'JSON' },
      { name: '(t.f)', type: 'FLOAT' },
      { name: '(t.b)', type: 'BOOLEAN' },
    ],
    rows: [
      {
        values: [
          { n: '9223372036854775807' },
          { s: '"\n</script>' },
          { s: '{"a":1}' },
          { f: 'NaN' },
          { b: false },
        ],
      },
      { values: Array(5).fill({ null: null }) },
    ],
  })

  it('is a list of objects without two equal names, with all digits (A13)', () => {
    const text = file('json', table)
    expect(text).toContain('"__proto__": 9223372036854775807')
    const [row, nulls] = JSON.parse(text)
    expect(Object.keys(row)).toEqual(['__proto__', 't.id', 't.id (2)', 'f', 'b'])
    expect(row).toMatchObject({ 't.id': '"\n</script>', 't.id (2)': { a: 1 }, f: 'NaN', b: false })
    expect(Object.values(nulls)).toEqual(Array(5).fill(null))
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('of nothing is an empty list', () => {
    expect(JSON.parse(file('json', texts([])))).toEqual([])
  })
})

describe('copies', () => {
  it('for a spreadsheet stay in their cells', () => {
    expect(copiedRows('tab', texts(['a\tb', '=1', null]), 't')).toBe('v\n"a\tb"\n\'=1\n\n')
  })

  it('as Markdown stay in their table', () => {
    expect(copiedRows('markdown', texts(['a|b', '<b>x\ny', null]), 't')).toBe(
      '| v |\n| --- |\n| a\\|b |\n| &lt;b>x y |\n| NULL |\n',
    )
  })

  it('as INSERT can be run again', () => {
    expect(copiedRows('insert', texts(["it's", '']), 't')).toBe(
      "INSERT INTO t (v) VALUES ('it''s');\nINSERT INTO t (v) VALUES ('');\n",
    )
    expect(literalOf('FLOAT', '1e+300')).toBe("CAST('1e+300' AS FLOAT)")
    expect(literalOf('BLOB', '/w==')).toBe("x'ff'")
    expect(literalOf('TIMESTAMP', '1577836800123456')).toBe(
      "CAST('2020-01-01 00:00:00.123456' AS TIMESTAMP)",
    )
  })
})
