import { afterEach, beforeEach, vi } from 'vitest'

const hasDom = typeof document !== 'undefined'
// Two thirds of the files have no document, and need not load React for it.
const library = hasDom ? await import('@testing-library/react') : undefined

/**
 * happy-dom fires `selectionchange` synchronously and also when nothing moved, which re-enters
 * CodeMirror's update; browsers queue the event and fire it only for a real change.
 */
function queueSelectionChange() {
  const original = document.dispatchEvent.bind(document)
  let queued = false
  let last = ''
  document.dispatchEvent = (event: Event) => {
    if (event.type !== 'selectionchange') return original(event)
    if (!queued) {
      queued = true
      setTimeout(() => {
        queued = false
        const s = document.getSelection()
        const now = `${s?.anchorOffset}|${s?.focusOffset}|${s?.anchorNode?.textContent}`
        if (now !== last) original(event)
        last = now
      }, 0)
    }
    return true
  }
}

// Beside a compiler a page may be slow without being wrong.
const patience = 15_000
const waitFor = vi.waitFor.bind(vi)
vi.waitFor = (check, options = patience) => waitFor(check, options)
library?.configure({ asyncUtilTimeout: patience })

/**
 * React in development notes where each element was made, for warnings: a tenth of the time of a
 * page. It stops of its own accord after ten thousand of them in a second.
 */
async function forgetOrigins() {
  const react = await import('react')
  const internals: unknown = Reflect.get(
    react.default,
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
  )
  if (typeof internals !== 'object' || internals === null) return
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Number.POSITIVE_INFINITY,
    set: () => {},
  })
}

/**
 * Queries by role ask of every element, and of all around it, whether it is displayed and visible.
 * happy-dom works out the whole style for each answer, which is a seventh of the time of a page. Only
 * the editor brings style sheets here; an element of HTML without a style of its own is displayed as
 * its tag is, and visible as what is around it.
 */
function answerDisplayAtOnce() {
  const whole = window.getComputedStyle.bind(window)
  const hasStyle = (element: Element) =>
    !(element instanceof HTMLElement) ||
    element.hasAttribute('style') ||
    /\bcm-/.test(element.getAttribute('class') ?? '')
  const displays = new Map<string, string>()
  const displayOf = (tag: string) => {
    const known = displays.get(tag)
    if (known !== undefined) return known
    const probe = document.head.appendChild(document.createElement(tag))
    const { display } = whole(probe)
    probe.remove()
    displays.set(tag, display)
    return display
  }
  const visibilityOf = (element: Element | null): string => {
    if (element === null) return ''
    return hasStyle(element) ? whole(element).visibility : visibilityOf(element.parentElement)
  }
  window.getComputedStyle = (element, pseudo) => {
    const style = whole(element, pseudo)
    if (pseudo || !element.isConnected || hasStyle(element)) return style
    const answer = (name: PropertyKey) => {
      if (name === 'display') return displayOf(element.localName)
      return name === 'visibility' ? visibilityOf(element.parentElement) : undefined
    }
    const getPropertyValue = (name: string) => answer(name) ?? style.getPropertyValue(name)
    return new Proxy(style, {
      get: (_, name) =>
        name === 'getPropertyValue' ? getPropertyValue : (answer(name) ?? Reflect.get(style, name)),
    })
  }
}

if (hasDom) {
  queueSelectionChange()
  answerDisplayAtOnce()
  await forgetOrigins()
}

beforeEach(() => {
  if (!hasDom) return
  localStorage.clear()
  sessionStorage.clear()
})

afterEach(() => {
  vi.useRealTimers()
  if (!hasDom) return
  library?.cleanup()
  document.body.replaceChildren()
})
