// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { ApiError, type ErrorKind } from '~/api/errors'
import { startDeepAudit } from '~/proof/deep-audit'
import type { AuditedServer } from '~/workers/audit/audited-server'
import { compareTables } from '~/workers/audit/walk'
import { History } from '../../support/history'

/** An audit that came to know tables of one column, some of them with a row. */
function audited(tables: Record<string, { hasRow: boolean; key?: string }>, type = 'INTEGER') {
  const audit = startDeepAudit({ txId: 1n, txHash: new History().alh(0) }, true)
  for (const [at, [name, { hasRow, key = '0000000000000001' }]] of Object.entries(
    tables,
  ).entries()) {
    const id = at + 1
    const cols = new Map([[1, { id: 1, name: 'id', type, maxLen: 8 }]])
    audit.catalog.set(id, { name, pk: [1], cols })
    if (hasRow) audit.rows.set(id, { tx: '1', cells: [[1, key]] })
  }
  return audit
}

const nothing = async (): Promise<never> => {
  throw new Error('not asked for')
}

function server(
  names: string[],
  row: AuditedServer['row'] = nothing,
  type = 'INTEGER',
): AuditedServer {
  return {
    page: nothing,
    value: nothing,
    document: nothing,
    collections: nothing,
    row,
    tables: async () => names,
    describe: async () => [{ name: 'id', type, isPrimaryKey: true }],
  }
}

const context = { db: 'd', trusted: null, publicKey: null }

const refusing = (kind: ErrorKind) => async () => {
  throw new ApiError({ kind, text: kind, status: 500, code: 2 })
}

describe('tables', () => {
  test('without a row agree by their columns alone, and say so', async () => {
    const found = await compareTables(audited({ a: { hasRow: false } }), server(['a']), context)
    expect(found).toEqual([{ table: 'a', kind: 'agrees', what: '', row: 'none' }])
  })

  test.each<ErrorKind>(['refused', 'too-large', 'permission'])(
    'whose row the server does not prove (%s) agree by their columns alone, and say so',
    async (kind) => {
      const audit = audited({ a: { hasRow: true } })
      const found = await compareTables(audit, server(['a'], refusing(kind)), context)
      expect(found).toEqual([{ table: 'a', kind: 'agrees', what: '', row: 'refused' }])
    },
  )

  test.each(['8000000000000000', '7ff8000000000001'])(
    'are not taken for others because of a key that JSON does not have: %s',
    async (key) => {
      const audit = audited({ a: { hasRow: true, key } }, 'FLOAT')
      const found = await compareTables(audit, server(['a'], nothing, 'FLOAT'), context)
      expect(found).toEqual([{ table: 'a', kind: 'agrees', what: '', row: 'none' }])
    },
  )

  test('are not compared while the server is away', async () => {
    const audit = audited({ a: { hasRow: true } })
    const found = compareTables(audit, server(['a'], refusing('network')), context)
    await expect(found).rejects.toMatchObject({ kind: 'network' })
  })

  test('that only one of the two has are told', async () => {
    const found = await compareTables(audited({ a: { hasRow: false } }), server(['b']), context)
    expect(found).toMatchObject([
      { table: 'a', kind: 'missing' },
      { table: 'b', kind: 'surplus' },
    ])
  })
})
