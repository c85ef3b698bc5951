import type { Locator, Page } from 'playwright-core'

/** What a screen says of an object, by what is seen and by nothing else. */
export type Seen = {
  /**
   * `verified`: the colour of proof without a word of a gap. `in part`: a gap is named. `contradicted`:
   * a colour of warning or error. `nothing`: none of these.
   */
  readonly says: 'verified' | 'in part' | 'contradicted' | 'nothing'
  /** The words of the mark. */
  readonly words: string
}

/** What the judge reads of one place, in the page. */
type Reading = {
  readonly tones: readonly string[]
  readonly words: string
}

/**
 * Colours of a theme by the names of `src/styles/app.css`. A mark is what has the colour of one of
 * them: its icon or its words.
 */
const tones = ['verified', 'warning', 'error'] as const

/**
 * What the marks in a place say. The ladder of a proof has its own colours and is left out: it tells
 * how something is proven, not what.
 */
export async function seen(place: Locator): Promise<Seen> {
  const readings = await place.evaluateAll(readMarks, tones)
  const all = readings.flatMap((one) => one.tones)
  const words = readings.map((one) => one.words).join('\n')
  if (all.includes('error') || all.includes('warning')) return { says: 'contradicted', words }
  if (/\bin part\b/i.test(words)) return { says: 'in part', words }
  return { says: all.includes('verified') ? 'verified' : 'nothing', words }
}

/** Runs in the page. */
function readMarks(places: Element[], names: typeof tones): Reading[] {
  const probe = document.body.appendChild(document.createElement('i'))
  const colours = new Map(
    names.map((name) => {
      probe.style.color = `var(--${name})`
      return [getComputedStyle(probe).color, name] as const
    }),
  )
  probe.remove()
  return places.map((place) => {
    const marks = [place, ...place.querySelectorAll('*')].filter((one) => {
      if (one.closest('[aria-label=Proof]:is(ol, ul)')) return false
      const isMark = one.tagName.toLowerCase() === 'svg' || hasWords(one)
      return isMark && one.getClientRects().length > 0
    })
    const tones = marks.flatMap((one) => colours.get(getComputedStyle(one).color) ?? [])
    const label = place.getAttribute('aria-label') ?? ''
    // As it is laid out, because what is hidden says nothing.
    // biome-ignore lint/performance/useDomNodeTextContent: That has what is hidden as well.
    const words = place instanceof HTMLElement ? place.innerText : (place.textContent ?? '')
    return { tones, words: `${label} ${words}`.trim() }
  })

  function hasWords(one: Element): boolean {
    return [...one.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
    )
  }
}

/**
 * What is drawn in places: their text, what their fields hold, and what is told of a part when one
 * points at it. Buttons and marks are left out: they say what can be done and what is proven.
 */
export async function drawn(places: Locator): Promise<string> {
  const texts = await places.evaluateAll((all) =>
    all.map((place) => {
      const fields = [...place.querySelectorAll('input, textarea')].map((field) =>
        field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
          ? field.value
          : '',
      )
      const hints = [...place.querySelectorAll('[title]')].flatMap((one) =>
        one.closest('button, a, [data-mark]') ? [] : [one.getAttribute('title') ?? ''],
      )
      // biome-ignore lint/performance/useDomNodeTextContent: That has what is hidden as well.
      const text = place instanceof HTMLElement ? place.innerText : (place.textContent ?? '')
      return [text, ...fields, ...hints].join('\n')
    }),
  )
  return texts.join('\n----\n')
}

/** The drawer with a proof. */
export function proofDrawer(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Proof of / })
}

/** The boxes of a drawer that say what came of the check; what is below them explains it. */
export function verdictBoxes(page: Page): Locator {
  return proofDrawer(page).locator('[role=status]:not([aria-busy]), [role=alert]')
}

/** Waits until the drawer has something to say: a proof to be saved, or that it could not be had. */
export async function drawerSettled(page: Page, timeout: number): Promise<void> {
  const drawer = proofDrawer(page)
  const saved = drawer.getByRole('button', { name: 'Save evidence', exact: true })
  await saved.or(drawer.getByRole('alert')).first().waitFor({ timeout })
}

const kindWords: Readonly<Record<string, RegExp>> = {
  value: /value|content|cell|column\b.*number|rounded|digits/i,
  name: /name|table|column|field|description|catalog/i,
  type: /type|table|column|description|content/i,
  time: /time|clock|commit|when/i,
  expiry: /expir/i,
  revision: /revision|_rev|number of/i,
  author: /author|user|who/i,
  tx: /transaction|\btx\b/i,
  reference: /refer|target/i,
  score: /score/i,
  'number of entries': /number of|entries|count/i,
  hash: /hash|digest/i,
  presence: /list|complete|order|number|description|column|field|entries|revision/i,
}

/** Whether what a mark leaves open is this leaf: by its own name or by what it is. */
export function isNamed(words: string, leaf: { kind: string; names: readonly string[] }): boolean {
  const own = leaf.names.filter((name) => !/^\d+$/.test(name)).at(-1)
  const generic = /^(n|s|f|ts|b|bs|value|name|type|key)$/
  if (own !== undefined && !generic.test(own) && words.includes(own)) return true
  return kindWords[leaf.kind]?.test(words) ?? false
}
