// @vitest-environment node
import { createStore } from 'jotai'
import { expect, test } from 'vitest'
import { inFormat } from '~/core/files/export-rows'
import { type ExportOrder, startExport } from '~/core/files/exports'
import type { ResultTable } from '~/sql/result'

const order = {
  what: 'row',
  kept: 'the first',
  type: 'text/csv',
  nameOf: (count: number) => `${count}.csv`,
  sentence: String,
} as const

const pageOf = (values: readonly string[]): ResultTable => ({
  rowCount: values.length,
  columns: [{ name: '(t.v)', table: 't', label: 'v', type: 'VARCHAR', values: [...values] }],
})

const write = (pages: ExportOrder['pages']) =>
  startExport(createStore(), { kind: 'rows', name: 'a', begin: () => ({ ...order, pages }) }, 'csv')

test('a large file is the same bytes, of which little stays as text', async () => {
  const value = (at: number) => `${at} ${'😀ä\u0000'.repeat(40)}`
  const pages = Array.from({ length: 60 }, (_, page) =>
    Array.from({ length: 1_000 }, (_, at) => value(page * 1_000 + at)),
  )
  const file = await write(() =>
    inFormat(
      'exact-csv',
      (async function* () {
        for (const page of pages) yield pageOf(page)
      })(),
    ),
  )
  const parts = file?.parts ?? []
  const text = parts.filter((part) => typeof part === 'string')
  expect(text.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(4_194_305)
  expect(parts.length - text.length).toBeGreaterThan(1)
  const whole = await new Blob([...parts]).text()
  expect(whole === `v\r\n${pages.flat().join('\r\n')}\r\n`).toBe(true)
})

test('the next page is asked for while one is written, and no more', async () => {
  const asked: number[] = []
  const seen: number[] = []
  const source = (async function* () {
    for (let at = 0; at < 4; at += 1) {
      asked.push(at)
      yield pageOf([String(at)])
    }
  })()
  for await (const { count } of inFormat('json', source)) seen.push(asked.length - count)
  expect(seen).toEqual([1, 2, 3, 3])
})

test('a page that fails leaves those before it in a file that says so', async () => {
  const file = await write(() =>
    inFormat(
      'json',
      (async function* () {
        yield pageOf(['one'])
        throw new Error('no more')
      })(),
    ),
  )
  expect(JSON.parse(await new Blob([...(file?.parts ?? [])]).text())).toEqual([{ v: 'one' }])
})
