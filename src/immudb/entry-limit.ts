/** Most entries of a transaction, unless the database was created with another `maxTxEntries`. */
export const usualEntryLimit = 1_024
