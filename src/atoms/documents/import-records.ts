import { atom } from 'jotai'
import * as v from 'valibot'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { draftOwnerAtom } from '../storage/drafts'
import { importsOf } from '../storage/import-places'
import { storageAtom } from '../storage/stored'
import { isHeld, tabNameAtom } from '../storage/tab-name'
import type { DocumentImport, ImportFile } from './import-file'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const tx = v.pipe(v.string(), v.regex(/^\d{1,20}$/))
const lines = { from: count, to: count }

/** An import that is not at its end, as this browser remembers it: none of its documents. */
const record = v.object({
  kind: v.literal('documents'),
  file: v.object({ name: v.string(), size: count, checksum: count, documents: count }),
  /** By which the file was read; older builds kept none. */
  idField: v.optional(v.string()),
  committed: v.nullable(v.object({ ...lines, firstTx: tx, lastTx: tx, transactions: count })),
  done: count,
  /** What was sent without an answer; null for nothing. */
  open: v.nullable(v.object({ ...lines, sent: count })),
  txBefore: tx,
  /** The tab that runs it, and when it last said so; null once it rests. */
  holder: v.nullable(v.object({ tab: v.string(), at: v.number() })),
})

export type ImportRecord = v.InferOutput<typeof record>

/** By place; null where there is none. */
const knownAtom = atom<ReadonlyMap<string, ImportRecord | null>>(
  new Map<string, ImportRecord | null>(),
)

/** Where the import into a collection is remembered; null without a user. */
const placeAtom = atom((get) => (database: string, collection: string): string | null => {
  const owner = get(draftOwnerAtom)
  const name = JSON.stringify(['documents', database, collection])
  return owner && `${importsOf(owner)}${name}`
})

const readAtom = atom(
  null,
  async (get, set, database: string, collection: string): Promise<ImportRecord | null> => {
    const place = get(placeAtom)(database, collection)
    if (place === null) return null
    const found = await get(storageAtom).read(place)
    const kept = v.is(record, found) ? found : null
    set(knownAtom, new Map(get(knownAtom)).set(place, kept))
    return kept
  },
)

/** Returns the atom of the import into a collection that this browser remembers; null for none. */
export const keptImportsAtom = atom(() =>
  memoizeByNames((database = '', collection = '') => {
    const kept = atom(
      (get) => get(knownAtom).get(get(placeAtom)(database, collection) ?? '') ?? null,
      (_get, set) => set(readAtom, database, collection),
    )
    kept.onMount = (read) => void read()
    return kept
  }),
)

/** The import as storage has it now, and whether another tab runs it. */
export const readKeptImportAtom = atom(
  null,
  async (get, set, database: string, collection: string) => {
    const kept = await set(readAtom, database, collection)
    return kept && { kept, isElsewhere: isHeld(kept, get(tabNameAtom), Date.now()) }
  },
)

/** Remembers how far an import is; `open` is what was sent without an answer. */
export const keepImportAtom = atom(
  null,
  async (get, set, now: DocumentImport, open: ImportRecord['open']): Promise<void> => {
    const { database, collection, file, committed, done, txBefore, state } = now
    const place = get(placeAtom)(database, collection.name)
    // After “Log out and erase drafts” nothing is remembered any more.
    if (place === null) return
    const { name, size, checksum, documents } = file
    const kept: ImportRecord = {
      kind: 'documents',
      file: { name, size, checksum, documents: documents.length },
      idField: collection.idField,
      committed,
      done,
      open,
      txBefore,
      holder: state === 'running' ? { tab: get(tabNameAtom), at: Date.now() } : null,
    }
    set(knownAtom, new Map(get(knownAtom)).set(place, kept))
    await get(storageAtom).write(place, kept)
  },
)

/** Forgets an import that is over or given up. */
export const forgetKeptImportAtom = atom(
  null,
  async (get, set, database: string, collection: string): Promise<void> => {
    const place = get(placeAtom)(database, collection)
    if (place === null) return
    set(knownAtom, new Map(get(knownAtom)).set(place, null))
    await get(storageAtom).remove(place)
  },
)

/** Whether a file is the one whose import is remembered. */
export function isFileOf({ file: kept }: ImportRecord, file: ImportFile): boolean {
  return (
    kept.size === file.size &&
    kept.checksum === file.checksum &&
    kept.documents === file.documents.length
  )
}
