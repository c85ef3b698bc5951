// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { columnNames, guessFormat, guessHead, guessKey, guessWidth } from '~/sql/import-guess'
import { guessType } from '~/sql/import-survey'
import { plainSource, recordsOf, surveyOf } from '../support/import-file'

test.each([
  ['id,name\n1,"a;b"\n2,c\n', ',', '"', 1],
  ['id;name;note\n1;a,b;x\n2;c,d;y\n', ';', '"', 1],
  ["id|name\n1|'a|b'\n2|'c'\n", '|', "'", 1],
  ['id\tname\n1\t\\N\n', '\t', '"', 1],
  ['only\none\n', ',', '"', 1],
  ['a;b', ';', '"', 1],
  ['Report of 2015\n\nid;n\n1;2\n3;4\n', ';', '"', 1],
  ['id\tnote\n1\t"5 inches\n2\t"6 inches\n3\t"7 inches\n', '\t', '', 1],
  ['sep=;\nid;n\n1;2,5\n', ';', '"', 2],
  ['sep=,\r\nid,n\r\n', ',', '"', 2],
  ['"sep=|"\rid|n\r', '|', '"', 2],
  ['SEP=\t\nid\tn\n', '\t', '"', 2],
  ['sep=^\nid^n\n1^2\n', '^', '"', 2],
  ['sep=;;\na,b\n1,2\n', ',', '"', 1],
])('the format of %j', (text, separator, quote, firstLine) => {
  expect(guessFormat(text)).toEqual({ format: { separator, quote }, firstLine })
})

describe('the head of a table', () => {
  test.each([
    ['id,name\n1,a\n', 1],
    ['id,Name,name\n1,a,b\n', 1],
    ['first name,last_name\nAda,Lovelace\n', 1],
    ['id,name,\n1,a,\n2,b,\n', 1],
    ['Größe (cm),%\n1.50,2\n', 1],
    ['Country,1960,1961\nAruba,54211,55438\n', 1],
    ['\n\nid,name\n1,a\n', 3],
    [',,,\nComplaints by shop,,,\nid,shop,n,day\n1,a,2,2015-01-01\n', 3],
    ['Complaints by shop\n\nid,shop,n,day\n1,a,2,2015-01-01\n', 3],
    ['id,name\n', 1],
    ['"start\ndate",b\nx,y\n', 1],
  ])('of %j is in line %i', (text, line) => {
    const isAlone = recordsOf(text).length === 1
    expect(guessHead(recordsOf(text))).toEqual({ firstLine: line, hasHeader: !isAlone })
  })

  test.each([
    ['1,a\n2,b\n'],
    ['a,a\nb,c\n'],
    ['Title,,\n1,2,3\n4,5,6\n'],
    ['2015,2016\n1,2\n'],
    [',b,,\n1,2,3,4\n'],
    [''],
  ])('is not in %j', (text) => {
    expect(guessHead(recordsOf(text)).hasHeader).toBe(false)
    expect(guessHead(recordsOf(text)).firstLine).toBe(1)
  })

  test('has as many fields as most rows, or as it has names', () => {
    expect(guessWidth(recordsOf('a,b\n1,2,\n3,4,\n'), true)).toBe(3)
    expect(guessWidth(recordsOf('a,b,\n1,2\n3,4\n'), true)).toBe(2)
    expect(guessWidth(recordsOf('a,b,c\n1,2\n3,4\n'), true)).toBe(3)
    expect(guessWidth(recordsOf('a,b\n1,2\n3,4,5\n'), true)).toBe(3)
    expect(guessWidth([], true)).toBe(0)
  })
})

test('the key is a column named so, with a value of its own in each row', () => {
  const key = (names: string[], text: string) => {
    const { fields } = surveyOf(text, { hasHeader: false })
    const types = fields.map((field) => guessType(field, plainSource.nulls))
    return guessKey(names, types, fields, recordsOf(text))
  }
  expect(key(['name', 'id'], 'a,1\na,2\n')).toBe(1)
  expect(key(['id', 'n'], 'a,1\na,2\n')).toBe(-1)
  expect(key(['id', 'n'], 'a,1\n,2\n')).toBe(-1)
})

describe('the name of a column', () => {
  test.each([
    ['First Name', 'first_name'],
    ['Größe (cm)', 'groesse_cm'],
    ['Ærøskøbing', 'aeroskobing'],
    ['Łódź', 'lodz'],
    ['İstanbul ısı', 'istanbul_isi'],
    ['Дата рождения', 'data_rozhdeniya'],
    ['Щука', 'shchuka'],
    ['Ημερομηνία', 'imerominia'],
    ['ひらがな', 'hiragana'],
    ['カタカナ', 'katakana'],
    ['がっこう', 'gakkou'],
    ['しゃしん', 'shashin'],
    ['이름', 'ireum'],
    ['שם', 'shm'],
    ['العنوان', 'alanwan'],
    ['name.common', 'name_common'],
    ['ﬁ２', 'fi2'],
    ['a\u202eb', 'a_b'],
    ['n'.repeat(130), 'n'.repeat(60)],
  ])('%j is %s', (head, name) => {
    expect(columnNames([head])).toEqual([name])
  })

  test('is there for every field, and no two are the same', () => {
    expect(columnNames(['Name', 'name', 'NAME_2', '', null, '???', 'große', 'grosse'])).toEqual([
      'name',
      'name_2',
      'name_2_2',
      'column_4',
      'column_5',
      'column_6',
      'grosse',
      'grosse_2',
    ])
  })
})
