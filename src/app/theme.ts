/** What a person can choose; `system` follows the operating system's setting. */
export type ThemeChoice = 'dark' | 'light' | 'system'

/** The theme that is painted for a choice. */
function resolveTheme(choice: ThemeChoice): 'dark' | 'light' {
  if (choice !== 'system') return choice
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

/** Paints a theme. */
export function paintTheme(choice: ThemeChoice): void {
  const theme = resolveTheme(choice)
  const root = document.documentElement
  root.dataset.theme = theme
  root.style.colorScheme = theme
}

/**
 * Paints a choice and, when it is `system`, paints again whenever the system changes its theme;
 * returns what stops that.
 */
export function followTheme(
  choice: ThemeChoice,
  paint: typeof paintTheme = paintTheme,
): () => void {
  paint(choice)
  if (choice !== 'system') return () => {}
  const media = matchMedia('(prefers-color-scheme: light)')
  const again = () => paint(choice)
  media.addEventListener('change', again)
  return () => media.removeEventListener('change', again)
}
