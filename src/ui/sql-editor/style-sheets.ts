import { StyleModule } from 'style-mod'

let isInstalled = false

/**
 * Makes CodeMirror put its styles into a constructed style sheet, which the content security policy
 * allows, instead of a style element, which it forbids. style-mod does so for a root without `head`;
 * it is handed one that has nothing but the document's sheets. Call before the first editor.
 */
export function adoptStyleSheets(): void {
  if (isInstalled || !('adoptedStyleSheets' in document)) return
  isInstalled = true
  const sheets = {
    ownerDocument: document,
    get adoptedStyleSheets() {
      return document.adoptedStyleSheets
    },
    set adoptedStyleSheets(adopted: CSSStyleSheet[]) {
      document.adoptedStyleSheets = adopted
    },
  }
  // The library reads these two properties of its root and no other.
  const root = sheets as unknown as DocumentOrShadowRoot
  const mount = StyleModule.mount
  StyleModule.mount = (target, modules, options) =>
    mount(target === document ? root : target, modules, options)
}
