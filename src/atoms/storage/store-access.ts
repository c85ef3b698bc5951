import type { Getter, Setter } from 'jotai'

/** The store, as a write of an atom sees it, for work that is fetched when it is first done. */
export type StoreAccess = { get: Getter; set: Setter }
