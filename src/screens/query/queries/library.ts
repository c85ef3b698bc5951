import { LibraryDialog } from './LibraryDialog'
import { SaveDialog } from './SaveDialog'

/** What saves and lists queries, in one script. */
export const library = { LibraryDialog, SaveDialog }
