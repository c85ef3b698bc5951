// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSqlRefusal } from '~/api/sql-errors'
import { formatCell } from '~/sql/cells'
import { explainSqlError, lineAndColumn, locateSqlError } from '~/sql/errors'
import { checkNumbers } from '~/sql/numbers'
import { prepareSql, refusalOf } from '~/sql/send'
import { splitStatements } from '~/sql/statements'
import { tokenize } from '~/sql/tokens'

type Case = {
  id: string
  category: string
  name: string
  text?: string
  immudb?: Record<string, string>
}

const file = new URL('../fixtures/corpus.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }
const of = (...categories: string[]) =>
  cases.filter(({ category, text }) => text !== undefined && categories.includes(category))

const known = { names: new Set(['t']) }

describe('the corpus', () => {
  it.each(of('sql', 'number', 'bidi-invisible', 'property-name'))('$id $name', ({ text = '' }) => {
    for (const source of [
      text,
      `SELECT '${text.replaceAll("'", "''")}'`,
      `SELECT "${text}" FROM t`,
    ]) {
      expect(
        tokenize(source)
          .map(({ from, to }) => source.slice(from, to))
          .join(''),
      ).toBe(source)
      checkNumbers(source)
      for (const statement of splitStatements(source)) {
        refusalOf(statement)
        const { sql, offsets } = prepareSql(statement.text, known, 'automatic')
        const error = `syntax error: unexpected ERROR at position ${Buffer.byteLength(sql)}`
        const place = locateSqlError(readSqlRefusal(error), sql, offsets, {
          text: source,
          from: statement.from,
        })
        expect(place?.to).toBeLessThanOrEqual(source.length)
        explainSqlError(readSqlRefusal(`column does not exist (${text})`), { sql })
        lineAndColumn(source, source.length)
      }
      for (const type of ['VARCHAR', 'JSON', 'INTEGER', 'TIMESTAMP', 'ANY'])
        formatCell(type, source, 'utc')
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it.each(of('sql').filter(({ immudb }) => immudb?.sqlQuery?.includes('at position')))(
    '$id $name: the place of the recorded error lies on a token',
    ({ text = '', immudb }) => {
      const offsets = { segments: [{ sentFrom: 0, from: 0, to: text.length, isCopy: true }] }
      const error = immudb?.sqlQuery?.slice(4) ?? ''
      const place = locateSqlError(readSqlRefusal(error), text, offsets, { text, from: 0 })
      const isEnd = error.includes('$end') || place?.from === text.length
      expect(
        isEnd || tokenize(text).some(({ from, to }) => from === place?.from && to === place.to),
      ).toBe(true)
    },
  )

  it.each(of('number').filter(({ immudb }) => immudb?.literal?.startsWith('{')))(
    '$id $name: warned of exactly when the server reads another number',
    ({ text = '', immudb }) => {
      const literal: unknown = JSON.parse(immudb?.literal ?? '{}')
      const read = Object.values(literal as Record<string, string | number>).map(Number)[0]
      const meant = Number(text.trim().replaceAll('_', ''))
      const isOther = read !== meant
      expect(checkNumbers(text).length > 0).toBe(isOther)
    },
  )
})
