import { expect, test } from 'vitest'
import { readBeginning } from '~/atoms/tables/import-file'
import { draftOf, firstSetup, withDraft, withTable } from '~/screens/tables/import/setup'

const column = (name: string) => ({
  name,
  type: 'VARCHAR',
  isNullable: true,
  isAutoIncrement: false,
  isIndexed: false,
  isPrimaryKey: name === 'id',
  isUnique: false,
})
const tableOf = (...names: string[]) => ({
  table: 'items',
  columns: names.map(column),
  indexes: [],
  defaults: null,
})

test('what is back of earlier choices is said, and what is not', async () => {
  const file = new File(['id,label\n1,one\n'], 'items.csv')
  const first = firstSetup(file, await readBeginning(file))
  const chosen = { ...withTable(first, tableOf('id', 'label')), mapping: ['label', 'id'] }
  const again = (there: Parameters<typeof withDraft>[2]) => withDraft(first, draftOf(chosen), there)
  const whole = again(tableOf('id', 'label'))
  expect(whole.setup.mapping).toEqual(['label', 'id'])
  expect(whole.back).toBe('What you chose for this file before is back.')
  const changed = again(tableOf('id', 'title'))
  expect(changed.setup.mapping).toEqual(['id', null])
  expect(changed.back).toMatch(/ is back, but the columns are guessed: items has others now\.$/)
  const unread = again(null)
  expect(unread.setup.there).toBeNull()
  expect(unread.back).toMatch(/ is back, but the table items could not be read\.$/)
})
