import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import type { Write } from '~/lib/write-state'
import { AskDialog } from '~/ui/AskDialog'
import { Field } from '~/ui/Field'

type Props = Partial<Parameters<typeof AskDialog>[0]>

/** A question that is open until it is closed. */
function Asked(props: Props) {
  const [isOpen, setOpen] = useState(true)
  if (!isOpen) return null
  return (
    <AskDialog
      action="Do it"
      onAction={() => {}}
      onClose={() => setOpen(false)}
      title="Is this right?"
      {...props}
    >
      {props.confirm === undefined && <Field label="Reason" onChange={() => {}} value="" />}
    </AskDialog>
  )
}

const user = userEvent.setup({ delay: null })
const button = (name: string) => screen.getByRole('button', { name })
const isOpen = () => screen.queryByRole('dialog', { name: 'Is this right?' }) !== null

test('Enter in a field does what is asked, unless it destroys something', async () => {
  const did = vi.fn()
  const { rerender } = render(<Asked onAction={did} />)
  await user.type(screen.getByLabelText('Reason'), '{Enter}')
  expect(did).toHaveBeenCalledTimes(1)
  rerender(<Asked isDanger onAction={did} />)
  await user.type(screen.getByLabelText('Reason'), '{Enter}')
  expect(did).toHaveBeenCalledTimes(1)
  await user.click(button('Do it'))
  expect(did).toHaveBeenCalledTimes(2)
})

test('a key that is still held does nothing, in a field as on the button', async () => {
  const did = vi.fn()
  render(<Asked onAction={did} />)
  await user.type(screen.getByLabelText('Reason'), '{Enter>3/}')
  expect(did).toHaveBeenCalledTimes(1)
  button('Do it').focus()
  await user.keyboard('{Enter>3/}')
  expect(did).toHaveBeenCalledTimes(2)
})

test('is done once, cannot be left meanwhile, and closes afterwards', async () => {
  let done = () => {}
  const did = vi.fn(() => new Promise<void>((resolve) => (done = resolve)))
  render(<Asked onAction={did} />)
  button('Do it').click()
  button('Do it').click()
  await vi.waitFor(() => expect(button('Cancel').title).toBe('It is being done.'))
  await user.keyboard('{Escape}')
  await user.click(button('Cancel'))
  expect(isOpen()).toBe(true)
  expect(did).toHaveBeenCalledTimes(1)
  done()
  await vi.waitFor(() => expect(isOpen()).toBe(false))
})

test.each(['Cancel', 'Escape', 'Close'])(
  '%s leaves it meanwhile where it only asks',
  async (way) => {
    render(<Asked mayLeave onAction={() => new Promise(() => {})} />)
    await user.click(button('Do it'))
    await (way === 'Escape' ? user.keyboard('{Escape}') : user.click(button(way)))
    expect(isOpen()).toBe(false)
  },
)

test('stays when it was not done, and says why it failed', async () => {
  const failure = { title: 'This failed.', notDone: 'Nothing was changed.' }
  const { rerender } = render(<Asked failure={failure} onAction={async () => false} />)
  await user.click(button('Do it'))
  expect(screen.queryByRole('alert')).toBeNull()
  rerender(<Asked failure={failure} onAction={() => Promise.reject(new Error('full'))} />)
  await user.click(button('Do it'))
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing was changed.')
  expect(isOpen()).toBe(true)
})

test('a name that must be typed holds it back, by Enter as well', async () => {
  const did = vi.fn()
  render(<Asked confirm="orders" onAction={did} />)
  await user.type(screen.getByLabelText('Name'), 'order{Enter}')
  expect(button('Do it').title).toBe('Type the name first.')
  expect(did).not.toHaveBeenCalled()
  await user.type(screen.getByLabelText('Name'), 's{Enter}')
  expect(did).toHaveBeenCalledTimes(1)
})

test('a write without an answer is looked up, and what is found to be done closes it', async () => {
  const words = { text: 'No answer came.', details: '', advice: '', isChecking: false }
  const state: Write<unknown> = { kind: 'unknown', finding: null, ...words }
  const onCheck = vi.fn().mockResolvedValueOnce(false).mockResolvedValueOnce(true)
  render(<Asked write={{ state, notDone: 'Nothing was done.', onCheck }} />)
  await user.click(button('Check now'))
  expect(isOpen()).toBe(true)
  await user.click(button('Check now'))
  expect(isOpen()).toBe(false)
})

test('what a check finds is brought into sight, each time', () => {
  const words = { text: 'No answer came.', details: '', advice: '', isChecking: false }
  const unknown = (finding: string | null): Props => ({
    write: {
      state: { kind: 'unknown', finding, ...words },
      notDone: 'Nothing was done.',
      onCheck: () => {},
    },
  })
  const { rerender } = render(<Asked {...unknown(null)} />)
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
  for (const finding of ['It is not there yet.', 'It is there now.']) {
    rerender(<Asked {...unknown(finding)} />)
    const last = shown.mock.contexts.at(-1)
    expect(last instanceof Element && last.textContent).toBe(finding)
  }
})
