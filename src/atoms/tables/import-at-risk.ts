import { atom } from 'jotai'

/** Whether this page has an import of CSV that is not at its end; it would stop with the page. */
export const isImportOpenAtom = atom(false)
