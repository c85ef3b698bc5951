import { useEffect } from 'react'

// Outside React: the document's style sheets.

/**
 * Stands in for the package of this name below Radix's scroll lock, which adds a `<style>` element
 * that the page's policy forbids. Adopted style sheets need no exception in the policy.
 */
export function stylesheetSingleton() {
  let users = 0
  let sheet: CSSStyleSheet | undefined
  return {
    add(css: string) {
      if (users++ > 0) return
      sheet ??= new CSSStyleSheet()
      sheet.replaceSync(css)
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    },
    remove() {
      if (--users > 0) return
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((item) => item !== sheet)
    },
  }
}

/** A hook that keeps the style while mounted; only the first of several users sets the text. */
export function styleHookSingleton() {
  const sheet = stylesheetSingleton()
  return (styles: string, isDynamic?: boolean) => {
    // biome-ignore lint/correctness/useExhaustiveDependencies: text changes only when asked to
    useEffect(() => {
      sheet.add(styles)
      return () => sheet.remove()
    }, [isDynamic ? styles : ''])
  }
}

/** The hook as a component that renders nothing. */
export function styleSingleton() {
  const useStyle = styleHookSingleton()
  // biome-ignore lint/correctness/noComponentHookFactories: the package's own interface
  return function Sheet({ styles, dynamic }: { styles: string; dynamic?: boolean }) {
    useStyle(styles, dynamic)
    return null
  }
}
