import { atom } from 'jotai'
import * as v from 'valibot'
import { draftOwnerAtom } from '~/core/storage/drafts'
import { importedOf, importsOf } from '~/core/storage/import-places'
import { storageAtom } from '~/core/storage/stored'
import { isHeld, tabNameAtom } from '~/core/storage/tab-name'
import { memoizeByNames } from '~/lib/memoize-by-names'
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
  /** Lines that the server refused and that were left out. */
  leftOut: v.optional(v.array(count)),
  /** Whether documents that would be stored otherwise than written were left out. */
  leavesWarned: v.optional(v.boolean()),
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
    const place = get(placeAtom)(now.database, now.collection.name)
    // After “Log out and erase drafts” nothing is remembered any more.
    if (place === null) return
    const isRunning = now.state === 'running'
    const kept = recordOf(now, open, isRunning ? { tab: get(tabNameAtom), at: Date.now() } : null)
    set(knownAtom, new Map(get(knownAtom)).set(place, kept))
    await get(storageAtom).write(place, kept)
  },
)

function recordOf(
  now: DocumentImport,
  open: ImportRecord['open'],
  holder: ImportRecord['holder'],
): ImportRecord {
  const { collection, committed, done, leftOut, leavesWarned, txBefore } = now
  const { name, size, checksum, documents } = now.file
  return {
    kind: 'documents',
    file: { name, size, checksum, documents: documents.length },
    idField: collection.idField,
    committed,
    done,
    leftOut: [...leftOut],
    leavesWarned,
    open,
    txBefore,
    holder,
  }
}

/** Imports that are over or given up, so that no file is imported twice without a word. */
const ended = v.array(v.object({ ...record.entries, endedAt: v.number() }))
export type EndedImport = v.InferOutput<typeof ended>[number]

/** Most of them that are remembered for a collection. */
const mostEnded = 20

/** Where the imports into a collection are remembered that ended; null without a user. */
const endedPlaceAtom = atom((get) => (database: string, collection: string): string | null => {
  const owner = get(draftOwnerAtom)
  return owner && importedOf(owner, JSON.stringify(['documents', database, collection]))
})

/**
 * Ends an import that is over or given up: it is no longer to be continued, and is remembered with
 * its file.
 * @param now how far it is, where that is not stored yet
 */
export const endKeptImportAtom = atom(
  null,
  async (
    get,
    set,
    database: string,
    collection: string,
    now: DocumentImport | null = null,
  ): Promise<void> => {
    const [place, endedPlace] = [placeAtom, endedPlaceAtom].map((of) =>
      get(of)(database, collection),
    )
    if (!place || !endedPlace) return
    set(knownAtom, new Map(get(knownAtom)).set(place, null))
    const found = now ? recordOf(now, null, null) : await get(storageAtom).read(place)
    const last = v.is(record, found) ? found : null
    if (last !== null && (last.committed !== null || last.open !== null)) {
      const { file } = last
      await get(storageAtom).change(endedPlace, (found) => {
        const others = (v.is(ended, found) ? found : []).filter(
          (one) => one.file.checksum !== file.checksum || one.file.size !== file.size,
        )
        return [{ ...last, holder: null, endedAt: Date.now() }, ...others].slice(0, mostEnded)
      })
    }
    await get(storageAtom).remove(place)
  },
)

/** The import of a file into a collection that is over or was given up; null for none. */
export const readEndedImportAtom = atom(
  null,
  async (
    get,
    _set,
    database: string,
    collection: string,
    { size, checksum }: ImportFile,
  ): Promise<EndedImport | null> => {
    const place = get(endedPlaceAtom)(database, collection)
    const found = place && (await get(storageAtom).read(place))
    if (!v.is(ended, found)) return null
    return found.find(({ file }) => file.size === size && file.checksum === checksum) ?? null
  },
)

/** Takes up an import that was given up. */
export const reviveImportAtom = atom(
  null,
  async (
    get,
    set,
    database: string,
    collection: string,
    { endedAt: _at, ...kept }: EndedImport,
  ): Promise<void> => {
    const place = get(placeAtom)(database, collection)
    if (place === null) return
    set(knownAtom, new Map(get(knownAtom)).set(place, kept))
    await get(storageAtom).write(place, kept)
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
