import { expect, test } from 'vitest'
import type { Metrics } from '~/api/metrics'
import { type LimitRow, rowsFrom } from '~/atoms/limits/limit-rows'
import { firstSettings } from '~/immudb/database-settings'
import type { LimitName } from '~/immudb/limits'
import type { Version } from '~/immudb/server-versions'

const metrics: Metrics = {
  uptimeHours: 1,
  reserved: null,
  inUse: null,
  sessions: 80,
  openFiles: 50,
  mostFiles: 90,
  diskFree: null,
  writesWait: null,
  databases: new Map(),
  calls: new Map(),
}
const known = {
  version: [1, 11, 1] as Version | null,
  settings: firstSettings,
  noSettings: '',
  metrics: metrics as Metrics | null,
  noMetrics: 'Measuring…',
  loaded: 3 as number | null,
  noList: '',
}

const rows = (of: Partial<typeof known> = {}) => rowsFrom({ ...known, ...of })
function row(name: LimitName, of: Partial<typeof known> = {}): LimitRow {
  const found = rows(of).find(({ limit }) => limit.name === name)
  if (!found) throw new Error(`no limit ${name}`)
  return found
}

test('what is used most comes first, and what nobody measures has no share', () => {
  const order = rows().map(({ limit, share }) => [limit.name, share] as const)
  expect(order.slice(0, 4)).toEqual([
    ['Sessions', 0.8],
    ['Open files', 50 / 90],
    ['Open databases', null],
    ['Request size', null],
  ])
  expect(order.slice(2).every(([, share]) => share === null)).toBe(true)
})

test('settings are those that the database has', () => {
  expect(row('Snapshots').most).toEqual({ value: 100, note: '' })
  const settings = new Map([...firstSettings, ['indexSettings.maxActiveSnapshots', '7']])
  expect(row('Snapshots', { settings }).most).toEqual({ value: 7, note: '' })
  expect(row('Snapshots').moves).toBe(
    '“Snapshots” of the database, --indexing-max-active-snapshots of immuadmin',
  )
  expect(row('Longest key').moves).toMatch(/only when it is created$/)
})

test('a flag that no call reports is only what is usual, and not even that once more is in use', () => {
  expect(row('Sessions').most).toMatchObject({ value: 100 })
  const more = row('Sessions', { metrics: { ...metrics, sessions: 140 } })
  expect(more.most).toEqual({ why: 'It is more than the usual 100.' })
  expect(more.share).toBeNull()
})

test('loaded databases, of which only some are open, tell nothing of the limit of open ones', () => {
  const { most, used, share } = row('Open databases', { loaded: 140 })
  expect(most).toMatchObject({ value: 100 })
  expect(used).toEqual({
    why: '140 databases of those you may see are loaded; how many are open, immudb does not report.',
  })
  expect(share).toBeNull()
})

test('what is not known says why', () => {
  const without = { metrics: null, noMetrics: 'No metrics.' }
  expect(row('Open files', without)).toMatchObject({
    most: { why: 'No metrics.' },
    used: { why: 'No metrics.' },
    share: null,
  })
  // macOS and Windows tell no open files.
  const silent = { metrics: { ...metrics, openFiles: null, mostFiles: null, sessions: null } }
  expect(row('Open files', silent).used).toEqual({ why: 'This system does not tell it.' })
  expect(row('Sessions', { ...silent, version: [1, 5, 0] }).used).toEqual({
    why: 'Needs immudb 1.9.5. This server runs 1.5.',
  })
  expect(row('Open databases', { version: [1, 5, 0] }).most).toEqual({
    why: 'Needs immudb 1.9.5. This server runs 1.5.',
  })
  const refused = { settings: undefined, noSettings: 'Permission denied.' } as never
  expect(row('Read set', refused).most).toEqual({ why: 'Permission denied.' })
  const unlisted = { loaded: null, noList: 'The server does not answer.' }
  expect(row('Open databases', unlisted).used).toEqual({ why: 'The server does not answer.' })
  // 1.4 has no such setting.
  expect(row('Read set', { settings: new Map() }).most).toEqual({
    why: 'This server does not report it.',
  })
})

test('what is built in differs between versions', () => {
  expect(row('Rows of an answer').most).toEqual({ value: 2_500, note: '' })
  expect(row('Rows of an answer', { version: [1, 5, 0] }).most).toMatchObject({ value: 1_000 })
  expect(row('Rows of an answer', { version: null }).most).toMatchObject({ value: 2_500 })
})
