// @vitest-environment node
import { createStore } from 'jotai'
import { describe, expect, test } from 'vitest'
import { openKeyHistory } from '~/atoms/revisions/key-history'
import { connect, type Store } from '~/atoms/session/client'
import { openQueryCache } from '~/atoms/session/query-client'
import { type Recorded, recorded, recordedResponse } from '../../support/recorded'

const key = Buffer.from('greeting').toString('base64')
const subject = { kind: 'key', database: 'db', key } as const

/** A tab whose server answers the history of a key by offset and limit. */
function tabWith(history: (offset: number, limit: number) => Recorded | Response): Store {
  const store = createStore()
  connect(store, '/api', async (input, init) => {
    const path = String(input).replace('/api', '')
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    const found = path.startsWith('/db/history')
      ? history(Number(body.offset), Number(body.limit))
      : recorded('truncation', path.includes('=1') ? 'a gone revision' : 'a key')
    return found instanceof Response ? found : recordedResponse(found)
  })
  openQueryCache(store)
  return store
}

/** The recorded key: its first revision lost its value. */
const truncated = () =>
  tabWith((offset, limit) =>
    recorded('truncation', limit > 1 ? 'history of a key' : `history from ${Math.min(3, offset)}`),
  )

describe('the history of a key in a truncated past', () => {
  test('counts and names the revisions that are left, and says which are gone', async () => {
    const history = await openKeyHistory({ get: truncated().get }, subject)
    expect(history.count).toBe(3)
    const lines = await history.lines(3, 1, {})
    expect(lines.map(({ number, tx, kind }) => [number, tx, kind])).toEqual([
      [3, '13', 'written'],
      [2, '10', 'written'],
      [1, null, 'gone'],
    ])
    expect((await history.content(1, {})).note).toBe(
      'The server no longer has this value. A truncation may have removed it.',
    )
  })

  test.each([
    ['gone', 1],
    ['gone', 7],
    ['gone', 45],
    ['too-large', 45],
  ])('counts revisions when every value is %s: %i', async (kind, count) => {
    const unread =
      kind === 'gone' ? recorded('truncation', 'history of a key') : recorded('past', 'too wide')
    const end = recorded('truncation', 'history from 3')
    const store = tabWith((offset) => (offset < count ? unread : end))
    const history = await openKeyHistory({ get: store.get }, subject)
    expect(history.count).toBe(count)
    const lines = await history.lines(count, Math.max(1, count - 9), {})
    expect(new Set(lines.map((line) => line.kind))).toEqual(new Set([kind]))
    expect(lines[0]?.number).toBe(count)
  })
})
