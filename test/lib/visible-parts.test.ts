// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { mixedScripts, mixedScriptsNote } from '~/lib/visible-parts'

describe('mixedScripts', () => {
  test.each([
    ['аdmin', ['Latin', 'Cyrillic']],
    ['rοοt', ['Latin', 'Greek']],
    ['user_а', ['Latin', 'Cyrillic']],
    ['ａdmin', ['Latin', 'full-width']],
    ['𝐚dmin', ['Latin', 'mathematical']],
    ['ꓮdmin', ['Latin', 'Lisu']],
    ['日本а', ['Cyrillic', 'Han']],
  ])('%s mixes %j', (name, found) => {
    expect(mixedScripts(name)).toEqual(found)
  })

  test.each([
    'admin',
    'café',
    'Ωμέγα',
    'абв',
    'user:Иван',
    '日本語テスト',
    'SQLの本',
    '한국어漢字',
    'شكرا',
    '𝐚𝐝𝐦𝐢𝐧',
    '🔑',
    '',
  ])('%s keeps to one script in each word', (name) => {
    expect(mixedScripts(name)).toEqual([])
  })

  test('the mark says which letters they are and why that matters', () => {
    expect(mixedScriptsNote('аdmin')).toBe(
      'This name mixes Latin and Cyrillic letters. It can look like another name.',
    )
    expect(mixedScriptsNote('admin')).toBe('')
  })
})
