import { afterEach, beforeEach, expect, vi } from 'vitest'
import { cookieNames, writeCookie } from '~/lib/cookies'
import { sharedArea, tabArea } from '~/lib/storage-areas'

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

// Within an object a bare pattern would match every text: write `expect.stringMatching`.
expect.addEqualityTesters([
  (found, expected) =>
    typeof found === 'string' && expected instanceof RegExp ? false : undefined,
])

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
 * Queries by role ask of every element, and of all around it, whether it is displayed and visible, and
 * what comes and goes asks for its animation. happy-dom works out the whole style for each answer,
 * which is a fifth of the time of a page. Only the editor brings style sheets here; any other element
 * is displayed as its own style says, or its tag, and visible as what is around it.
 */
function answerStyleAtOnce() {
  const whole = window.getComputedStyle.bind(window)
  const hasSheet = (element: Element) => /\bcm-/.test(element.getAttribute('class') ?? '')
  const own = (element: Element, name: 'animationName' | 'display' | 'visibility') =>
    element.hasAttribute('style') && 'style' in element
      ? String(Reflect.get(Object(element.style), name))
      : ''
  const displays = new Map<string, string>()
  const displayOf = ({ namespaceURI, localName }: Element) => {
    const kind = `${namespaceURI} ${localName}`
    const known = displays.get(kind)
    if (known !== undefined) return known
    const probe = document.head.appendChild(document.createElementNS(namespaceURI, localName))
    const { display } = whole(probe)
    probe.remove()
    displays.set(kind, display)
    return display
  }
  const visibilityOf = (element: Element | null): string => {
    if (element === null) return ''
    if (hasSheet(element)) return whole(element).visibility
    return own(element, 'visibility') || visibilityOf(element.parentElement)
  }
  const answers = new Map<PropertyKey, (element: Element) => string>([
    ['display', (element) => own(element, 'display') || displayOf(element)],
    ['visibility', visibilityOf],
    ['animationName', (element) => own(element, 'animationName')],
  ])
  window.getComputedStyle = (element, pseudo) => {
    const style = whole(element, pseudo)
    if (pseudo || !element.isConnected || hasSheet(element)) return style
    const answer = (name: PropertyKey) => answers.get(name)?.(element)
    const getPropertyValue = (name: string) => answer(name) ?? style.getPropertyValue(name)
    // Of a proxy of the style itself, the language asks for what the style has, after each answer.
    return new Proxy(Object.create(CSSStyleDeclaration.prototype), {
      get: (_, name) =>
        name === 'getPropertyValue' ? getPropertyValue : (answer(name) ?? Reflect.get(style, name)),
    })
  }
}

if (hasDom) {
  queueSelectionChange()
  answerStyleAtOnce()
  await forgetOrigins()
}

beforeEach(() => {
  // What a browser does not take is in memory, which tests of a file share.
  for (const area of [sharedArea, tabArea]) for (const key of area.keys()) area.remove(key)
  for (const name of cookieNames()) writeCookie(name, '', -1)
})

afterEach(() => {
  vi.useRealTimers()
  if (!hasDom) return
  library?.cleanup()
  document.body.replaceChildren()
})
