import * as v from 'valibot'
import { chartChoice } from '~/sql/chart-choice'

/** The saved query that an editor shows, as it was when it was opened or saved last. */
export const editorQuery = v.object({
  /** Kept in this browser, or in the editor's database for everyone. */
  place: v.picklist(['browser', 'shared']),
  id: v.string(),
  name: v.string(),
  folder: v.string(),
  description: v.string(),
  /** The text as it was saved: its checksum and its length. */
  sum: v.number(),
  length: v.number(),
  /** The chart as it was saved; none: none. */
  chart: v.optional(chartChoice),
  /** The version that the editor began with, which must still be there when it is saved. */
  mark: v.string(),
})
export type EditorQuery = v.InferOutput<typeof editorQuery>
