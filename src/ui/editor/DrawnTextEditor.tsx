import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { visibleText } from '~/lib/visible-text'
import { cx } from '../cx'
import { type MountedTextEditor, mountTextEditor, type TextLanguage } from './text'

// Outside React: the editor.

export type TextEditorProps = {
  label: string
  /** The text to begin with; afterwards the editor owns its text. */
  value: string
  onChange: (value: string) => void
  language: TextLanguage
  /** Announced politely when it appears; the line for it is always reserved, so nothing jumps. */
  error?: string | undefined
  hint?: string | undefined
  readOnly?: boolean
  /** Called once it is there; `focus` puts the caret at the beginning. */
  onMount?: (focus: () => void) => void
}

/** The editor for `editors.ts`. Mounts and disposes it; how it behaves is in `text.ts`. */
export function DrawnTextEditor(props: TextEditorProps) {
  const { label, error, hint, readOnly = false } = props
  const id = useId()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<MountedTextEditor>(null)
  const message = error ?? hint
  const onChange = useEffectEvent((text: string) => props.onChange(text))
  const mount = useEffectEvent((parent: HTMLElement) => {
    const { value, language, onMount } = props
    const mounted = mountTextEditor(parent, { text: value, language, onChange })
    onMount?.(() => {
      mounted.view.focus()
      parent.scrollIntoView({ block: 'nearest' })
    })
    return mounted
  })

  useEffect(() => {
    if (!host.current) return
    const mounted = mount(host.current)
    editor.current = mounted
    return () => {
      editor.current = null
      mounted.destroy()
    }
  }, [])
  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly])
  const isWrong = error !== undefined
  useEffect(() => {
    editor.current?.setAttributes({
      'aria-labelledby': `${id}-label`,
      'aria-describedby': `${id}-message`,
      ...(isWrong && { 'aria-invalid': 'true' }),
    })
  }, [id, isWrong])

  return (
    <div className="min-w-0">
      <span className="mb-1 block font-medium text-sm text-text" id={`${id}-label`}>
        {label}
      </span>
      <div
        className={cx(
          'relative h-80 min-h-40 resize-y overflow-hidden rounded border',
          error ? 'border-error' : 'border-field',
          readOnly && 'border-dashed',
        )}
        ref={host}
      />
      <p
        aria-live="polite"
        className={cx('min-h-6 pt-1 text-xs', error ? 'text-error' : 'text-muted')}
        id={`${id}-message`}
      >
        {message && visibleText(message)}
      </p>
    </div>
  )
}
