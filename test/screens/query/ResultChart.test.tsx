import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shownEditorAtom } from '~/atoms/query/editor'
import type { OutputEntry } from '~/atoms/query/output-entry'
import { ResultChart } from '~/screens/query/ResultChart'
import type { ResultTable } from '~/sql/result'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { stubLayout } from '../../support/layout'
import { newEntry } from '../../support/output-entry'
import { openTab, signIn, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

const column = (label: string, type: string, values: readonly (string | null)[]) => ({
  name: `(t.${label})`,
  table: 't',
  label,
  type,
  values,
})
const rows: ResultTable = {
  rowCount: 3,
  columns: [
    column('id', 'INTEGER', ['9007199254740993', '9007199254740992', '9007199254740994']),
    column('<b>n</b>', 'INTEGER', ['9223372036854775807', null, '-1']),
    column('f', 'FLOAT', ['NaN', '0.5', '1']),
    column('shop', 'VARCHAR', ['a', 'b', 'a']),
  ],
}

async function show(result = rows, change: Partial<OutputEntry> = {}) {
  const entry: OutputEntry = {
    ...newEntry(change),
    kind: 'entry',
    number: 4,
    source: 'SELECT *\nFROM t',
    database: 'defaultdb',
    result,
    ...change,
  }
  await act(async () =>
    render(
      <Provider store={tab.store}>
        <ResultChart isAsked={false} entry={entry} result={result} />
      </Provider>,
    ),
  )
  return screen.findByRole('region', { name: 'Chart of result 4' })
}

const press = (element: HTMLElement) => act(() => userEvent.setup().click(element))

beforeAll(() => import('~/ui/windowed'), 60_000)

beforeEach(async () => {
  stubLayout()
  server = fakeImmudb()
  tab = openTab(server)
  await signIn(tab)
})

describe('a chart of a result', () => {
  test('draws what suits the columns, and says from where', async () => {
    const chart = await show()
    expect(within(chart).getByRole('figure', { name: '<b>n</b>, f by shop' })).toBeTruthy()
    expect(chart.textContent).toContain('SELECT * FROM t')
    expect(chart.textContent).toMatch(/Database defaultdb, .*, asked \d/)
    expect(chart.textContent).toContain('Drawn: all 3 rows.')
    expect(chart.textContent).toContain('Not drawn: 1 NULL, 1 NaN or Infinity.')
  })

  test('says each point exactly as the arrow keys walk', async () => {
    const chart = await show()
    await press(within(chart).getByRole('combobox', { name: 'X axis' }))
    await press(await screen.findByRole('option', { name: /^id/ }))
    const slider = await within(chart).findByRole('slider')
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^9007199254740992: .*<b>n<\/b> NULL,/)
    fireEvent.keyDown(slider, { key: 'ArrowRight' })
    expect(slider.getAttribute('aria-valuetext')).toMatch(
      /^9007199254740993: .*<b>n<\/b> 9223372036854775807, f NaN,/,
    )
    fireEvent.keyDown(slider, { key: 'End' })
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^9007199254740994: .*<b>n<\/b> -1,/)
    // The choice is the editor's own.
    expect(tab.store.get(shownEditorAtom).chart).toMatchObject({ x: { name: '(t.id)', at: 0 } })
  })

  test('has a table of the same numbers', async () => {
    const chart = await show()
    await press(within(chart).getByRole('button', { name: 'Table' }))
    const table = await within(chart).findByRole('grid', { name: /as a table$/ })
    const texts = [...table.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)
    expect(texts.join(' ')).toContain('9223372036854775807')
    expect(texts.join(' ')).toContain('NULL')
    expect(texts.join(' ')).toContain('NaN')
  })

  test('draws at least one column, and a series for each value of another', async () => {
    const chart = await show()
    const box = (name: string) => within(chart).getByRole('checkbox', { name })
    await press(box('<b>n</b>'))
    expect(box('f')).toHaveProperty('disabled', true)
    await press(within(chart).getByRole('combobox', { name: 'Split by' }))
    await press(await screen.findByRole('option', { name: /^shop/ }))
    expect(within(chart).getByRole('figure', { name: 'f by shop, for each shop' })).toBeTruthy()
    await press(within(chart).getByRole('combobox', { name: 'Kind' }))
    await press(await screen.findByRole('option', { name: 'Points' }))
    expect(tab.store.get(shownEditorAtom).chart).toMatchObject({ kind: 'scatter' })
  })

  test('of texts alone draws nothing, and says why', async () => {
    const chart = await show({ rowCount: 1, columns: [column('s', 'VARCHAR', ['x'])] })
    expect(chart.textContent).toContain('no column of this result holds numbers')
  })

  test('draws 100,000 rows of more, and says so', async () => {
    const many: ResultTable = {
      rowCount: 100_001,
      columns: [
        column(
          'n',
          'INTEGER',
          Array.from({ length: 100_001 }, (_, at) => String(at)),
        ),
      ],
    }
    const chart = await show(many)
    expect(chart.textContent).toContain('Drawn: 100,000 of the first 100,000 of 100,001 rows.')
  })
})
