// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { scanAuditLog } from '~/api/audit-log'
import { createClient } from '~/api/client'
import { recorded, recordedResponse } from '../support/recorded'

type Body = Readonly<Record<string, string | boolean>>

async function asked(name: string, from: string | null, end: string | null) {
  let sent: unknown
  const client = createClient({
    baseURL: '/api',
    token: (database) => `v2.public.${database}`,
    fetch: async (_input, init) => {
      sent = {
        ...JSON.parse(String(init?.body)),
        token: new Headers(init?.headers).get('Authorization'),
      }
      return recordedResponse(recorded('audit-log', name))
    },
  })
  const events = await scanAuditLog(client, { from, end, limit: 8 })
  return { sent, events }
}

const bodyOf = (name: string) => {
  const { offset: _, ...body } = recorded('audit-log', name).request.body as Body
  return body
}

describe('the audit log', () => {
  test.each(['newest', 'before', 'range', 'nothing before'])(
    'is asked for as it was recorded: %s',
    async (name) => {
      const body = bodyOf(name)
      const end =
        typeof body.endKey === 'string' ? Buffer.from(body.endKey, 'base64').toString() : null
      const { sent, events } = await asked(name, (body.seekKey as string | undefined) ?? null, end)
      expect(sent).toEqual({ ...body, token: 'Bearer v2.public.systemdb' })
      expect(events.every(({ content }) => content !== null)).toBe(true)
      expect(events).toHaveLength({ newest: 8, before: 8, range: 2 }[name] ?? 0)
    },
  )

  test('comes newest first and without session IDs', async () => {
    const { body } = recorded('audit-log', 'newest').response as { body: { entries: object[] } }
    const answer = JSON.stringify(
      body.entries.map((entry) =>
        Buffer.from((entry as Body).value as string, 'base64').toString(),
      ),
    )
    const [, session = ''] = /\\"sid\\":\\"([^"\\]+)/.exec(answer) ?? []
    expect(session).toHaveLength(44)
    const { events } = await asked('newest', null, null)
    expect(events.filter(({ content }) => content?.hasSession).length).toBeGreaterThan(0)
    expect(JSON.stringify(events)).not.toContain(session)
    const times = events.map(({ at }) => at ?? '')
    expect(times).toEqual(times.toSorted().toReversed())
  })
})
