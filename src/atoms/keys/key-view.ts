import { atom } from 'jotai'
import * as v from 'valibot'
import { type Io, mountedAtom } from '~/core/act'
import { draftOwnerAtom } from '~/core/drafts'
import { databaseAtom } from '~/core/session/session'
import { storageAtom } from '~/core/storage/stored'
import { guessDelimiter, prefixOf } from '~/immudb/key-levels'
import { type ByteFormat, valueFormats } from '~/lib/byte-formats'
import { keyViewStorageKey } from '~/lib/storage-keys'

/** Longest delimiter in bytes. */
export const longestDelimiter = 16
/** Prefixes whose format is remembered in one database. */
const mostFormats = 200

const byteString = v.pipe(v.string(), v.regex(/^[\0-\xff]*$/))
const format = v.object({ prefix: byteString, format: v.picklist(valueFormats) })
const view = v.object({
  database: v.string(),
  /** A byte string, empty for none; null while none was chosen, so that the keys decide. */
  delimiter: v.nullable(
    v.pipe(
      byteString,
      v.check((text) => text.length <= longestDelimiter),
    ),
  ),
  /** Or else the list. */
  isTreeShown: v.boolean(),
  /** The list has the last transaction of each key, its time and its revision. */
  isHistoryShown: v.optional(v.boolean()),
  formats: v.array(format),
})
const kept = v.object({ views: v.array(view) })

/** How the keys of a database are shown. */
export type KeyView = v.InferOutput<typeof view>

const viewsAtom = atom<readonly KeyView[] | null>(null)

/** Where the views are kept: they name prefixes, so they are the user's on this server. */
const placeAtom = atom((get) => {
  const owner = get(draftOwnerAtom)
  return owner && `${keyViewStorageKey} ${JSON.stringify([owner.server, owner.user])}`
})

function readViews(value: unknown): readonly KeyView[] {
  return v.is(kept, value) ? value.views : []
}

function viewOf(views: readonly KeyView[], database: string): KeyView {
  const usual = { database, delimiter: null, isTreeShown: true, formats: [] }
  return views.find((one) => one.database === database) ?? usual
}

/** How the keys of the open database are shown; null until storage has answered. */
export const keyViewAtom = mountedAtom(
  (get) => {
    const views = get(viewsAtom)
    return views && viewOf(views, get(databaseAtom) ?? '')
  },
  (io) => {
    void readKept(io)
    return undefined
  },
)

async function readKept({ get, set }: Io): Promise<void> {
  const place = get(placeAtom)
  const found = place === null ? [] : readViews(await get(storageAtom).read(place))
  set(viewsAtom, (known) => known ?? found)
}

/** Changes how the keys of the open database are shown, and remembers it. */
export function changeKeyView({ get, set }: Io, change: Partial<KeyView>) {
  const database = get(databaseAtom) ?? ''
  const changed = (views: readonly KeyView[]) => [
    ...views.filter((one) => one.database !== database),
    { ...viewOf(views, database), ...change },
  ]
  set(viewsAtom, changed(get(viewsAtom) ?? []))
  const place = get(placeAtom)
  if (place === null) return
  void get(storageAtom).keep(place, (value) => ({ views: changed(readViews(value)) }))
}

/** The format that is remembered for a key (standard base64), with the longest prefix it is for. */
export const formatOfKeyAtom = atom((get) => {
  const formats = get(keyViewAtom)?.formats ?? []
  return (key: string) => {
    const bytes = atob(key)
    const found = formats.filter(({ prefix }) => bytes.startsWith(prefix))
    return found.reduce<(typeof found)[number] | null>(
      (best, one) => (best && best.prefix.length >= one.prefix.length ? best : one),
      null,
    )
  }
})

/** The prefix that a key (standard base64) stands under in the tree, as a byte string. */
export const prefixOfKeyAtom = atom((get) => {
  const chosen = get(keyViewAtom)?.delimiter ?? null
  return (key: string) => {
    const bytes = atob(key)
    return prefixOf(chosen ?? guessDelimiter([bytes]) ?? '', bytes)
  }
})

/** Remembers the format of all keys with a prefix (a byte string); null forgets it. */
export function rememberFormat(io: Io, prefix: string, wanted: ByteFormat | null) {
  const others = (io.get(keyViewAtom)?.formats ?? []).filter((one) => one.prefix !== prefix)
  const own = wanted === null ? [] : [{ prefix, format: wanted }]
  changeKeyView(io, { formats: [...others, ...own].slice(-mostFormats) })
}
