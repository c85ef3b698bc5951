import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { createSmallTable } from '../support/sql-samples'

const exec = { method: 'POST', path: '/db/sqlexec' }

describe('F16: what Chromium sends a second time by itself', () => {
  test('F16: an insert whose first delivery was stored is not said to have failed', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await createSmallTable(db, 'f16i')
    const console = await open(proxy.url)
    await console.signIn('/query')
    await console.runSql('SELECT 16;')
    await console.cell(1, '16').waitFor()
    proxy.fault({ ...exec, times: 1, fault: { kind: 'dropAnswer' } })
    await console.runSql("INSERT INTO f16i (id, name) VALUES (16, 'mine');")
    await console.result(2).getByText('Unknown', { exact: true }).waitFor()
    expect(await db.query('SELECT name FROM f16i WHERE id = 16;')).toEqual([[{ s: 'mine' }]])
    // Only where the browser did send it again there is a row to be shown at once.
    if (proxy.count(exec) === 1)
      await console.result(2).getByRole('button', { name: /check/i }).click()
    const changed = console.page.getByRole('grid', { name: 'Rows changed since result 2' })
    await changed.getByRole('gridcell', { name: 'mine', exact: true }).waitFor()
  })

  test('F16: a row that was there before is a plain refusal', async ({ server, open }) => {
    await createSmallTable(await api(server.url), 'f16j')
    const console = await open(server.url)
    await console.signIn('/query')
    await console.runSql("INSERT INTO f16j (id, name) VALUES (1, 'other');")
    await console.result(1).getByText('Failed', { exact: true }).waitFor()
    await console
      .result(1)
      .getByText(/already exists/)
      .first()
      .waitFor()
  })
})
