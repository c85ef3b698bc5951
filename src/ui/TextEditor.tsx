import { Suspense } from 'react'
import type { TextEditorProps } from './editor/DrawnTextEditor'
import { lazyWithRetry } from './lazy-with-retry'

const Drawn = lazyWithRetry(() => import('./editors').then(({ editors }) => editors.TextEditor))

/** A labelled editor for JSON and long texts. Any text stays as it is, even a carriage return. */
export const TextEditor = Object.assign(
  (props: TextEditorProps) => (
    <Suspense fallback={<p className="h-90 text-muted">Opening the editor…</p>}>
      <Drawn {...props} />
    </Suspense>
  ),
  { prepare: Drawn.prepare },
)
