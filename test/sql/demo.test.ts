// @vitest-environment node
import { expect, it } from 'vitest'
import { explained } from '~/screens/query/EditorExtras'
import { demoRows, demoSql, demoTables } from '~/sql/demo'
import { refusalOf } from '~/sql/send'
import { splitStatements } from '~/sql/statements'

it('the demo data are one transaction', () => {
  const statements = splitStatements(demoSql)
  expect(statements).toHaveLength(1)
  expect(statements[0]).toMatchObject({ isBlock: true, kind: 'exec', tables: [...demoTables] })
  expect(statements[0] && refusalOf(statements[0])).toBeUndefined()
  expect(demoSql.match(/^ {2}\((?:\d+, )?'/gm)?.length).toBe(demoRows)
})

it('a query is explained, and an explained one is not explained twice', () => {
  const plan = (text: string) => {
    const [statement] = splitStatements(text)
    return statement && explained(statement)?.text
  }
  expect(plan('SELECT 1;')).toBe('EXPLAIN SELECT 1')
  expect(plan('explain SELECT 1')).toBe('explain SELECT 1')
})
