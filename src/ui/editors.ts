import { DrawnTextEditor } from './editor/DrawnTextEditor'
import { SqlEditor } from './SqlEditor'

/** All that edits with CodeMirror, in one script: most of it is the library. */
export const editors = { SqlEditor, TextEditor: DrawnTextEditor }
