import type { Getter, Setter } from 'jotai'

/** The store, as a write of an atom sees it, for functions that several atoms call. */
export type StoreAccess = { get: Getter; set: Setter }
