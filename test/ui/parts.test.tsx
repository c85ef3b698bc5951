import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { applyTheme } from '~/app/App'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { CopyButton } from '~/ui/CopyButton'
import { copyText } from '~/ui/clipboard'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { Hash } from '~/ui/Hash'
import { IconButton } from '~/ui/IconButton'
import { Logo } from '~/ui/Logo'
import { PasswordField } from '~/ui/PasswordField'
import { Progress } from '~/ui/Progress'
import { SafeText } from '~/ui/SafeText'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Switch } from '~/ui/Switch'
import { Tabs } from '~/ui/Tabs'

describe('Button', () => {
  test('tells why it cannot be used, stays focusable and does nothing', async () => {
    const press = vi.fn()
    render(
      <Button disabledReason="Needs the Admin level" onClick={press} title="N">
        Create
      </Button>,
    )
    const button = screen.getByRole('button', {
      name: 'Create',
      description: 'Needs the Admin level',
    })
    expect(button.title).toBe('Needs the Admin level')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await userEvent.tab()
    expect(document.activeElement).toBe(button)
    await userEvent.keyboard('{Enter}')
    await userEvent.click(button)
    expect(press).not.toHaveBeenCalled()
  })

  test('keeps its name while busy and starts nothing twice', async () => {
    const submit = vi.fn((event: React.FormEvent) => event.preventDefault())
    const form = (busy: boolean) => (
      <form onSubmit={submit}>
        <Field label="User" onChange={() => {}} value="" />
        <Button busy={busy} type="submit">
          Log in
        </Button>
      </form>
    )
    const { rerender } = render(form(false))
    await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
    expect(submit).toHaveBeenCalledTimes(1)
    rerender(form(true))
    await userEvent.click(screen.getByRole('button', { name: 'Log in', busy: true }))
    await userEvent.type(screen.getByRole('textbox', { name: 'User' }), '{Enter}')
    expect(submit).toHaveBeenCalledTimes(1)
  })

  test('is no submit button unless told so', () => {
    render(<Button>Plain</Button>)
    expect(screen.getByRole('button')).toHaveProperty('type', 'button')
  })

  test('shows an icon only with a name', () => {
    render(<IconButton icon={<svg />} label="Refresh" pressed />)
    expect(screen.getByRole('button', { name: 'Refresh', pressed: true }).title).toBe('Refresh')
  })
})

function Form() {
  const [value, setValue] = useState('')
  return <PasswordField label="Password" onChange={setValue} value={value} />
}

describe('Field', () => {
  test('is named by its label and described by hint or error', () => {
    const { rerender } = render(
      <Field hint="Letters and digits" label="Name" onChange={() => {}} value="a" />,
    )
    const box = screen.getByRole('textbox', { name: 'Name', description: 'Letters and digits' })
    expect(box.getAttribute('aria-invalid')).toBeNull()
    rerender(<Field error="This field is required" label="Name" onChange={() => {}} value="" />)
    const wrong = screen.getByRole('textbox', {
      name: 'Name',
      description: 'This field is required',
    })
    expect(wrong.getAttribute('aria-invalid')).toBe('true')
  })

  test('announces an error in a region that was there before', () => {
    const { rerender } = render(<Field label="Name" onChange={() => {}} value="" />)
    const region = document.querySelector('[aria-live=polite]')
    expect(region?.textContent).toBe('')
    rerender(<Field error="Too long" label="Name" onChange={() => {}} value="" />)
    expect(document.querySelector('[aria-live=polite]')).toBe(region)
    expect(region?.textContent).toBe('Too long')
  })

  test('shows a password on demand and changes nothing of it', async () => {
    render(<Form />)
    const box = screen.getByLabelText('Password')
    await userEvent.type(box, '  a b ')
    expect(box).toHaveProperty('type', 'password')
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect(screen.getByLabelText('Password')).toHaveProperty('type', 'text')
    expect(box).toHaveProperty('value', '  a b ')
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(box).toHaveProperty('type', 'password')
  })

  test('ticks by press on the label', async () => {
    const change = vi.fn()
    render(
      <>
        <Checkbox checked={false} label="Stay signed in" onChange={change} />
        <Switch checked label="Read only" onChange={change} />
      </>,
    )
    await userEvent.click(screen.getByText('Stay signed in'))
    expect(change).toHaveBeenLastCalledWith(true)
    await userEvent.click(screen.getByRole('switch', { name: 'Read only', checked: true }))
    expect(change).toHaveBeenLastCalledWith(false)
  })
})

describe('copying', () => {
  test('puts the exact text on the clipboard and says so', async () => {
    const user = userEvent.setup()
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    render(<CopyButton text={' a\r\nb '} what="value" />)
    await user.click(screen.getByRole('button', { name: 'Copy value' }))
    expect(write).toHaveBeenCalledWith(' a\r\nb ')
    expect(await screen.findByText('Copied')).toBeTruthy()
  })

  test('on plain http selects a text area, copies exactly and gives the focus back', async () => {
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never)
    let copied = ''
    document.execCommand = () => {
      const area = document.activeElement
      expect(area?.tagName).toBe('TEXTAREA')
      const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer() })
      area?.dispatchEvent(event)
      document.dispatchEvent(event)
      copied = event.clipboardData?.getData('text/plain') ?? ''
      return true
    }
    render(<button type="button">Here</button>)
    screen.getByRole('button').focus()
    expect(await copyText('a\r\nb')).toBe(true)
    expect(copied).toBe('a\r\nb')
    expect(document.querySelector('textarea')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button'))
  })

  test('says when it did not work', async () => {
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never)
    document.execCommand = () => false
    render(<CopyButton text="a" what="value" worded />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy value' }))
    expect(await screen.findAllByText('Could not copy')).toHaveLength(2)
  })

  test('a hash is short to read and whole to copy', async () => {
    const user = userEvent.setup()
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    const hash = '0123456789abcdef'.repeat(4)
    render(<Hash hash={hash} what="state hash" />)
    expect(screen.getByText('01234567…cdef').title).toBe(hash)
    await user.click(screen.getByRole('button', { name: 'Copy state hash' }))
    expect(write).toHaveBeenCalledWith(hash)
  })
})

describe('SafeText', () => {
  test('shows hidden characters as marks and isolates the direction', () => {
    const { container } = render(<SafeText text={'pay\u202elater'} />)
    expect(container.firstElementChild?.tagName).toBe('BDI')
    expect(container.textContent).toBe('pay⟨U+202E⟩later')
    expect(screen.getByTitle('right-to-left override, U+202E')).toBeTruthy()
  })

  test('is never markup', () => {
    const { container } = render(<SafeText text="<img src=x onerror=alert(1)>" />)
    expect(container.querySelector('img')).toBeNull()
    expect(container.textContent).toBe('<img src=x onerror=alert(1)>')
  })
})

function Three({ first = 'a' }: { first?: string }) {
  const [value, setValue] = useState(first)
  const tabs = ['a', 'b', 'c'].map((id) => ({ id, label: `Tab ${id}`, content: `Panel ${id}` }))
  return <Tabs label="Parts" onChange={setValue} tabs={tabs} value={value} />
}

describe('Tabs', () => {
  test('shows the chosen panel; arrows, Home and End choose', async () => {
    render(<Three />)
    expect(screen.getByRole('tabpanel', { name: 'Tab a' }).textContent).toBe('Panel a')
    await userEvent.tab()
    await userEvent.keyboard('{ArrowRight}')
    expect(screen.getByRole('tabpanel').textContent).toBe('Panel b')
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Tab b', selected: true }))
    await userEvent.keyboard('{End}')
    expect(screen.getByRole('tabpanel').textContent).toBe('Panel c')
    await userEvent.keyboard('{ArrowRight}')
    expect(screen.getByRole('tabpanel').textContent).toBe('Panel a')
  })

  test('the shown one is in sight where not all of them are', async () => {
    const sizes = [
      vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100),
      vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(150),
      vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (
        this: HTMLElement,
      ) {
        return [...(this.parentElement?.children ?? [])].indexOf(this) * 100
      }),
    ]
    onTestFinished(() => {
      for (const size of sizes) size.mockRestore()
    })
    render(<Three first="c" />)
    const list = screen.getByRole('tablist', { name: 'Parts' })
    expect(list.scrollLeft).toBe(150)
    await userEvent.click(screen.getByRole('tab', { name: 'Tab a' }))
    expect(list.scrollLeft).toBe(0)
  })
})

describe('notes', () => {
  test('an error says what happened, what was not done, and offers to try again', async () => {
    const retry = vi.fn()
    render(
      <ErrorNote
        details="code 14"
        notDone="Nothing was changed."
        onRetry={retry}
        title="No answer."
      />,
    )
    const alert = screen.getByRole('alert')
    expect(alert.textContent).toContain('No answer.')
    expect(alert.textContent).toContain('Nothing was changed.')
    expect(alert.querySelector('details')?.open).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })

  test('progress is there for assistive technology only while something is under way', () => {
    const { rerender } = render(<Progress active label="Running" />)
    expect(screen.getByRole('progressbar', { name: 'Running' })).toBeTruthy()
    rerender(<Progress active={false} />)
    expect(screen.queryByRole('progressbar')).toBeNull()
  })
})

describe('looks', () => {
  test('a theme is painted and remembered for the next load', () => {
    applyTheme('light')
    expect(document.documentElement.dataset.theme).toBe('light')
    expect(document.documentElement.style.colorScheme).toBe('light')
    expect(localStorage.getItem('webconsole-theme')).toBe('light')
    applyTheme('dark')
    expect(document.documentElement.dataset.theme).toBe('dark')
  })

  test('the logo has a name and the height that was asked for, in colours of the theme', () => {
    const { container } = render(<Logo height={32} />)
    const logo = screen.getByRole('img', { name: 'webconsole' })
    expect(logo.getAttribute('height')).toBe('32')
    const drawn = [...container.querySelectorAll('path, rect')]
    const colours = drawn.map((part) => part.getAttribute('stroke') ?? part.getAttribute('fill'))
    expect(new Set(colours)).toEqual(new Set(['var(--text)', 'var(--primary)', 'var(--muted)']))
  })
})

function Broken(): never {
  throw new Error('gone')
}

test('a part that cannot be shown leaves the others in sight', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  render(
    <>
      <p>Stored in tx 7.</p>
      <SectionBoundary details={String} what="The key">
        <Broken />
      </SectionBoundary>
    </>,
  )
  expect(screen.getByText('The key could not be shown.')).toBeTruthy()
  expect(screen.getByText('Stored in tx 7.')).toBeTruthy()
})
