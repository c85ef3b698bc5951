// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { refusalOf } from '~/sql/send'
import { splitStatements } from '~/sql/statements'

const refused = (source: string) => splitStatements(source).map(refusalOf)

describe('refusalOf', () => {
  it('refuses RETURNING, which stores nothing on this server', () => {
    for (const sql of [
      'INSERT INTO t(a) VALUES (1) RETURNING id',
      'DELETE FROM t RETURNING *',
      'UPDATE t SET a = 1 RETURNING a',
      'UPSERT INTO t(a) VALUES (1) RETURNING a',
    ])
      expect(refused(sql)).toEqual([expect.stringMatching(/^\w+ … RETURNING was not sent/)])
  })

  it('refuses a NUL outside quotes: the server would run only the part before it', () => {
    expect(refused('DELETE FROM t\0 WHERE id = 1')).toEqual([expect.stringContaining('NUL')])
    expect(refused("SELECT 'a\0b' /* \0 */ -- \0")).toEqual([undefined])
  })

  it('refuses ROLLBACK TO, which takes nothing back on this server', () => {
    expect(refused('BEGIN; SAVEPOINT s; DELETE FROM t; ROLLBACK /* c */ TO s; COMMIT')).toEqual([
      expect.stringContaining('savepoint'),
    ])
    expect(refused('BEGIN; SAVEPOINT s; RELEASE SAVEPOINT s; ROLLBACK')).toEqual([undefined])
  })

  it('refuses a transaction without an end', () => {
    expect(refused('BEGIN; DELETE FROM t')).toEqual([expect.stringContaining('COMMIT')])
  })

  it('lets everything else pass', () => {
    expect(refused("INSERT INTO t VALUES ('RETURNING'); SELECT 'open")).toEqual([
      undefined,
      undefined,
    ])
  })
})
