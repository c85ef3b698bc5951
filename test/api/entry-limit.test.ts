// @vitest-environment node
import { expect, test } from 'vitest'
import { createClient } from '~/api/client'
import { readEntryLimit } from '~/api/entry-limit'
import { recorded, recordedResponse } from '../support/recorded'

const answering = (answer: () => Response) =>
  createClient({ baseURL: '/api', token: () => 'v2.public.x', fetch: async () => answer() })

test('most entries of a transaction are read from the settings of a database', async () => {
  const client = answering(() => recordedResponse(recorded('databases', 'settings v1')))
  expect(await readEntryLimit(client, { database: 'defaultdb' })).toBe(1_024)
})

test.each([[{}], [{ maxTxEntries: 0 }], [{ maxTxEntries: '1024' }], [[]]])(
  '%j has none',
  async (body) => {
    const headers = { 'content-type': 'application/json' }
    const client = answering(() => new Response(JSON.stringify(body), { headers }))
    await expect(readEntryLimit(client, { database: 'defaultdb' })).rejects.toMatchObject({
      kind: 'bad-answer',
    })
  },
)
