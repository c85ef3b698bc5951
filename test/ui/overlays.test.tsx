import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { Menu } from '~/ui/Menu'
import { Select } from '~/ui/Select'
import { Sheet } from '~/ui/Sheet'
import { Tabs } from '~/ui/Tabs'
import { clearToasts, showToast, Toaster } from '~/ui/toast'

afterEach(() => act(() => clearToasts()))

function Example({ persistent = false }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog
        description="This cannot be taken back."
        footer={<Button onClick={() => setOpen(false)}>Done</Button>}
        onClose={() => setOpen(false)}
        open={open}
        persistent={persistent}
        title="Delete orders?"
      >
        <Field label="Name" onChange={() => {}} value="" />
      </Dialog>
    </>
  )
}

/** What opens it goes with what is done in it. */
function Once() {
  const [state, setState] = useState<'before' | 'open' | 'after'>('before')
  return (
    <main id="content" tabIndex={-1}>
      {state !== 'after' && <Button onClick={() => setState('open')}>Open</Button>}
      <Dialog onClose={() => setState('after')} open={state === 'open'} title="Once?" />
    </main>
  )
}

/** Two, of which the second takes the place of the first. */
function Steps() {
  const [step, setStep] = useState(0)
  return (
    <main id="content" tabIndex={-1}>
      <Button onClick={() => setStep(1)}>Open</Button>
      {step === 1 && (
        <Dialog
          footer={<Button onClick={() => setStep(2)}>Next</Button>}
          onClose={() => setStep(0)}
          open
          title="First"
        />
      )}
      {step === 2 && <Dialog onClose={() => setStep(0)} open title="Second" />}
    </main>
  )
}

/** The same in the first of two tabs. */
function InTab() {
  const [tab, setTab] = useState('keys')
  const [state, setState] = useState<'before' | 'open' | 'after'>('before')
  const keys = (
    <>
      {state !== 'after' && <Button onClick={() => setState('open')}>Open</Button>}
      <Dialog onClose={() => setState('after')} open={state === 'open'} title="Once?" />
    </>
  )
  return (
    <main id="content" tabIndex={-1}>
      <Tabs
        label="Verify"
        onChange={setTab}
        tabs={[
          { id: 'keys', label: 'Keys', content: keys },
          { id: 'incidents', label: 'Incidents', content: null },
        ]}
        value={tab}
      />
    </main>
  )
}

/** A list that loses the line that a dialog was opened from, with the dialog or after it. */
function Listed({ isLate }: { isLate: boolean }) {
  const [names, setNames] = useState(['one', 'two', 'three'])
  const [asked, setAsked] = useState('')
  const done = () => {
    const drop = () => setNames((all) => all.filter((name) => name !== asked))
    if (isLate) setTimeout(() => act(drop), 20)
    else drop()
    setAsked('')
  }
  return (
    <main id="content" tabIndex={-1}>
      {names.map((name) => (
        <Button key={name} onClick={() => setAsked(name)}>
          Forget {name}
        </Button>
      ))}
      <Dialog onClose={done} open={asked !== ''} title="Forget it?" />
    </main>
  )
}

describe('Dialog', () => {
  test('has name and description, focuses its first field and gives the focus back', async () => {
    render(<Example />)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    screen.getByRole('dialog', {
      name: 'Delete orders?',
      description: 'This cannot be taken back.',
    })
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' })),
    )
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })),
    )
  })

  test('leaves the focus in the content when what opened it is gone', async () => {
    render(<Once />)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  })

  test('that took the place of another gives the focus to what opened that one', async () => {
    render(<Steps />)
    const opener = screen.getByRole('button', { name: 'Open' })
    await userEvent.click(opener)
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() =>
      expect(screen.getByRole('dialog', { name: 'Second' }).contains(document.activeElement)).toBe(
        true,
      ),
    )
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  test.each([
    ['at once', false],
    ['once storage has answered', true],
  ])('gives the focus to what comes next when what opened it goes %s', async (_when, isLate) => {
    render(<Listed isLate={isLate} />)
    await userEvent.click(screen.getByRole('button', { name: 'Forget two' }))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Forget two' })).toBeNull())
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Forget three' })),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Forget three' }))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Forget three' })).toBeNull())
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Forget one' })),
    )
  })

  test('leaves its tab shown when what opened it was all there was in it', async () => {
    render(<InTab />)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Open' })).toBeNull())
    const shown = screen.getByRole('tab', { name: 'Keys' })
    await waitFor(() => expect(document.activeElement).toBe(shown))
    expect(shown.getAttribute('aria-selected')).toBe('true')
  })

  test('closes by its cross', async () => {
    render(<Example />)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a persistent one closes only by its own buttons', async () => {
    render(<Example persistent />)
    await userEvent.click(screen.getByRole('button', { name: 'Open' }))
    await userEvent.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Done' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

test('Sheet closes on Escape and by its cross', async () => {
  const close = vi.fn()
  render(
    <Sheet onClose={close} open title="Navigation">
      <a href="#x">Query</a>
    </Sheet>,
  )
  screen.getByRole('dialog', { name: 'Navigation' })
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(close).toHaveBeenCalledTimes(2)
})

describe('Select', () => {
  const options = [
    { value: 'defaultdb', label: 'defaultdb' },
    { value: '', label: 'No name', detail: 'the empty value' },
    { value: 'systemdb', label: 'systemdb', disabled: true },
  ]

  test('is a combobox with the name of its label, and shows what is chosen', async () => {
    const change = vi.fn()
    render(<Select label="Database" onChange={change} options={options} value="defaultdb" />)
    const box = screen.getByRole('combobox', { name: 'Database' })
    expect(box.textContent).toContain('defaultdb')
    await userEvent.click(box)
    expect(await screen.findByRole('option', { name: 'defaultdb', selected: true })).toBeTruthy()
    expect(screen.getByRole('option', { name: 'systemdb' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
    await userEvent.click(screen.getByRole('option', { name: 'No name the empty value' }))
    expect(change).toHaveBeenCalledExactlyOnceWith('')
  })

  test('chooses by keyboard', async () => {
    const change = vi.fn()
    render(<Select label="Database" onChange={change} options={options} value="defaultdb" />)
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    await screen.findByRole('option', { name: 'defaultdb' })
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(change).toHaveBeenCalledExactlyOnceWith('')
  })

  describe('C22 of 1,500 names', () => {
    const names = Array.from({ length: 1_500 }, (_, at) => ({
      value: `db${at}`,
      label: `db${at}`,
      ...(at % 10 === 0 && { detail: 'not loaded' }),
    }))
    const find = () => screen.findByRole('combobox', { name: 'Find in Database' })
    const shown = () => screen.getAllByRole('option').map(({ textContent }) => textContent)

    async function opened(change = vi.fn()) {
      render(<Select label="Database" onChange={change} options={names} value="db700" />)
      await userEvent.click(screen.getByRole('combobox', { name: 'Database' }))
      return { change, field: await find() }
    }

    test('draws only those in sight and begins at the one that is chosen', async () => {
      const { field } = await opened()
      expect(document.activeElement).toBe(field)
      expect(shown().length).toBeLessThan(60)
      expect(screen.getAllByRole('option')[0]?.getAttribute('aria-setsize')).toBe('1500')
    })

    test('finds one by typing a part of its name, whatever the case', async () => {
      const { change, field } = await opened()
      await userEvent.type(field, 'B149')
      expect(shown().slice(0, 3)).toEqual(['db149', 'db1490 not loaded', 'db1491'])
      await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
      expect(change).toHaveBeenCalledExactlyOnceWith('db1491')
      expect(screen.queryByRole('option')).toBeNull()
      expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Database' }))
    })

    test('says that there is none, takes a press, and closes by Escape without a choice', async () => {
      const { change, field } = await opened()
      await userEvent.type(field, 'nothing')
      expect(screen.queryByRole('option')).toBeNull()
      expect(screen.getByText('No such name')).toBeTruthy()
      await userEvent.keyboard('{Enter}')
      await userEvent.clear(field)
      await userEvent.type(field, 'db12')
      await userEvent.click(screen.getByRole('option', { name: 'db121' }))
      expect(change).toHaveBeenCalledExactlyOnceWith('db121')
      await userEvent.keyboard('{ArrowDown}')
      await userEvent.type(await find(), 'db1{Escape}')
      expect(change).toHaveBeenCalledTimes(1)
      expect(screen.queryByRole('combobox', { name: 'Find in Database' })).toBeNull()
    })
  })

  test('shows a placeholder while nothing is chosen, and a reason when it is out of use', async () => {
    render(
      <Select
        disabledReason="No database"
        label="Database"
        onChange={() => {}}
        options={options}
        placeholder="None"
        value={undefined}
      />,
    )
    const box = screen.getByRole('combobox', { name: 'Database' })
    expect(box.textContent).toContain('None')
    expect(box.title).toBe('No database')
    expect(box.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(box)
    expect(screen.queryByRole('listbox')).toBeNull()
  })
})

test('Menu stays on its page when what it lists comes later and is longer', async () => {
  const resized: (() => void)[] = []
  class Observer {
    constructor(tell: () => void) {
      resized.push(tell)
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', Observer)
  const rect = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect')
  rect.mockImplementation(function (this: HTMLElement) {
    return this.localName === 'main' ? new DOMRect(200, 0, 800, 600) : new DOMRect(300, 0, 100, 30)
  })
  const width = vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(150)
  render(
    <main>
      <Menu entries={[]} label="Moments" trigger={<Button>Choose</Button>} />
    </main>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Choose' }))
  const { style } = screen.getByRole('menu', { name: 'Moments' })
  expect(style.right).toBe('')
  width.mockReturnValue(300)
  for (const tell of resized) tell()
  // It begins 8 pixels behind the edge at 200 and ends at 508, so 108 behind its button.
  expect(style.right).toBe('-108px')
  width.mockReturnValue(150)
  for (const tell of resized) tell()
  expect(style.right).toBe('')
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('Menu runs actions, offers choices, and refuses with a reason', async () => {
  const logOut = vi.fn()
  const choose = vi.fn()
  render(
    <Menu
      entries={[
        { kind: 'heading', label: 'Signed in as', detail: 'immudb' },
        {
          kind: 'choice',
          label: 'Theme',
          value: 'dark',
          onChange: choose,
          options: [
            { value: 'dark', label: 'Dark' },
            { value: 'light', label: 'Light' },
          ],
        },
        { kind: 'separator' },
        { kind: 'action', label: 'Rename', onSelect: vi.fn(), disabledReason: 'Not allowed' },
        { kind: 'action', label: 'Log out', onSelect: logOut },
      ]}
      label="Account"
      trigger={<Button>Account</Button>}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Account' }))
  const menu = await screen.findByRole('menu', { name: 'Account' })
  expect(within(menu).getByRole('menuitemradio', { name: 'Dark', checked: true })).toBeTruthy()
  expect(
    within(menu)
      .getByRole('menuitem', { name: /Rename/ })
      .getAttribute('aria-disabled'),
  ).toBe('true')
  await userEvent.click(within(menu).getByRole('menuitemradio', { name: 'Light' }))
  expect(choose).toHaveBeenCalledWith('light')
  await userEvent.click(screen.getByRole('button', { name: 'Account' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  expect(logOut).toHaveBeenCalledOnce()
})

describe('toasts', () => {
  test('good news is a status, bad news an alert; both say their kind in words', () => {
    render(<Toaster />)
    act(() => {
      showToast({ kind: 'success', text: 'Table created.' })
      showToast({ kind: 'error', text: 'Not created.' })
    })
    expect(screen.getByRole('status').textContent).toContain('Done: Table created.')
    expect(screen.getByRole('alert').textContent).toContain('Error: Not created.')
  })

  test('the same message twice is shown once', () => {
    render(<Toaster />)
    act(() => {
      showToast({ kind: 'info', text: 'Saved.' })
      showToast({ kind: 'info', text: 'Saved.' })
    })
    expect(screen.getAllByRole('status')).toHaveLength(1)
  })

  test('goes after 5 s and 300 ms of leaving', async () => {
    vi.useFakeTimers()
    render(<Toaster />)
    act(() => void showToast({ kind: 'info', text: 'Saved.' }))
    await act(() => vi.advanceTimersByTimeAsync(4900))
    expect(screen.getByRole('status').dataset.visible).toBe('true')
    await act(() => vi.advanceTimersByTimeAsync(200))
    expect(screen.getByRole('status').dataset.visible).toBe('false')
    await act(() => vi.advanceTimersByTimeAsync(400))
    expect(screen.queryByRole('status')).toBeNull()
  })

  test('waits while the pointer is on it', async () => {
    vi.useFakeTimers()
    render(<Toaster />)
    act(() => void showToast({ kind: 'info', text: 'Saved.' }))
    const region = screen.getByRole('region', { name: 'Notifications' })
    fireEvent.mouseEnter(region)
    await act(() => vi.advanceTimersByTimeAsync(20_000))
    expect(screen.getByRole('status').dataset.visible).toBe('true')
    fireEvent.mouseLeave(region)
    await act(() => vi.advanceTimersByTimeAsync(5100))
    await act(() => vi.advanceTimersByTimeAsync(400))
    expect(screen.queryByRole('status')).toBeNull()
  })

  test('runs its action and goes', async () => {
    const back = vi.fn()
    render(<Toaster />)
    act(() => {
      showToast({ kind: 'info', text: 'Switched.', action: { label: 'Back', run: back } })
    })
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    expect(back).toHaveBeenCalledOnce()
    expect(screen.getByRole('status').dataset.visible).toBe('false')
  })
})
