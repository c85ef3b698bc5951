// @vitest-environment node
import { expect, test, vi } from 'vitest'
import { logFailure } from '~/api/client'

test('a failed call is logged without keys, names and parameters', () => {
  const written = vi.spyOn(console, 'info').mockImplementation(() => {})
  logFailure('GET', '/db/get/c2VjcmV0?atTx=1', 'refused', 500)
  logFailure('GET', '/db/use/payroll', 'network', null)
  expect(written.mock.calls.flat()).toEqual([
    'webconsole: GET /db/get failed: refused 500',
    'webconsole: GET /db/use failed: network',
  ])
})
