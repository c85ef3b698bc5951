// Names in the browser’s storage of what only a login brings.
export const historyStorageKey = 'webconsole.history'
export const samplesStorageKey = 'webconsole.samples'
export const momentsStorageKey = 'webconsole.moments'
/** Saved queries. */
export const queriesStorageKey = 'webconsole.queries'
/** Delimiters and formats of Keys. */
export const keyViewStorageKey = 'webconsole.keys'
/** Columns of tables that are hidden or moved. */
export const columnsStorageKey = 'webconsole.columns'
/** Which steps were done when something was damaged. */
export const damageStorageKey = 'webconsole.damage'
/** Imports that are not at their end. */
export const importsStorageKey = 'webconsole.imports'
/** Files that were imported. */
export const importedStorageKey = 'webconsole.imported'
/** The session for documents, while a page is loaded again. */
export const documentSessionStorageKey = 'webconsole.documentsession'
