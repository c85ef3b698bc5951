// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { shownDatabases } from '~/screens/databases/DatabaseList'
import { calmest } from '../../support/calmest'

describe('1,000 databases (F67)', () => {
  const databases = Array.from({ length: 1_000 }, (_, index) => ({
    name: `db_${index}`,
    loaded: index % 7 > 0,
    diskSize: `${9_007_199_254_740_990n + BigInt(index)}`,
    numTransactions: String(index % 5),
    createdAt: null,
    createdBy: '',
    isReplica: false,
    retention: '0',
  }))

  test('are filtered and put in order within 50 ms', () => {
    const asked = () => shownDatabases(databases, 'DB_99', { column: 'size', isDescending: true })
    expect(calmest(asked)).toBeLessThan(50)
    const found = asked()
    expect(found.map(({ name }) => name)).toEqual([
      ...['db_999', 'db_998', 'db_997', 'db_996', 'db_995', 'db_994', 'db_993', 'db_992'],
      ...['db_991', 'db_990', 'db_99'],
    ])
  })

  test('numbers in names count as numbers, equal ones stand by name', () => {
    const byName = shownDatabases(databases, '', { column: 'name', isDescending: false })
    expect(byName[10]?.name).toBe('db_10')
    const byTx = shownDatabases(databases, '', { column: 'transactions', isDescending: true })
    expect(byTx.slice(0, 2).map(({ name }) => name)).toEqual(['db_4', 'db_9'])
  })
})
