import { EditorState } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { type Place, places, shortcutsOf } from '~/lib/shortcuts'
import { chapters } from '~/screens/guide/chapters/chapters'
import GuideScreen from '~/screens/guide/GuideScreen'
import type { SqlBlock } from '~/screens/guide/guide'
import { Plot } from '~/ui/chart/Plot'
import { keys } from '~/ui/editor/keys'
import { Grid } from '~/ui/Grid'
import { JsonTree } from '~/ui/JsonTree'
import { Tree } from '~/ui/Tree'
import { fakeImmudb } from '../../support/fake-immudb'
import { stubLayout } from '../../support/layout'
import { openTab, signIn, type Tab } from '../../support/store'

let tab: Tab

// The whole guide is drawn each time.
vi.setConfig({ testTimeout: 30_000 })

beforeAll(() => Promise.all([Grid.prepare(), Tree.prepare()]))
beforeEach(async () => {
  window.location.hash = ''
  tab = openTab(fakeImmudb({ databases: ['defaultdb'] }))
  await signIn(tab)
})

test('every row of a table is one of its own', async () => {
  const complaints = vi.spyOn(console, 'error')
  await show()
  expect(complaints).not.toHaveBeenCalled()
})

async function show(path = '/guide') {
  const memory = memoryLocation({ path, record: true })
  const [, search = ''] = path.split('?')
  await act(async () => {
    render(
      <Provider store={tab.store}>
        <Router hook={memory.hook} searchHook={memory.searchHook ?? (() => search)}>
          <GuideScreen />
        </Router>
      </Provider>,
    )
  })
  return memory
}

// By labels and tags: finding roles takes long on a page of this length.
const field = () => screen.getByLabelText<HTMLInputElement>('Search the guide')
const typed = (text: string) =>
  act(async () => fireEvent.change(field(), { target: { value: text } }))
const headings = (level: number) =>
  [...document.querySelectorAll(`h${level}`)].map((heading) => heading.textContent)
const contents = () => within(screen.getByLabelText('Contents of the guide'))
const marked = () => [...document.querySelectorAll('mark')].map((mark) => mark.textContent)

describe('the guide', () => {
  test('has a heading for each chapter and section, which the contents lead to', async () => {
    await show()
    expect(headings(1)).toEqual(['Guide'])
    expect(headings(2)).toEqual(chapters.map(({ title }) => title))
    expect(headings(3)).toEqual(
      chapters.flatMap(({ sections }) => sections.map(({ title }) => title)),
    )
    for (const link of contents().getAllByRole('link')) {
      const [, id = ''] = link.getAttribute('href')?.split('#') ?? []
      expect(document.getElementById(id)?.textContent).toBe(link.textContent)
    }
    const titles = contents()
      .getAllByRole('link')
      .map((link) => link.textContent)
    expect(titles).toEqual(expect.arrayContaining(chapters.map(({ title }) => title)))
  })

  test('marks the section that is read', async () => {
    const tops = new Map([
      ['first', -900],
      ['first-immudb', -700],
      ['first-console', 40],
      ['first-scratch', 500],
    ])
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: HTMLElement,
    ) {
      return new DOMRect(0, tops.get(this.id) ?? 2_000, 10, 10)
    })
    await show()
    expect(contents().getByRole('link', { current: 'location' }).textContent).toBe(
      'Finding your way',
    )
    tops.set('first-scratch', 100)
    await act(async () => {
      fireEvent.scroll(document.body)
      await new Promise(requestAnimationFrame)
    })
    expect(contents().getByRole('link', { current: 'location' }).textContent).toBe(
      'A database to try things in',
    )
  })

  test('an anchor in the address gets the focus, also a second one', async () => {
    window.location.hash = 'time-until'
    await show()
    await act(async () => {})
    expect(document.activeElement?.textContent).toBe('As it was')
    await act(async () => {
      window.location.hash = 'users'
      window.dispatchEvent(new HashChangeEvent('hashchange'))
    })
    expect(document.activeElement?.textContent).toBe('Users and permissions')
  })

  test('the link to a heading is copied without the database and the search', async () => {
    const written = vi.fn(async () => {})
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: written } })
    await show('/guide?db=defaultdb&q=boolean')
    await act(async () => fireEvent.click(screen.getByLabelText('Copy the link to “Types”')))
    expect(written).toHaveBeenCalledWith('http://localhost:3000/#sql-types')
  })
})

describe('the search', () => {
  test('leaves the sections that have the words, marks them and counts', async () => {
    await show('/guide?q=boolean')
    const total = chapters.flatMap(({ sections }) => sections).length
    await typed('LIKE capitals')
    expect(headings(3)).toContain('Reading rows')
    expect(headings(3).length).toBeLessThan(5)
    expect(screen.getByText(`${headings(3).length} of ${total} sections`).role).toBe('status')
    expect(marked()).toEqual(expect.arrayContaining(['LIKE', 'capitals']))
    expect(contents().getByRole('link', { name: 'Reading rows' })).toBeTruthy()
  })

  test('Escape clears it, and so does the button', async () => {
    await show('/guide?q=JSON')
    expect(marked()).toContain('JSON')
    await act(async () => fireEvent.keyDown(field(), { key: 'Escape' }))
    expect([field().value, headings(2).length, marked().length]).toEqual(['', chapters.length, 0])
    await typed('zebra')
    await act(async () => fireEvent.click(screen.getByLabelText('Clear the search')))
    expect(headings(2)).toHaveLength(chapters.length)
    expect(document.activeElement).toBe(field())
  })

  test('nothing found says so and leads back; what is typed is never markup', async () => {
    await show('/guide?q=boolean')
    await typed('<b>zebra</b>')
    expect(screen.getByText('Nothing in the guide has “<b>zebra</b>”')).toBeTruthy()
    expect(screen.getByText(/^0 of \d+ sections$/)).toBeTruthy()
    await act(async () =>
      fireEvent.click(screen.getByText('Clear the search', { selector: 'button' })),
    )
    expect(headings(2)).toHaveLength(chapters.length)
  })

  test('stands in the address, and comes from there', async () => {
    vi.useFakeTimers()
    const memory = await show('/guide?db=defaultdb&q=retention')
    expect(field().value).toBe('retention')
    expect(headings(3)).toContain('Forgetting on purpose')
    await typed('upsert & more')
    await act(async () => vi.runAllTimers())
    expect(memory.history).toEqual(['/guide?db=defaultdb&q=upsert+%26+more'])
    await act(async () => fireEvent.keyDown(field(), { key: 'Escape' }))
    expect(memory.history).toEqual(['/guide?db=defaultdb'])
  })

  test('the key / leads to it, except from where a slash is text', async () => {
    await show('/guide?q=boolean')
    const press = (on: Element) => fireEvent.keyDown(on, { key: '/' })
    await act(async () => press(document.body))
    expect(document.activeElement).toBe(field())
    const other = document.body.appendChild(document.createElement('textarea'))
    other.focus()
    expect(press(other)).toBe(true)
    expect(document.activeElement).toBe(other)
    expect(fireEvent.keyDown(document.body, { key: '/', ctrlKey: true })).toBe(true)
  })
})

describe('examples', () => {
  const all = chapters
    .flatMap(({ sections }) => sections)
    .flatMap(({ blocks }) => blocks)
    .filter((block): block is SqlBlock => typeof block === 'object' && block.kind === 'sql')

  test('each of SQL opens in Query as it is, in the open database', async () => {
    await show()
    const links = screen.getAllByText('Open in Query', { selector: 'a' })
    const addresses = links.map((link) => new URL(link.getAttribute('href') ?? '', 'http://x'))
    expect(addresses.map(({ searchParams }) => searchParams.get('sql'))).toEqual(
      all.map(({ sql }) => sql),
    )
    expect(new Set(addresses.map(({ pathname }) => pathname))).toEqual(new Set(['/query']))
    expect(addresses[0]?.searchParams.get('db')).toBe('defaultdb')
  })

  test('a key opens in Keys', async () => {
    await show('/guide?q=greeting')
    const figure = within(screen.getByLabelText('Example: guide:greeting'))
    expect(figure.getByText('Open in Keys').getAttribute('href')).toBe(
      '/keys?db=defaultdb&key=guide%3Agreeting',
    )
    expect(figure.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'rev 1Hello',
      'rev 2Hello again',
    ])
  })

  test('a command can only be copied', async () => {
    await show('/guide?q=unloading')
    const figure = within(screen.getByLabelText('Example: immuadmin database load scratch'))
    expect(figure.queryByRole('link')).toBeNull()
    expect(figure.getByLabelText('Copy the command')).toBeTruthy()
  })

  test('NULL is told from the text', async () => {
    await show('/guide?q=left+join+orders')
    expect(document.querySelectorAll('td .null')).toHaveLength(1)
  })
})

/** Shortcuts as the guide lists them, each key by itself. */
function listed(place: Place): readonly string[] {
  return chapters
    .flatMap(({ sections }) => sections)
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) =>
      typeof block === 'object' && block.kind === 'shortcuts' && block.place === place
        ? block.shortcuts.flatMap((shortcut) => shortcut.keys.split(', '))
        : [],
    )
}

/** What a key press in a browser looks like. */
function pressOf(shortcut: string) {
  const parts = shortcut.split('+')
  const key = parts.at(-1) ?? ''
  return {
    key: key === 'Space' ? ' ' : key.length === 1 ? key.toLowerCase() : key,
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
  }
}

describe('each listed shortcut exists', () => {
  test('in the editor', () => {
    const state = EditorState.create({
      extensions: keys({ onRun() {}, onRunAll() {}, onSave() {} }),
    })
    const bound = new Set(
      state
        .facet(keymap)
        .flat()
        .flatMap((binding) => [
          binding.key,
          binding.linux,
          binding.shift && binding.key?.replace('Mod-', 'Mod-Shift-'),
        ]),
    )
    const nameOf = (shortcut: string) =>
      shortcut === 'Ctrl+Space'
        ? 'Ctrl-Space'
        : shortcut
            .replace('Ctrl+', 'Mod-')
            .replaceAll('+', '-')
            .replace(/-([A-Z])$/, (end) => end.toLowerCase())
    const missing = listed('editor').filter((shortcut) => !bound.has(nameOf(shortcut)))
    expect(listed('editor').length).toBeGreaterThan(9)
    expect(missing).toEqual([])
  })

  test('in a result', async () => {
    stubLayout()
    const columns = [
      { title: 'a', align: 'start' as const },
      { title: 'b', align: 'start' as const },
    ]
    const cell = () => ({ kind: 'text' as const, text: 'x' })
    // As the rows of a result do: they have a history, and rows can be chosen.
    const rows = { rowCount: 9, selected: new Set<number>(), onSelect: () => {} }
    const does = { onRowAction: () => true, sort: { at: null, refusal: () => undefined, by() {} } }
    render(<Grid cell={cell} columns={columns} label="Result" {...does} {...rows} />)
    const grid = screen.getByRole('grid')
    expect(listed('grid').length).toBeGreaterThan(12)
    for (const shortcut of listed('grid')) {
      // Taken by the grid, which keeps the browser from doing something of its own.
      let isFree = true
      await act(async () => {
        isFree = fireEvent.keyDown(grid, pressOf(shortcut))
      })
      expect(isFree, shortcut).toBe(false)
    }
  })

  test('in the rows of a table', async () => {
    stubLayout()
    const columns = [{ title: 'a', align: 'start' as const }]
    const cell = () => ({ kind: 'text' as const, text: 'x' })
    const changes = { type: vi.fn(), act: vi.fn(), paste: vi.fn() }
    const rows = { rowCount: 9, onOpen: () => true }
    render(<Grid cell={cell} changes={changes} columns={columns} label="Rows" {...rows} />)
    const grid = screen.getByRole('grid')
    // The browser itself turns this one into an event of its own.
    const pasted = 'Ctrl+V'
    const keys = listed('rows').filter((key) => key !== pasted && !key.includes('–'))
    expect(keys.length).toBeGreaterThan(9)
    for (const shortcut of keys) {
      expect(fireEvent.keyDown(grid, pressOf(shortcut)), shortcut).toBe(false)
    }
    grid.focus()
    fireEvent.paste(grid, { clipboardData: { getData: () => 'x' } })
    expect(changes.paste).toHaveBeenCalledOnce()
    fireEvent.keyDown(grid, { key: 'q' })
    expect(changes.type).toHaveBeenCalledWith({ row: 0, column: 0 }, 'q')
  })

  test('in the list of tables', async () => {
    stubLayout()
    const child = { id: 'b', label: 'b' }
    const nodes = [{ id: 'a', label: 'a', open: true, children: [child] }]
    render(<Tree label="Tables" nodes={nodes} onToggle={() => {}} />)
    const tree = screen.getByRole('tree')
    for (const shortcut of listed('tree')) {
      // An arrow to the side means something only on a table, which is the first line.
      fireEvent.keyDown(tree, { key: 'Home' })
      expect(fireEvent.keyDown(tree, pressOf(shortcut)), shortcut).toBe(false)
    }
  })

  test('in a JSON value', () => {
    stubLayout()
    vi.stubGlobal('getSelection', () => null)
    render(<JsonTree label="Value" text='{"a": {"b": 1}}' />)
    const tree = screen.getByRole('tree')
    for (const shortcut of listed('json')) {
      fireEvent.keyDown(tree, { key: 'Home' })
      expect(fireEvent.keyDown(tree, pressOf(shortcut)), shortcut).toBe(false)
    }
    vi.unstubAllGlobals()
  })

  test('in a chart', () => {
    const data = { times: [1, 2, 3], values: [[1, 2, 3]] }
    const told = vi.fn()
    const range = { from: 1, to: 3, active: 1, onActive: told }
    const lines = [{ name: 'a', points: [] }]
    render(<Plot {...range} data={data} lines={lines} title="T" unit="bytes" zone="utc" />)
    const slider = screen.getByRole('slider')
    for (const shortcut of listed('chart')) {
      expect(fireEvent.keyDown(slider, pressOf(shortcut)), shortcut).toBe(false)
    }
    expect(told).toHaveBeenCalledTimes(listed('chart').length)
  })

  test('in the guide, the output, the transactions and everywhere: those that are tested on their screens', () => {
    expect(listed('guide')).toEqual(['/', 'Escape'])
    expect(listed('everywhere')).toEqual(['Ctrl+K', '?'])
    expect(listed('finder').slice(-3)).toEqual(['Enter', 'Ctrl+Enter', 'Escape'])
    const leaves = ['Enter', 'Shift+Enter', 'Tab', 'Shift+Tab', 'Ctrl+Enter', 'Ctrl+Shift+Enter']
    expect(listed('cell')).toEqual([...leaves, 'Alt+Enter', 'Escape'])
    const moves = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']
    expect(listed('list')).toEqual([...moves, 'Enter', '[', ']'])
    expect(listed('output')).toEqual(['/', 'Ctrl+F', 'Enter', 'Shift+Enter', 'Escape'])
  })

  test('and the guide lists all of them', () => {
    for (const place of places) {
      expect(listed(place)).toEqual(shortcutsOf(place).flatMap(({ keys }) => keys.split(', ')))
      expect(listed(place).length, place).toBeGreaterThan(0)
    }
  })
})
