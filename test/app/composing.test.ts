import { afterEach, expect, test, vi } from 'vitest'
import { ignoreComposing } from '~/app/composing'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

function page() {
  const field = document.body.appendChild(document.createElement('input'))
  ends.push(ignoreComposing(window))
  const heard = vi.fn()
  // As libraries hear Escape: on the document, ahead of what is in it.
  document.addEventListener('keydown', heard, { capture: true })
  ends.push(() => document.removeEventListener('keydown', heard, { capture: true }))
  field.addEventListener('keydown', heard)
  const press = (init: KeyboardEventInit) =>
    field.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }))
  return { heard, press }
}

test.each([
  { key: 'Enter', isComposing: true },
  { key: 'Escape', isComposing: true },
  { key: 'Enter', keyCode: 229 },
  { key: 'Process', keyCode: 229 },
])('nothing on the page hears %o while a word is composed', (init) => {
  const { heard, press } = page()
  // The input method itself still has the key.
  expect(press(init)).toBe(true)
  expect(heard).not.toHaveBeenCalled()
})

test('other keys are heard', () => {
  const { heard, press } = page()
  press({ key: 'Enter', keyCode: 13 })
  press({ key: 'Escape' })
  expect(heard).toHaveBeenCalledTimes(4)
})
