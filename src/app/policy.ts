/**
 * The one constant that Radix Select sets as markup on a style element; the policy of the page
 * names its hash. A test compares both with the installed package.
 */
export const radixSelectStyle =
  '[data-radix-select-viewport]{scrollbar-width:none;-ms-overflow-style:none;-webkit-overflow-scrolling:touch;}[data-radix-select-viewport]::-webkit-scrollbar{display:none}'

type PolicyFactory = {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string; createScriptURL(url: string): string },
  ): unknown
}

/**
 * Refuses every text that reaches a markup or script sink, apart from that constant and the
 * scripts of this very build. Browsers without Trusted Types rely on the rest of the policy.
 */
export function protectSinks(scriptUrl = import.meta.url): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', {
    createHTML: allowedMarkup,
    createScriptURL: (url) => allowedScript(url, scriptUrl),
  })
}

/** Returns the text when it is the allowed constant; throws otherwise. */
export function allowedMarkup(html: string): string {
  if (html === radixSelectStyle) return html
  throw new TypeError('this page sets no markup from text')
}

const allowedElsewhere = new Set<string>()

/** Allows scripts of others that the build names and the user agreed to. */
export function allowScripts(urls: readonly string[]): void {
  for (const url of urls) allowedElsewhere.add(url)
}

/** Returns the URL when it lies in the folder of `scriptUrl`; throws otherwise. */
export function allowedScript(url: string, scriptUrl: string): string {
  if (allowedElsewhere.has(url)) return url
  const folder = new URL('.', scriptUrl).href
  if (new URL(url, scriptUrl).href.startsWith(folder)) return url
  throw new TypeError('this page loads only its own scripts')
}

/**
 * Whether another page shows this one inside itself without leave. A handler that was told to
 * allow it says so in the page.
 */
export function isFramed(): boolean {
  if (window.top === window.self) return false
  return document.querySelector('meta[name="webconsole-framing"][content="allowed"]') === null
}
