// @vitest-environment node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Action, refusalFor } from '~/immudb/permission'
import { cellOf, type Doing, doings, matrix, roles } from './roles'

function textOf(file: string): string {
  return readFileSync(fileURLToPath(new URL(`../e2e/${file}.e2e.ts`, import.meta.url)), 'utf8')
}

/** What the console asks before each thing is offered. */
const asked: readonly (readonly [Action, readonly Doing[]])[] = [
  ['read', ['run a query', 'list the keys', 'get a key', 'see the revisions of a key']],
  ['write', ['set a key', 'delete a key', 'add demo data', 'insert rows', 'create a table']],
  ['maintain index', ['flush an index', 'compact an index']],
  [
    'change database',
    [
      'unload a database',
      'load a database',
      'truncate a database',
      'change the settings of a database',
      'delete a database',
    ],
  ],
  ['create database', ['create a database']],
  ['create user', ['add a user']],
  ['change permissions', ['give a permission', 'take a permission away', 'change SQL privileges']],
]

describe('the matrix of roles', () => {
  test.each(asked)('agrees with the rule for “%s”', (action, all) => {
    for (const role of roles) {
      const isOffered = refusalFor(role.level, action) === undefined
      for (const doing of all) {
        expect(cellOf(doing, role).outcome === 'works', `${doing}, ${role.role}`).toBe(isOffered)
      }
    }
  })

  test('has a cell for every role', () => {
    expect(doings.filter((doing) => matrix[doing].length !== roles.length)).toEqual([])
  })

  test('names only tests that exist', () => {
    const named = new Set(
      doings.flatMap((doing) => matrix[doing].flatMap((cell) => cell.shownBy ?? [])),
    )
    expect(named.size).toBeGreaterThan(10)
    const missing = [...named].filter((shown) => {
      const [file = '', ...title] = shown.split(': ')
      return !textOf(file).includes(title.join(': '))
    })
    expect(missing).toEqual([])
  })
})
