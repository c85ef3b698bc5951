import { lazyWithRetry } from './lazy-with-retry'

/** A labelled editor for JSON and long texts. Any text stays as it is, even a carriage return. */
export const TextEditor = lazyWithRetry(
  () => import('./editors').then(({ editors }) => editors.TextEditor),
  { meanwhile: <p className="h-90 text-muted">Opening the editor…</p> },
)
