import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Grid, type GridProps } from '~/ui/Grid'
import type { Cell } from '~/ui/grid/cell'
import { Panes } from '~/ui/Panes'
import { Tree, type TreeNode } from '~/ui/Tree'
import { stubLayout } from '../support/layout'

beforeAll(() => Promise.all([Grid.prepare(), Tree.prepare()]))
beforeEach(() => stubLayout({ width: 1200, height: 600 }))

/** A grid that keeps which of its rows are chosen. */
function Choosing(of: Pick<GridProps, 'cell' | 'columns'>) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  return <Grid {...of} label="Result 1" onSelect={setSelected} rowCount={9} selected={selected} />
}

describe('Grid', () => {
  const columns = Array.from({ length: 20 }, (_, index) => ({
    title: `column ${index}`,
    detail: 'VARCHAR',
    align: index === 0 ? ('end' as const) : ('start' as const),
  }))
  const cell = (row: number, column: number): Cell => {
    if (column === 1) return { text: 'NULL', kind: 'null' }
    if (column === 2) return { text: '', kind: 'empty' }
    if (column === 3) return { text: `pay\u202e${row}`, kind: 'text' }
    return { text: `${row}:${column}`, kind: 'text' }
  }
  const show = (rowCount = 2500) =>
    render(<Grid cell={cell} columns={columns} label="Result 1" rowCount={rowCount} />)
  const active = () => {
    const id = screen.getByRole('grid').getAttribute('aria-activedescendant')
    return id === null ? null : document.getElementById(id)
  }

  test('holds only what is seen, and tells the whole size', () => {
    const { container } = show()
    const grid = screen.getByRole('grid', { name: 'Result 1' })
    expect(grid.getAttribute('aria-rowcount')).toBe('2501')
    expect(grid.getAttribute('aria-colcount')).toBe('21')
    expect(container.querySelectorAll('*').length).toBeLessThan(1000)
    expect(screen.getAllByRole('row').length).toBeLessThan(40)
    expect(
      screen.getByRole('columnheader', { name: 'column 0 VARCHAR' }).getAttribute('aria-colindex'),
    ).toBe('2')
    expect(screen.getByText('0:0').getAttribute('aria-colindex')).toBe('2')
    expect(screen.getByText('1:0').parentElement?.getAttribute('aria-rowindex')).toBe('3')
  })

  test('keeps its columns where they are when more rows come', () => {
    const few = { text: 'short', kind: 'text' } as const
    const many = { text: 'much longer than what came first', kind: 'text' } as const
    const of = { columns: columns.slice(0, 3), label: 'Result 1' }
    const places = () =>
      screen.getAllByRole('columnheader').map(({ style }) => [style.left, style.width])
    const { rerender } = render(<Grid {...of} cell={() => few} rowCount={1_000} />)
    const before = places()
    rerender(<Grid {...of} cell={() => many} rowCount={25_000} />)
    expect(places()).toEqual(before)
    // Other columns are measured by their own content.
    rerender(<Grid {...of} cell={() => many} columns={columns.slice(0, 3)} rowCount={25_000} />)
    expect(places()).not.toEqual(before)
  })

  test('fits its columns to the first rows when there were none before', () => {
    const of = { cell, columns: columns.slice(0, 1), label: 'Result 1' }
    const { rerender } = render(<Grid {...of} rowCount={0} />)
    rerender(<Grid {...of} cell={() => ({ text: 'x'.repeat(50), kind: 'text' })} rowCount={3} />)
    const [, head] = screen.getAllByRole('columnheader')
    expect(Number.parseInt(head?.style.width ?? '', 10)).toBeGreaterThan(350)
  })

  test('tells NULL, empty and hidden characters apart', () => {
    show()
    const [row] = screen.getAllByRole('row').slice(1)
    const cells = within(row as HTMLElement).getAllByRole('gridcell')
    expect(cells.slice(1, 4).map((each) => each.textContent)).toEqual([
      'NULL',
      "''",
      'pay⟨U+202E⟩0',
    ])
  })

  test('one tab stop; keys move the active cell', async () => {
    show()
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    expect(active()?.textContent).toBe('0:0')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(active()?.textContent).toBe('1:0')
    await userEvent.keyboard('{ArrowRight}')
    expect(active()?.textContent).toBe('NULL')
    await userEvent.keyboard('{Home}')
    expect(active()?.textContent).toBe('1:0')
  })

  test('is scrolled sideways just as far as the active cell needs', async () => {
    show()
    await userEvent.tab()
    const grid = screen.getByRole('grid')
    await userEvent.keyboard('{ArrowRight}')
    expect(grid.scrollLeft).toBe(0)
    await userEvent.keyboard('{End}')
    const cell = active()?.style
    const right = Number.parseFloat(cell?.left ?? '') + Number.parseFloat(cell?.width ?? '')
    expect(grid.scrollLeft).toBe(right - grid.clientWidth)
    await userEvent.keyboard('{ArrowLeft}')
    expect(grid.scrollLeft).toBe(right - grid.clientWidth)
    await userEvent.keyboard('{Home}')
    expect(grid.scrollLeft).toBe(0)
  })

  test('a press chooses a cell', async () => {
    show()
    await userEvent.click(screen.getByText('4:4'))
    expect(active()?.textContent).toBe('4:4')
  })

  test('Ctrl+C copies the exact text, and nothing for NULL', async () => {
    const user = userEvent.setup()
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    const told = vi.fn()
    render(<Grid cell={cell} columns={columns} label="Result 1" onCopy={told} rowCount={9} />)
    await user.tab()
    await user.keyboard('{Control>}c{/Control}')
    expect(write).toHaveBeenLastCalledWith('0:0')
    await user.keyboard('{ArrowRight}{Control>}c{/Control}')
    expect(write).toHaveBeenLastCalledWith('')
    await user.keyboard('{ArrowRight}{ArrowRight}{Control>}c{/Control}')
    expect(write).toHaveBeenLastCalledWith('pay\u202e0')
    expect(told).toHaveBeenCalledTimes(3)
    expect(screen.getByText('Copied')).toBeTruthy()
  })

  test('marks stand beside the numbers of their rows and can be pressed', async () => {
    const pressed = vi.fn()
    const mark = (row: number) =>
      row === 1 ? ({ tone: 'verified', label: 'Verified' } as const) : undefined
    const content = { cell, columns, label: 'Result 1', rowCount: 9, onMark: pressed, mark }
    render(<Grid {...content} onSelect={pressed} selected={new Set()} />)
    const button = screen.getByRole('button', { name: 'Verified' })
    expect(button.closest('[role=row]')?.getAttribute('aria-rowindex')).toBe('3')
    await userEvent.click(button)
    expect(pressed.mock.calls).toEqual([[1]])
  })

  test('rows are chosen by their numbers, by Space, from one to another, and all', async () => {
    render(<Choosing cell={cell} columns={columns} />)
    const user = userEvent.setup()
    const chosen = () =>
      screen.getAllByRole('row', { selected: true }).map((row) => row.getAttribute('aria-rowindex'))
    const number = (row: number) => screen.getByRole('rowheader', { name: String(row) })
    await user.click(number(2))
    await user.keyboard('{Shift>}')
    await user.click(number(4))
    await user.keyboard('{/Shift}')
    expect(chosen()).toEqual(['3', '4', '5'])
    await user.click(number(3))
    expect(chosen()).toEqual(['3', '5'])
    screen.getByRole('grid').focus()
    await user.keyboard(' ')
    expect(chosen()).toEqual(['2', '3', '5'])
    await user.keyboard('{Control>}a{/Control}')
    expect(chosen()).toHaveLength(9)
    await user.keyboard('{Control>}a{/Control}')
    expect(screen.queryAllByRole('row', { selected: true })).toEqual([])
  })

  test('keys about the active row are told with it, and no letter is swallowed', async () => {
    const told = vi.fn((action: string, _row: number) => action === 'verify')
    const content = { cell, columns, label: 'Result 1', rowCount: 9, onRowAction: told }
    render(<Grid {...content} />)
    await userEvent.tab()
    await userEvent.keyboard('{ArrowDown}{Alt>}v{/Alt}')
    expect(told).toHaveBeenLastCalledWith('verify', 1)
    const grid = screen.getByRole('grid')
    expect(fireEvent.keyDown(grid, { key: 'v', altKey: true })).toBe(false)
    // Option turns letters into signs on a Mac.
    expect(fireEvent.keyDown(grid, { key: '√', code: 'KeyV', altKey: true })).toBe(false)
    expect(fireEvent.keyDown(grid, { key: 'h', altKey: true })).toBe(true)
    told.mockClear()
    for (const key of 'vhrx') expect(fireEvent.keyDown(grid, { key })).toBe(true)
    expect(told).not.toHaveBeenCalled()
  })

  test.each(['{Enter}', '{F2}'])('%s shows the whole value; Escape comes back', async (key) => {
    const long = 'x'.repeat(100_000)
    const user = userEvent.setup()
    render(
      <Grid
        cell={() => ({ text: long, kind: 'text' })}
        columns={columns.slice(0, 1)}
        label="Result 1"
        rowCount={1}
      />,
    )
    expect(screen.getByRole('gridcell').textContent).toHaveLength(256)
    await user.tab()
    await user.keyboard(key)
    const dialog = await screen.findByRole('dialog', { name: 'column 0' })
    expect(dialog.textContent).toContain('100,000 characters')
    const value = within(dialog).getByRole('region', { name: 'Value' })
    expect(value.textContent).toHaveLength(65_536)
    await user.click(within(dialog).getByRole('button', { name: /Show all/ }))
    expect(value.textContent).toHaveLength(100_000)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a double press shows the whole value', async () => {
    show()
    await userEvent.dblClick(screen.getByRole('columnheader', { name: /^column 4/ }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.dblClick(screen.getByText('2:4'))
    const dialog = await screen.findByRole('dialog', { name: 'column 4' })
    expect(dialog.textContent).toContain('2:4')
  })

  test('Ctrl+Shift+arrow changes the width of the active column', async () => {
    show()
    const width = () => Number.parseFloat(screen.getByText('0:0').style.width)
    const before = width()
    await userEvent.tab()
    await userEvent.keyboard('{Control>}{Shift>}{ArrowRight}{/Shift}{/Control}')
    expect(width()).toBe(before + 24)
  })

  test('without rows has its header and no active cell', async () => {
    show(0)
    expect(screen.getAllByRole('row')).toHaveLength(1)
    await userEvent.tab()
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('Tree', () => {
  const retry = vi.fn()
  const preview = vi.fn()
  const nodes = (count: number): TreeNode[] => [
    {
      id: 'accounts',
      label: 'accounts',
      actions: [{ label: 'Preview', icon: <svg />, run: preview }],
      children: [
        {
          id: 'accounts.id',
          label: 'id',
          detail: 'INTEGER',
          badges: [{ text: 'PK', title: 'key' }],
        },
      ],
    },
    { id: 'bills', label: 'bills', children: { error: 'No answer.', retry } },
    ...Array.from({ length: count }, (_, index) => ({ id: `t${index}`, label: `table ${index}` })),
  ]
  const item = (name: string | RegExp) => screen.getByRole('treeitem', { name })

  test('has a name, levels and places, and holds only what is seen', () => {
    const { container } = render(<Tree label="Tables" nodes={nodes(2000)} />)
    fireEvent.click(item('accounts'))
    expect(screen.getByRole('tree', { name: 'Tables' })).toBeTruthy()
    expect(container.querySelectorAll('[role=treeitem]').length).toBeLessThan(60)
    expect(item('accounts').getAttribute('aria-expanded')).toBe('true')
    const id = item('id INTEGER PK, key')
    expect([
      id.getAttribute('aria-level'),
      id.getAttribute('aria-posinset'),
      id.getAttribute('aria-setsize'),
    ]).toEqual(['2', '1', '1'])
    expect(item('table 0').getAttribute('aria-posinset')).toBe('3')
    expect(item('table 0').getAttribute('aria-setsize')).toBe('2002')
    expect(item('table 0').getAttribute('aria-expanded')).toBeNull()
  })

  test('opens and closes by press and by keys, and tells', async () => {
    const toggle = vi.fn()
    render(<Tree label="Tables" nodes={nodes(3)} onToggle={toggle} />)
    await userEvent.click(item('accounts'))
    expect(toggle).toHaveBeenLastCalledWith('accounts', true)
    expect(item(/^id/)).toBeTruthy()
    await userEvent.keyboard('{ArrowRight}')
    expect(item(/^id/).getAttribute('aria-selected')).toBe('true')
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(toggle).toHaveBeenLastCalledWith('accounts', false)
    expect(screen.queryByRole('treeitem', { name: /^id/ })).toBeNull()
  })

  test('typing goes to the next match', async () => {
    render(<Tree label="Tables" nodes={nodes(3)} />)
    await userEvent.tab()
    await userEvent.keyboard('b')
    expect(item('bills').getAttribute('aria-selected')).toBe('true')
  })

  test('the active item names itself, and its buttons are the next tab stops', async () => {
    render(<Tree label="Tables" nodes={nodes(3)} />)
    await userEvent.click(item('accounts'))
    const tree = screen.getByRole('tree')
    expect(tree.getAttribute('aria-activedescendant')).toBe(item('accounts').id)
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    expect(preview).toHaveBeenCalledOnce()
  })

  test('Enter activates what can be activated', async () => {
    const activate = vi.fn()
    render(<Tree label="Tables" nodes={[{ id: 'a', label: 'a', activate }]} />)
    await userEvent.click(item('a'))
    await userEvent.keyboard('{Enter}')
    await userEvent.dblClick(item('a'))
    expect(activate).toHaveBeenCalledTimes(2)
  })

  test('shows a failure where it happened and tries again', async () => {
    render(<Tree label="Tables" nodes={nodes(1)} />)
    await userEvent.click(item('bills'))
    expect(item('No answer. Retry').getAttribute('aria-level')).toBe('2')
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(retry).toHaveBeenCalledOnce()
  })

  test('keeps its place when a parent is closed over it', async () => {
    render(<Tree label="Tables" nodes={nodes(1)} />)
    fireEvent.click(item('accounts'))
    fireEvent.click(item(/^id/))
    fireEvent.click(item('accounts'))
    expect(screen.getByRole('tree').getAttribute('aria-activedescendant')).toBe(item('accounts').id)
  })
})

describe('Panes', () => {
  const panes = [
    { id: 'tables', label: 'tables', size: 25, content: 'Left' },
    { id: 'main', label: 'main', size: 75, content: 'Right' },
  ]

  test('resize by keyboard and tell percentages, but not for their first layout', async () => {
    const resized = vi.fn()
    render(<Panes direction="horizontal" onResized={resized} panes={panes} />)
    const handle = screen.getByRole('separator', { name: 'Resize tables' })
    expect(handle.getAttribute('aria-valuenow')).toBe('25')
    expect(resized).not.toHaveBeenCalled()
    await userEvent.tab()
    expect(document.activeElement).toBe(handle)
    await userEvent.keyboard('{ArrowRight}')
    expect(resized).toHaveBeenCalledExactlyOnceWith({ tables: 30, main: 70 })
  })
})
