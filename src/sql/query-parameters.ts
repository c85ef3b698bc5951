import * as v from 'valibot'
import { columnTypes } from '~/immudb/column-types'

/** What the server reads behind `@`, in lower case. */
export const namePattern = /^[a-z_][a-z0-9_]*$/

/** What is typed for a `@name` of a statement. It may be no value of its type. */
export const queryParameter = v.object({
  /** Without the `@`, in lower case, because the server ignores case. */
  name: v.pipe(v.string(), v.regex(namePattern)),
  /** How the text is read. */
  type: v.picklist(columnTypes),
  /** The text as typed; null for NULL. */
  text: v.nullable(v.string()),
})
export type QueryParameter = v.InferOutput<typeof queryParameter>

/** The parameters of a text, as a saved query and a tab keep them. */
export const queryParameters = v.array(queryParameter)
