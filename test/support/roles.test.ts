// @vitest-environment node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { doings, matrix, roles } from './roles'

function textOf(file: string): string {
  return readFileSync(fileURLToPath(new URL(`../e2e/${file}.e2e.ts`, import.meta.url)), 'utf8')
}

describe('the matrix of roles', () => {
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
