// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { differingParts, LastChanges } from '~/core/revisions/last-changes'
import type { RevisionLine } from '~/core/revisions/revisions'

const names = ['a', 'b']

function line(number: number, kind: RevisionLine['kind'] = 'written'): RevisionLine {
  return { number, tx: String(number * 10), kind, seconds: null, author: null }
}

type Content = Readonly<Record<string, string | null>>

const partsOf = (content: Content) =>
  Object.entries(content).map(([name, value]) => ({ name, type: 'VARCHAR', value }))

/** What is found of the newest revision; `deleted` and null stand for what has no content. */
function found(...newestFirst: readonly (Content | 'deleted' | null)[]) {
  const [newest, ...older] = newestFirst
  const own = partsOf(newest as Content)
  const count = newestFirst.length
  const changes = new LastChanges(names, line(count))
  for (const [at, one] of older.entries()) {
    const isThere = one !== 'deleted' && one !== null
    const differing = isThere ? differingParts(own, partsOf(one)) : null
    changes.take({ line: line(count - 1 - at, one === 'deleted' ? one : 'written'), differing })
  }
  const told = names.map((name) => {
    const change = changes.found.get(name)
    return change ? `${name} ${change.how} ${change.line.number}` : `${name} open`
  })
  return told.join(', ')
}

describe('the last change of each part', () => {
  test('is that of the newest revision before which it had another value', () => {
    expect(found({ a: '1', b: '2' }, { a: '1', b: '1' }, { a: '0', b: '1' })).toBe(
      'a changed 2, b changed 3',
    )
  })

  test('is found behind a value that came and went', () => {
    expect(
      found({ a: '1', b: '1' }, { a: '2', b: '1' }, { a: '1', b: '1' }, { a: '1', b: '0' }),
    ).toBe('a changed 4, b changed 2')
  })

  test('is the insertion where no revision has another value', () => {
    expect(found({ a: '1', b: null }, { a: '1', b: null })).toBe('a inserted 1, b inserted 1')
    expect(found({ a: '1', b: '1' })).toBe('a inserted 1, b inserted 1')
  })

  test('is the insertion after a deletion, whatever the row was before', () => {
    expect(found({ a: '1', b: '2' }, { a: '1', b: '1' }, 'deleted', { a: '1', b: '1' })).toBe(
      'a inserted again 3, b changed 4',
    )
  })

  test('is none from NULL to NULL, and one from NULL or to NULL', () => {
    expect(found({ a: null, b: '1' }, { a: null, b: null }, { a: '0', b: null })).toBe(
      'a changed 2, b changed 3',
    )
  })

  test('of a column that was dropped and added again does not lie before that', () => {
    // The server tells the new column, which is NULL in what was written before it was there.
    expect(found({ a: '1', b: '1' }, { a: null, b: '1' }, { a: null, b: '1' })).toBe(
      'a changed 3, b inserted 1',
    )
  })

  test('of a field that was not there is its addition', () => {
    expect(found({ a: '1', b: '1' }, { b: '1' })).toBe('a added 2, b inserted 1')
    expect(found({ a: '', b: '1' }, { a: null, b: '1' })).toBe('a changed 2, b inserted 1')
  })

  test('is not looked for behind a revision that cannot be read', () => {
    expect(found({ a: '1', b: '2' }, { a: '1', b: '1' }, null, { a: '1', b: '1' })).toBe(
      'a unread 3, b changed 4',
    )
  })

  test('stays open while no revision tells it', () => {
    const changes = new LastChanges(names, line(9))
    changes.take({ line: line(8), differing: new Map([['a', 'other']]) })
    expect([...changes.open]).toEqual(['b'])
    expect(changes.found.get('a')).toMatchObject({ line: { number: 9 }, before: { number: 8 } })
  })

  test('has another type with the same text', () => {
    const part = (type: string) => [{ name: 'a', type, value: '1' }]
    expect([...differingParts(part('NUMBER'), part('STRING'))]).toEqual([['a', 'other']])
  })
})

describe('revisions that no history has', () => {
  const taken = (...lines: readonly RevisionLine[]) => {
    const changes = new LastChanges(names, line(9))
    for (const one of lines) changes.take({ line: one, differing: new Map() })
  }

  test('one that is left out, told twice or told again later is refused', () => {
    for (const number of [7, 9, 10]) expect(() => taken(line(number))).toThrow(/order/)
    expect(() => taken(line(8), line(8))).toThrow(/order/)
  })

  test('one that was not written before the next is refused', () => {
    expect(() => taken({ ...line(8), tx: '90' })).toThrow(/order/)
    expect(() => taken({ ...line(8), tx: '91' })).toThrow(/order/)
    expect(() => taken({ ...line(8), tx: null })).not.toThrow()
  })
})
