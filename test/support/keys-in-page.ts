/** A key and its value as they are typed, and the value as it is copied. */
export type TypedEntry = {
  readonly key: string
  readonly keyHex: string
  readonly typed: string
  readonly format: 'Text' | 'Hex'
  readonly base64: string
}

/**
 * Runs in the page, on the Keys screen: sets each key by the form, waits until it is stored and
 * copies its value, all by the names that a reader is told, in visible and enabled elements alone.
 * The driver's own way for every press is what takes most of the time with hundreds of values. The
 * copies come back; a step that does not come about in 20 s rejects.
 */
export async function setAndCopyAll(entries: readonly TypedEntry[]): Promise<readonly string[]> {
  const copies: string[] = []
  const kept = Reflect.get(window, 'kept')
  for (const { key, keyHex, typed, format, base64 } of entries) {
    await press('Set a key')
    await press('Hex', 'Format of the new key')
    await fill('Key', keyHex)
    await press(format, 'Format of the new value')
    await fill('Value', typed)
    await press('Save')
    await come(`the heading ${key}`, () => one('h1, h2, h3', (box) => textOf(box) === key))
    await come('the note of its transaction', () =>
      one('[aria-label="The open key"] *', isInnermostNote),
    )
    await press('Base64', `Format of the value of ${key}`)
    await press(`Copy the value of ${key} as base64`)
    await come('the copy', () => kept.copied === base64 || undefined)
    copies.push(kept.copied)
  }
  return copies

  async function press(name: string, group?: string) {
    const within = group === undefined ? '' : `[role=group][aria-label="${CSS.escape(group)}"] `
    const button = await come(`the button ${name}`, () =>
      one(`${within}button`, (box) => nameOf(box) === name && isEnabled(box)),
    )
    button.click()
  }

  async function fill(label: string, text: string) {
    const box = await come(`the field ${label}`, () => {
      const found = one('label', (each) => textOf(each) === label)
      const control = found instanceof HTMLLabelElement ? found.control : null
      const isField = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
      return isField && !control.readOnly && !control.disabled ? control : undefined
    })
    const owner = Object.getPrototypeOf(box)
    Object.getOwnPropertyDescriptor(owner, 'value')?.set?.call(box, text)
    box.dispatchEvent(new Event('input', { bubbles: true }))
  }

  /** The only visible element that is such; several would leave open which one is meant. */
  function one(selector: string, isIt: (box: HTMLElement) => boolean): HTMLElement | undefined {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (box) => isIt(box) && box.checkVisibility() && !box.closest('[aria-hidden=true]'),
    )
    return found.length === 1 ? found[0] : undefined
  }

  function isInnermostNote(box: Element): boolean {
    const isNote = ({ textContent }: Element) => /^Stored in tx/.test((textContent ?? '').trim())
    return isNote(box) && ![...box.children].some(isNote)
  }

  function nameOf(box: HTMLElement): string {
    return box.getAttribute('aria-label') ?? textOf(box)
  }

  function textOf(box: HTMLElement): string {
    return (box.textContent ?? '').trim()
  }

  function isEnabled(box: HTMLElement): boolean {
    return box.getAttribute('aria-disabled') !== 'true' && !box.hasAttribute('disabled')
  }

  async function come<T>(what: string, find: () => T | undefined): Promise<T> {
    const deadline = performance.now() + 20_000
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (performance.now() > deadline) throw new Error(`no sight of ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
