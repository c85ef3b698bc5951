import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import type { Schema } from '~/sql/completion'
import type { Marker } from './editor/markers'
import {
  type EditorLook,
  type EditorSelection,
  type EditorSnapshot,
  type MountedEditor,
  mountEditor,
  type SqlEditorHandle,
} from './editor/sql'

// Outside React: the editor.

export type { EditorSnapshot, SqlEditorHandle }

export type SqlEditorProps = {
  /** The text to begin with; afterwards the editor owns its text. */
  value: string
  onChange: (text: string) => void
  onSelectionChange?: (selection: EditorSelection) => void
  schema: Schema
  markers: readonly Marker[]
  /** Mod-Enter. */
  onRun: () => void
  /** Shift-Mod-Enter. */
  onRunAll: () => void
  /** Mod-S. */
  onSave?: () => void
  readOnly?: boolean
  /** Without one: 13 px, wrapped. */
  look?: EditorLook
  /** As another editor of this text was left, and what is told when this one is. */
  before?: EditorSnapshot | undefined
  onLeave?: (snapshot: EditorSnapshot) => void
  ref?: Ref<SqlEditorHandle>
}

/** The SQL editor, for `editors.ts`. Mounts and disposes it; all behaviour is in `editor/sql.ts`. */
export function SqlEditor(props: SqlEditorProps) {
  const { schema, markers, readOnly = false, look, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<MountedEditor>(null)
  const mount = useEffectEvent((parent: HTMLElement) =>
    mountEditor(parent, {
      text: props.value,
      before: props.before,
      onChange,
      onSelectionChange,
      onRun,
      onRunAll,
      onSave,
    }),
  )
  const leave = useEffectEvent((mounted: MountedEditor) => props.onLeave?.(mounted.snapshot()))
  const onChange = useEffectEvent((text: string) => props.onChange(text))
  const onSelectionChange = useEffectEvent((selection: EditorSelection) =>
    props.onSelectionChange?.(selection),
  )
  const onRun = useEffectEvent(() => props.onRun())
  const onRunAll = useEffectEvent(() => props.onRunAll())
  const onSave = useEffectEvent(() => props.onSave?.())

  useEffect(() => {
    if (!host.current) return
    const mounted = mount(host.current)
    editor.current = mounted
    return () => {
      leave(mounted)
      editor.current = null
      mounted.destroy()
    }
  }, [])
  useEffect(() => editor.current?.setSchema(schema), [schema])
  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly])
  useEffect(() => editor.current?.setMarkers(markers), [markers])
  useEffect(() => {
    if (look) editor.current?.setLook(look)
  }, [look])
  useImperativeHandle(ref, () => handleTo(() => editor.current), [])

  return <div ref={host} className="h-full min-h-0" />
}

/** A handle that outlives the editor behind it. */
function handleTo(current: () => MountedEditor | null): SqlEditorHandle {
  return {
    getText: () => current()?.getText() ?? '',
    getSelection: () => current()?.getSelection() ?? { from: 0, to: 0, statement: undefined },
    readStatements: async (which) => (await current()?.readStatements(which)) ?? [],
    setText: (text) => current()?.setText(text),
    insert: (text) => current()?.insert(text),
    focus: () => current()?.focus(),
    select: (from, to) => current()?.select(from, to),
  }
}
