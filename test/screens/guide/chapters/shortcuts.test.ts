// @vitest-environment node
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shortcuts } from '~/screens/guide/chapters/shortcuts'

test('every row of the table names a test that exists', () => {
  const section = shortcuts.sections.find(({ id }) => id === 'keyboard-accessibility')
  const tests = (section?.blocks ?? []).flatMap((block) =>
    typeof block !== 'string' && block.kind === 'table'
      ? block.rows.map(([, , named]) => named)
      : [],
  )
  expect(tests.length).toBeGreaterThanOrEqual(6)
  for (const named of tests) {
    const [, path = ''] = /^`(test\/\S+\.(?:test|e2e)\.tsx?)`$/.exec(named ?? '') ?? []
    expect(existsSync(path), named).toBe(true)
  }
})
