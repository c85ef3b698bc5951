// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { readSqlRefusal } from '~/api/sql-errors'
import { lineAndColumn, locateSqlError } from '~/sql/errors'
import { prepareSql } from '~/sql/send'
import { splitStatements } from '~/sql/statements'
import { answerOf, answersOf } from './recorded'

/** What the error text of the server points at when the statement was sent as it stands. */
function marked(sql: string, error: string): string | null {
  const offsets = { segments: [{ sentFrom: 0, from: 0, to: sql.length, isCopy: true }] }
  const place = locateSqlError(readSqlRefusal(error), sql, offsets, { text: sql, from: 0 })
  return place && sql.slice(place.from, place.to)
}

describe('locateSqlError', () => {
  it.each<[string, string | null]>([
    ['empty query', null],
    ['empty exec', null],
    ['only separator', ';'],
    ['bad keyword', 'SELEC'],
    ['unfinished', ''],
    ['multi-line', '=='],
    ['non-ascii before the error', ','],
    ['unknown table', 'nosuch'],
    ['unknown column', 'nocol'],
    ['unterminated string', "'abc"],
    ['unterminated identifier', '"abc'],
    ['type mismatch', "'x'"],
    ['backtick', '`'],
    ['group by', 'id'],
    ['division by zero', null],
    ['duplicate key', null],
    ['not null', null],
    ['too long', 'title'],
    ['table exists', 'alltypes'],
    ['second statement fails: nothing stored', null],
    ['unknown column in insert', 'nocol'],
    ['drop unknown', 'nosuch'],
    ['no primary key', null],
    ['a row that is not as it was', null],
  ])('marks the place of the recorded error "%s"', (name, text) => {
    const { sql, error } = answerOf('sql-errors', name)
    expect(marked(sql, error)).toBe(text)
  })

  it('has an expectation for every recorded error', () => {
    expect(answersOf('sql-errors')).toHaveLength(24)
  })

  it.each([
    ['sql', 'doubled separator', ';'],
    ['sql', 'quoted identifier with a space', '"two words"'],
    ['sql', 'missing param', '@t'],
    ['sql', 'double-quoted string is a column', '"one"'],
    ['sql-temporal', 'no _tx column', '_tx'],
    ['sql-temporal', 'history with period', 'SINCE'],
  ])('marks the place of %s: %s', (group, name, text) => {
    const { sql, error } = answerOf(group, name)
    expect(marked(sql, error)).toBe(text)
  })

  it.each([
    [
      'a position inside a character',
      'SELECT é',
      'syntax error: unexpected $unk at position 8',
      'é',
    ],
    ['a lone colon', 'SELECT 1 :x', 'syntax error: unexpected ERROR at position 11', ':'],
    ['a colon before a comment', 'a :-- c', 'syntax error: unexpected ERROR at position 4', ':'],
    [
      'the end behind a comment',
      'SELECT * FROM /* c',
      'syntax error: unexpected $end at position 20',
      '',
    ],
    [
      'a prefix',
      'SELEC',
      'rpc error: code = Unknown desc = syntax error: unexpected IDENTIFIER at position 5',
      'SELEC',
    ],
    [
      'the column and not the table of that name',
      'SELECT x FROM x',
      'column does not exist (x)',
      'x',
    ],
    ['the qualified column', 'SELECT id, b.id FROM b', 'column does not exist (b.id)', 'id'],
    ['an unnamed parameter', 'SELECT ? + ?', 'missing parameter(param2)', '?'],
    ['a numbered parameter', 'SELECT $2 + $1', 'missing parameter(param1)', '$1'],
    [
      'a name that objects have',
      'SELECT __proto__ FROM t',
      'column does not exist (__proto__)',
      '__proto__',
    ],
  ])('understands %s', (_name, sql, error, text) => {
    expect(marked(sql, error)).toBe(text)
  })

  it('takes the table, or the column, by what the text names', () => {
    const offsets = { segments: [{ sentFrom: 0, from: 0, to: 15, isCopy: true }] }
    const sql = 'SELECT x FROM x'
    const place = (error: string) =>
      locateSqlError(readSqlRefusal(error), sql, offsets, { text: sql, from: 0 })
    expect(place('column does not exist (x)')).toMatchObject({ from: 7 })
    expect(place('table does not exist (x)')).toMatchObject({ from: 14 })
  })

  it('counts in the whole text, over lines, long characters and replaced quotes', () => {
    const text = `SELECT 'é😀';\r\n-- second\r\nSELECT "é😀",\r\n  id == 1;`
    const [, statement] = splitStatements(text)
    if (!statement) throw new Error('there is no second statement')
    const { sql, offsets } = prepareSql(statement.text, { names: new Set() }, 'automatic')
    const bytes = Buffer.byteLength(sql.slice(0, sql.indexOf('==') + 2))
    const error = `syntax error: unexpected ERROR at position ${bytes}`
    const place = locateSqlError(readSqlRefusal(error), sql, offsets, {
      text,
      from: statement.from,
    })
    expect(place).toEqual({
      from: text.indexOf('=='),
      to: text.indexOf('==') + 2,
      line: 4,
      column: 6,
    })
  })

  it('marks the end of a statement whose own semicolon the server did not expect', () => {
    const { sql, offsets } = prepareSql('SELECT * FROM -- t', { names: new Set() }, 'automatic')
    const error = "syntax error: unexpected ';' at position 14"
    const place = locateSqlError(readSqlRefusal(error), sql, offsets, {
      text: 'SELECT * FROM -- t',
      from: 0,
    })
    expect(place).toEqual({ from: 13, to: 13, line: 1, column: 14 })
  })
})

describe('lineAndColumn', () => {
  it.each([
    [0, 1, 1],
    [2, 1, 3],
    [3, 2, 1],
    [5, 2, 3],
    [6, 2, 4],
    [7, 3, 1],
  ])('offset %i is line %i, column %i', (offset, line, column) => {
    expect(lineAndColumn('ab\nc\r\r\nd', offset)).toEqual({ line, column })
  })
})
