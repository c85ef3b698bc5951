/** What a person can choose; `system` follows the operating system's setting. */
export type ThemeChoice = 'dark' | 'light' | 'system'

/** `static/theme.js` reads the same key before the first paint. */
const storageKey = 'webconsole-theme'

/** The theme that is painted for a choice. */
function resolveTheme(choice: ThemeChoice): 'dark' | 'light' {
  if (choice !== 'system') return choice
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

/** Paints a theme and mirrors the choice to where the next page load finds it before painting. */
export function applyTheme(choice: ThemeChoice): void {
  const theme = resolveTheme(choice)
  const root = document.documentElement
  root.dataset.theme = theme
  root.style.colorScheme = theme
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    // Storage can be switched off; the theme then lasts as long as the page.
  }
}

/**
 * Paints a choice and, when it is `system`, paints again whenever the system changes its mind;
 * returns what stops that.
 */
export function followTheme(choice: ThemeChoice): () => void {
  applyTheme(choice)
  if (choice !== 'system') return () => {}
  const media = matchMedia('(prefers-color-scheme: light)')
  const again = () => applyTheme(choice)
  media.addEventListener('change', again)
  return () => media.removeEventListener('change', again)
}
