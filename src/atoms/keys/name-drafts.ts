import * as v from 'valibot'
import { unappliedForms } from '~/core/drafts'
import { valueFormats } from '~/lib/byte-formats'

const typed = v.object({ text: v.string(), format: v.picklist(valueFormats) })

/** The name that is typed for a sorted set to be opened, by database. */
export const setNameForms = unappliedForms('set', typed)

/** The delimiter that is typed for the levels of the tree, by database. */
export const delimiterForms = unappliedForms('delimiter', typed)
