// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { readSqlRefusal } from '~/api/sql-errors'
import { type ErrorContext, explainSqlError } from '~/sql/errors'
import { recorded } from '../support/recorded'
import { answersOf } from './recorded'

const parserWord = /\b(IDENTIFIER|ERROR|CMPOP|tbtree|desc)\b|\$end|\$unk|embedded\//

const explain = (text: string, context?: ErrorContext) =>
  explainSqlError(readSqlRefusal(text), context)

describe('explainSqlError', () => {
  it.each(
    answersOf('sql-errors', 'sql', 'sql-temporal', 'sql-limits').filter(({ error }) => error),
  )('puts "$error" into plain words', ({ error, sql }) => {
    const words = explain(error, { sql })
    expect(words.original).toBe(error)
    expect(words.text).toMatch(/^[A-Z(].*[.!?]$/s)
    expect(`${words.text} ${words.hint ?? ''}`).not.toMatch(parserWord)
  })

  it('says that a row was written twice in one transaction', () => {
    const { body } = recorded('immudb-1.9.5', 'a row written twice').response
    const { message } = body as { message: string }
    expect(explain(message)).toEqual({
      text: 'A row was written a second time in one transaction, which immudb cannot do. Nothing of this transaction was stored.',
      hint: 'Write each row once, or run the statements one by one.',
      original: message,
    })
  })

  it.each([
    'values are not comparable: when evaluating WHERE clause',
    'invalid types: VARCHAR can not be interpreted as type INTEGER',
  ])('points to the types of parameters for “%s”', (message) => {
    expect(explain(message, { sql: 'SELECT * FROM t WHERE a = @a;' }).hint).toBe(
      'Look at the types of the parameters: each must be that of the column it is used with.',
    )
    expect(explain(message, { sql: 'SELECT * FROM t WHERE a = 1;' }).hint).toBeUndefined()
  })

  it('translates the words of the parser and shows the text at the place', () => {
    const message = 'syntax error: unexpected ERROR, expecting IDENTIFIER or $end at position 34'
    expect(explain(message, { offending: '==' }).text).toBe(
      'Syntax error: did not expect text that cannot be read (==) here. Expected a name or the end of the statement.',
    )
    expect(explain("syntax error: unexpected ',' at position 3", { offending: ',' }).text).toBe(
      "Syntax error: did not expect ',' here.",
    )
    expect(explain("syntax error: unexpected ';' at position 14", { offending: '' }).text).toBe(
      'Syntax error: did not expect the end of the statement here.',
    )
  })

  it('keeps an unknown text, without the prefix of the transport', () => {
    const message = 'rpc error: code = InvalidArgument desc = something new'
    expect(explain(message)).toEqual({
      text: 'Something new.',
      original: 'something new',
    })
    expect(explain('').text).toBe('The server gave no reason.')
  })

  it('explains a double-quoted text that the server took for a column', () => {
    const message = 'column does not exist (one): when evaluating WHERE clause'
    const sql = 'SELECT title FROM alltypes WHERE title = "One";'
    expect(explain(message, { sql }).hint).toContain('single quotes')
    expect(explain(message, { sql: sql.replaceAll('"', "'") })).not.toHaveProperty('hint')
  })

  it('explains a double-quoted name where no column can stand', () => {
    const message = 'invalid value provided: no row to evaluate in current context'
    expect(explain(message, { sql: 'INSERT INTO t(a) VALUES ("v");' }).hint).toContain(
      'single quotes',
    )
    expect(explain(message, { sql: 'INSERT INTO t(a) VALUES (v);' }).hint).toBeUndefined()
  })

  it('leaves out the byte position', () => {
    expect(explain('something odd at position 32').text).toBe('Something odd.')
  })

  it('explains why a table with a CHECK cannot be truncated', () => {
    const words = explain('tbtree: key not found', { sql: 'TRUNCATE TABLE ck;' })
    expect(words.hint).toContain('cannot truncate a table that has a CHECK')
  })

  it('says the same of the first transaction for either end of a period', () => {
    const message = 'illegal arguments: invalid tx range, tx ID must be greater than 1, 1 given'
    const { text, hint } = explain(message, { sql: 'SELECT * FROM t BEFORE TX 1;' })
    expect(`${text} ${hint}`).toMatch(/BEFORE TX 1.*UNTIL TX 1/)
  })

  it('explains why a table with a CHECK cannot be dropped', () => {
    const words = explain('tbtree: key not found', { sql: 'drop  table ck;' })
    expect(words.hint).toContain('CHECK')
    expect(explain('tbtree: key not found', { sql: 'SELECT 1' }).hint).toBeUndefined()
  })

  it('cuts a text that is too long', () => {
    expect(explain('x'.repeat(9000)).text.length).toBeLessThan(2100)
  })
})
