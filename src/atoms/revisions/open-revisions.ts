import { atom } from 'jotai'
import type { RowKey } from '~/immudb/row-address'

/** What has revisions; a key is standard base64. */
export type Subject =
  | {
      readonly kind: 'row'
      readonly database: string
      readonly table: string
      readonly key: RowKey
    }
  | { readonly kind: 'key'; readonly database: string; readonly key: string }
  | {
      readonly kind: 'document'
      readonly database: string
      readonly collection: string
      readonly id: string
    }

/** A history to be shown, perhaps at one of its revisions, or with the last change of each part. */
export type OpenRevisions = Subject & { readonly revision?: string; readonly isBlame?: boolean }

/** The history that is open without being in the address; set it to open one over any screen. */
export const openRevisionsAtom = atom<OpenRevisions | null>(null)
