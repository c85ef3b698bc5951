import { expect, test } from 'vitest'
import { readBeginning } from '~/atoms/tables/import-file'
import {
  draftOf,
  firstSetup,
  lookedThrough,
  type Setup,
  withDraft,
  withNulls,
  withSource,
  withTable,
} from '~/screens/tables/import/setup'
import { typeText } from '~/sql/import-types'

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

const reading = { signal: new AbortController().signal, tell: () => {} }
const look = (setup: Setup) => lookedThrough(setup, reading)

async function setupOf(...parts: BlobPart[]) {
  const file = new File(parts, 'items.csv')
  return look(firstSetup(file, await readBeginning(file)))
}

const columnsOf = ({ fresh }: Setup) =>
  fresh.columns.map(({ name, type }) => `${name} ${typeText(type)}`)

test('what is back of earlier choices is said, and what is not', async () => {
  const file = new File(['id,label\n1,one\n'], 'items.csv')
  const first = firstSetup(file, await readBeginning(file))
  const chosen = { ...withTable(first, tableOf('id', 'label')), mapping: ['label', 'id'] }
  const again = (there: Parameters<typeof withDraft>[2]) => withDraft(first, draftOf(chosen), there)
  const whole = again(tableOf('id', 'label'))
  expect(whole.setup.mapping).toEqual(['label', 'id'])
  expect(whole.back).toBe('Your earlier choice for this file is back.')
  const changed = again(tableOf('id', 'title'))
  expect(changed.setup.mapping).toEqual(['id', null])
  expect(changed.back).toMatch(/ is back, but the columns are guessed: items has others now\.$/)
  const unread = again(null)
  expect(unread.setup.there).toBeNull()
  expect(unread.back).toMatch(/ is back, but the table items could not be read\.$/)
})

test('types that the server lacks are not guessed', async () => {
  const uuid = '0a1b2c3d-0000-4000-8000-0123456789ab'
  const file = new File([`id,f,u,j\n1,1.5,${uuid},"{""a"":1}"\n`], 'items.csv')
  const lacked = new Set<string>(['FLOAT', 'UUID', 'JSON'])
  const first = firstSetup(file, await readBeginning(file))
  const setup = await lookedThrough(first, reading, (type) => !lacked.has(type))
  expect(columnsOf(setup)).toEqual([
    'id INTEGER',
    'f VARCHAR[64]',
    'u VARCHAR[256]',
    'j VARCHAR[64]',
  ])
  // Nor after another choice of words for NULL.
  expect(columnsOf(withNulls(setup, []))).not.toContain('f FLOAT')
  expect(columnsOf(await look(first))).toEqual(['id INTEGER', 'f FLOAT', 'u UUID', 'j JSON'])
})

test('types are those that the whole file fits, however far down a value is', async () => {
  const codes = Array.from({ length: 60_000 }, (_, at) => String(60_000 - at).padStart(5, '0'))
  const text = `postcode,n\n${codes.map((code) => `${code},1\n`).join('')}`
  expect(text.length).toBeGreaterThan(262_144)
  const setup = await setupOf(text)
  expect(columnsOf(setup)).toEqual(['postcode VARCHAR[64]', 'n INTEGER'])
  expect(setup.survey?.rows).toBe(60_000)
})

test('a look that is stopped counts as far as it came', async () => {
  const file = new File(['id,n\n1,2\n'], 'items.csv')
  const control = new AbortController()
  control.abort()
  const stopped = { signal: control.signal, tell: () => {} }
  const setup = await lookedThrough(firstSetup(file, await readBeginning(file)), stopped)
  expect(setup.survey?.isWhole).toBe(false)
})

test('a first line that names the separator is no data, and lines keep their numbers', async () => {
  for (const mark of ['', '\ufeff']) {
    const setup = await setupOf(`${mark}sep=;\nid;n\n1;2,5\n`)
    expect(setup.heads).toEqual(['id', 'n'])
    expect(setup.source).toMatchObject({ firstLine: 2, format: { separator: ';' } })
    expect(setup.records.map(({ line }) => line)).toEqual([3])
  }
})

const bytesOf = (text: string, isLittle: boolean) =>
  Uint8Array.from(
    [...text].flatMap((one) => {
      const code = one.charCodeAt(0)
      return isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255]
    }),
  )

test.each([
  ['UTF-16 with a mark', '\ufeffsep=\t\nid\tname\n1\tMüller\n', 'utf-16le', true],
  ['UTF-16 without a mark', 'id\tname\r\n1\tMüller\r\n', 'utf-16be', false],
  ['UTF-16 of Chinese without a mark', '编号,姓名\n1,王小明很高兴认识你\n', 'utf-16le', true],
] as const)('%s is read', async (_, text, encoding, isLittle) => {
  const setup = await setupOf(bytesOf(text, isLittle))
  expect(setup.source.encoding).toBe(encoding)
  expect(setup.records[0]?.cells).toContain('1')
  expect(setup.survey?.broken).toBeNull()
  expect(setup.survey?.rows).toBe(1)
})

test('a zero in a text does not make it UTF-16', async () => {
  const setup = await setupOf('a,b\n1,\0\n')
  expect(setup.source.encoding).toBe('utf-8')
  expect(setup.records[0]?.cells).toEqual(['1', '\0'])
})

test('bytes that are no UTF-8 mean windows-1252, and the line is said', async () => {
  const latin = (text: string) => Uint8Array.from([...text].map((one) => one.charCodeAt(0)))
  const near = await setupOf(latin('id,name\n1,Müller\n'))
  expect(near).toMatchObject({ noUtf8: 2, source: { encoding: 'windows-1252' } })
  expect(near.records[0]?.cells).toEqual(['1', 'Müller'])
  const rows = 'name,n\n'.concat('plain,1\n'.repeat(40_000))
  const far = await setupOf(rows, latin('Müller,2\n'))
  expect(far).toMatchObject({ noUtf8: 40_002, source: { encoding: 'windows-1252' } })
  // What is chosen counts.
  const chosen = await look(withSource(far, { encoding: 'iso-8859-2' }))
  expect(chosen).toMatchObject({ noUtf8: null, source: { encoding: 'iso-8859-2' } })
  const utf8 = await look(withSource(near, { encoding: 'utf-8' }))
  expect(utf8).toMatchObject({ source: { encoding: 'utf-8' }, survey: { broken: { first: 2 } } })
})

test('a damaged byte in UTF-8 makes no other letter wrong', async () => {
  const setup = await setupOf('id,name\n1,Müller\n2,Größe\n3,', Uint8Array.of(0xff), '\n')
  expect(setup).toMatchObject({ noUtf8: null, source: { encoding: 'utf-8' } })
  expect(setup.survey?.broken).toEqual({ first: 4, count: 1 })
})

test('a byte that windows-1252 does not have is no letter', async () => {
  const setup = await setupOf(Uint8Array.of(0x61, 0x2c, 0x62, 10, 0x4d, 0x81, 0x2c, 0x31, 10))
  expect(setup.source.encoding).toBe('windows-1252')
  expect(setup.survey?.broken).toEqual({ first: 2, count: 1 })
})

test('a field without name and value is left out, and titles above are not read', async () => {
  const setup = await setupOf(',,,\nComplaints,,,\nid,shop,n,\n1,a,2,\n2,b,3,\n')
  expect(setup.heads).toEqual(['id', 'shop', 'n', ''])
  expect(setup.source.firstLine).toBe(3)
  expect(setup.fresh.columns.map(({ isIncluded }) => isIncluded)).toEqual([true, true, true, false])
  const all = await look(withSource(setup, { firstLine: 1, hasHeader: false }))
  expect(all.survey?.rows).toBe(5)
})

test('names in other scripts become different names, and the originals stay', async () => {
  const setup = await setupOf('Größe,größe,Размер,Μέγεθος,大小,크기\n1,2,3,4,5,6\n')
  expect(setup.heads).toEqual(['Größe', 'größe', 'Размер', 'Μέγεθος', '大小', '크기'])
  const names = setup.fresh.columns.map(({ name }) => name)
  expect(names.slice(0, 4)).toEqual(['groesse', 'groesse_2', 'razmer', 'megethos'])
  expect(new Set(names).size).toBe(6)
})

test('a word for NULL changes the types of its columns alone', async () => {
  const setup = await setupOf('name,age\nAda,36\nx,NA\n')
  expect(columnsOf(setup)).toEqual(['name VARCHAR[64]', 'age INTEGER'])
  const others = setup.source.nulls.filter(({ word }) => word !== 'NA')
  const named = { ...setup, fresh: { ...setup.fresh, table: 'people' } }
  const without = withNulls(named, others)
  expect(columnsOf(without)).toEqual(['name VARCHAR[64]', 'age VARCHAR[64]'])
  expect(without.survey).not.toBeNull()
  expect(without.fresh.table).toBe('people')
  const another = withNulls(without, [...others, { word: 'x', where: 'typed' }])
  expect(another.survey).toBeNull()
})
