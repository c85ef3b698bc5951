// @vitest-environment node
import { expect, test } from 'vitest'
import { type Visit, visitOf, withVisit } from '~/core/history/last-visit'

const minute = 60_000
const place = { server: 'uuid', database: 'defaultdb' }
const at = (visits: readonly Visit[], tx: string, minutes: number) =>
  withVisit(visits, { ...place, tx, at: minutes * minute })

test('the first visit has nothing before it, and goes on through reloads', () => {
  const later = at(at([], '5', 0), '7', 29)
  expect(later).toEqual([{ ...place, tx: '7', at: 29 * minute, before: null }])
})

test('after a pause a new visit begins, told against what was seen last', () => {
  const again = at(at(at([], '5', 0), '7', 10), '219', 10 + 31)
  expect(visitOf(again, 'uuid', 'defaultdb')?.before).toEqual({ tx: '7', at: 10 * minute })
  const further = at(again, '230', 10 + 32)
  expect(visitOf(further, 'uuid', 'defaultdb')?.before).toEqual({ tx: '7', at: 10 * minute })
})

test('F50 a database with fewer transactions is told against what it had, at once', () => {
  const shorter = at(at([], '9007199254740993', 0), '9007199254740992', 1)
  expect(visitOf(shorter, 'uuid', 'defaultdb')?.before?.tx).toBe('9007199254740993')
})

test('other servers and databases are other visits; only the last fifty are kept', () => {
  let visits = at([], '5', 0)
  visits = withVisit(visits, { server: 'another', database: 'defaultdb', tx: '1', at: 0 })
  visits = withVisit(visits, { server: 'uuid', database: '__proto__', tx: '2', at: 0 })
  expect(visitOf(visits, 'uuid', 'defaultdb')?.tx).toBe('5')
  expect(visitOf(visits, 'uuid', '__proto__')?.tx).toBe('2')
  for (let count = 0; count < 60; count += 1) {
    visits = withVisit(visits, { server: 'uuid', database: `d${count}`, tx: '1', at: 0 })
  }
  expect(visits).toHaveLength(50)
  expect(visitOf(visits, 'uuid', 'defaultdb')).toBeUndefined()
})
