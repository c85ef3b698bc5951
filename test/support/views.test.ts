// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { views } from './views'

const folder = fileURLToPath(new URL('../e2e/', import.meta.url))

test('every view of the table is looked at by a test', () => {
  const tests = readdirSync(folder)
    .filter((name) => name.endsWith('.e2e.ts'))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
    .join('\n')
  expect(views.filter((name) => !tests.includes(`'${name}'`))).toEqual([])
})
