import { atom } from 'jotai'
import * as v from 'valibot'
import { newWriteId } from '~/api/write-once'
import { parsedJson } from '~/lib/parsed-json'
import { importedStorageKey, importsStorageKey } from '~/lib/storage-keys'
import type { Io } from './act'
import { type DraftOwner, draftOwnerAtom } from './drafts'
import type { Storage } from './storage/storage'
import { storageAtom } from './storage/stored'
import type { Holder } from './storage/tab-name'
import { type FileId, firstProgress, isSameFile, type UploadProgress } from './upload-progress'

export type UploadKind = 'tables' | 'documents' | 'scripts'

/** What an upload does; it holds no value of the file. */
export type UploadPlan = {
  readonly database: string
  /** The table or collection. */
  readonly into: string
  readonly file: FileId
  /** Items of the whole file. */
  readonly items: number
  /** Numbers of the items that are not sent. */
  readonly leftOut: readonly number[]
}

/** An upload as this browser remembers it, so that it can continue after a reload. */
export type UploadRecord<P extends UploadPlan = UploadPlan> = {
  readonly version: 3
  readonly kind: UploadKind
  readonly plan: P
  readonly progress: UploadProgress
  /** The tab that ran it last; null once it rests. */
  readonly holder: Holder | null
  /** The page that wrote this; a reload and a copied tab are other pages. */
  readonly page: string
  /** When it came to its end or was given up; missing for one that is to be continued. */
  readonly endedAt?: number
  /** An older console began it, which read files otherwise, so it cannot be continued. */
  readonly isOfOlder?: true
}

/** This page, until it is left. */
export const pageNameAtom = atom(newWriteId)

/** The uploads of this page that are not at their end: they would stop with the page. */
export const openUploadsAtom = atom<ReadonlyMap<UploadKind, 'running' | 'stopped'>>(new Map())

/** The uploads of all users that this browser knows to be unfinished, by their places. */
const knownAtom = atom<ReadonlyMap<string, UploadRecord>>(new Map<string, UploadRecord>())

/** The unfinished uploads of the signed-in user, as far as they were looked for. */
export const begunUploadsAtom = atom((get): readonly UploadRecord[] => {
  const owner = get(draftOwnerAtom)
  if (owner === null) return []
  const beginning = begunOf(owner)
  return [...get(knownAtom)].flatMap(([place, of]) => (place.startsWith(beginning) ? [of] : []))
})

/** Each has a place of its own, because it is written with every transaction. */
function begunPlace(owner: DraftOwner, kind: UploadKind, { database, into, file }: UploadPlan) {
  const name = JSON.stringify([kind, database, into, file.name, file.size, file.checksum])
  return `${begunOf(owner)}${name}`
}

function begunOf({ server, user }: DraftOwner): string {
  return `${importsStorageKey} ${JSON.stringify([server, user])} `
}

function endedOf({ server, user }: DraftOwner): string {
  return `${importedStorageKey} ${JSON.stringify([server, user])} `
}

async function placesIn(storage: Storage, beginning: string): Promise<string[]> {
  return (await storage.keys()).filter((key) => key.startsWith(beginning))
}

/** Keeps an upload in the place of its older state. False when this browser cannot. */
export function keepUpload(io: Io, owner: DraftOwner, record: UploadRecord): Promise<boolean> {
  const place = begunPlace(owner, record.kind, record.plan)
  note(io, place, record)
  return io.get(storageAtom).write(place, record)
}

function note({ get, set }: Io, place: string, record: UploadRecord | null): void {
  const known = new Map(get(knownAtom))
  if (record === null) known.delete(place)
  else known.set(place, record)
  set(knownAtom, known)
}

/** What is remembered of an upload now, perhaps by another tab; null for nothing. */
export async function readUpload<P extends UploadPlan>(
  io: Io,
  owner: DraftOwner,
  kind: UploadKind,
  plan: P,
): Promise<UploadRecord<P> | null> {
  const found = await io.get(storageAtom).read(begunPlace(owner, kind, plan))
  return isRecord<P>(found) ? found : null
}

/** Forgets an upload that is to be continued; what is committed stays. */
export function forgetUpload(
  io: Io,
  owner: DraftOwner,
  { kind, plan }: Pick<UploadRecord, 'kind' | 'plan'>,
): Promise<boolean> {
  const place = begunPlace(owner, kind, plan)
  note(io, place, null)
  return io.get(storageAtom).remove(place)
}

/** Most files that are remembered for one table or collection. */
const mostEnded = 20

/**
 * Ends an upload that is over or given up: it is no longer offered, and is remembered with its file,
 * so that no file is imported twice without a word.
 */
export async function endUpload(io: Io, owner: DraftOwner, record: UploadRecord): Promise<void> {
  const { kind, plan, progress } = record
  if (progress.inserted > 0 || progress.pending !== null) {
    const place = `${endedOf(owner)}${JSON.stringify([kind, plan.database, plan.into])}`
    await io.get(storageAtom).change(place, (found) => {
      const others = recordsIn(found).filter((one) => !isSameFile(one.plan.file, plan.file))
      return [{ ...record, holder: null, endedAt: Date.now() }, ...others].slice(0, mostEnded)
    })
  }
  await forgetUpload(io, owner, record)
}

/** Looks up the unfinished uploads of the signed-in user. */
export async function findBegun(io: Io): Promise<readonly UploadRecord[]> {
  const owner = io.get(draftOwnerAtom)
  if (owner === null) return []
  const storage = io.get(storageAtom)
  const places = await placesIn(storage, begunOf(owner))
  const found = await Promise.all(
    places.map(async (place): Promise<[string, UploadRecord] | null> => {
      const value = await storage.read(place)
      if (isRecord(value)) return [place, value]
      const record = uploadOfOlder(place.slice(begunOf(owner).length), value)
      if (record === null) return null
      const now = begunPlace(owner, record.kind, record.plan)
      if (await storage.write(now, record)) await storage.remove(place)
      return [now, record]
    }),
  )
  const records = found.filter((one) => one !== null)
  const others = [...io.get(knownAtom)].filter(([place]) => !place.startsWith(begunOf(owner)))
  io.set(knownAtom, new Map([...others, ...records]))
  return records.map(([, record]) => record)
}

/** Where a file is looked for. */
export type UploadInto = {
  readonly kind: UploadKind
  readonly database: string
  /** Missing for any. */
  readonly into?: string
}

export function isInto({ kind, plan }: UploadRecord, where: UploadInto): boolean {
  const isThere = where.into === undefined || plan.into === where.into
  return kind === where.kind && plan.database === where.database && isThere
}

/** An upload of a file that this browser knows: unfinished, or else the last that ended. */
export async function findUpload<P extends UploadPlan>(
  io: Io,
  where: UploadInto,
  file: FileId,
): Promise<UploadRecord<P> | null> {
  const owner = io.get(draftOwnerAtom)
  if (owner === null) return null
  // What is remembered of one kind has the plan of that kind.
  const isIt = (record: UploadRecord): record is UploadRecord<P> =>
    isInto(record, where) && isSameFile(record.plan.file, file)
  const begun = (await findBegun(io)).find(isIt)
  if (begun) return begun
  const storage = io.get(storageAtom)
  const places = await placesIn(storage, endedOf(owner))
  const ended = await Promise.all(places.map((place) => storage.read(place)))
  const [last] = ended
    .flatMap(recordsIn)
    .filter(isIt)
    .sort((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0))
  return last ?? null
}

/** Forgets everything about uploads of the signed-in user; what is committed stays. */
export async function forgetUploads(io: Io): Promise<void> {
  const owner = io.get(draftOwnerAtom)
  if (owner === null) return
  const storage = io.get(storageAtom)
  const places = [begunOf(owner), endedOf(owner)].map((of) => placesIn(storage, of))
  io.set(knownAtom, new Map<string, UploadRecord>())
  await Promise.all((await Promise.all(places)).flat().map((place) => storage.remove(place)))
}

function isRecord<P extends UploadPlan>(value: unknown): value is UploadRecord<P> {
  return Object(value).version === 3
}

function recordsIn(value: unknown): UploadRecord[] {
  return Array.isArray(value) ? value.filter((one) => isRecord(one)) : []
}

const count = v.number()
const tx = v.pipe(v.string(), v.regex(/^\d{1,20}$/))
const spans = v.array(v.object({ from: count, to: count }))
// A tab with the older console may still be at it.
const holder = v.nullable(v.object({ tab: v.string(), at: count }))

const ofTable = v.object({
  version: v.literal(1),
  plan: v.object({
    database: v.string(),
    file: v.object({ name: v.string(), size: count, beginning: count }),
    target: v.object({ table: v.string() }),
    rows: count,
    leftOut: v.array(count),
  }),
  progress: v.object({
    isCreated: v.boolean(),
    isTablePending: v.boolean(),
    row: count,
    line: count,
    inserted: count,
    transactions: count,
    txs: v.array(v.object({ from: tx, to: tx })),
    pending: v.nullable(v.object({ from: count, to: count, txBefore: tx })),
    assumed: spans,
  }),
  holder,
})

const ofCollection = v.object({
  kind: v.literal('documents'),
  file: v.object({ name: v.string(), size: count, checksum: count, documents: count }),
  committed: v.nullable(v.object({ to: count, firstTx: tx, lastTx: tx, transactions: count })),
  done: count,
  open: v.nullable(v.object({ from: count, to: count, sent: count })),
  txBefore: tx,
  holder,
})

const collectionPlace = v.tuple([v.literal('documents'), v.string(), v.string()])

const rest = { version: 3, page: '', isOfOlder: true } as const
const noLines = { fromLine: 0, toLine: 0 }

/**
 * An unfinished upload as the console of 28 November 2026 kept it; null for anything else.
 * @param name the end of its place
 */
function uploadOfOlder(name: string, value: unknown): UploadRecord | null {
  const table = v.safeParse(ofTable, value)
  if (table.success) {
    const { plan, progress } = table.output
    const { row, isCreated, isTablePending, pending, ...same } = progress
    const { beginning: checksum, ...file } = plan.file
    const { database, target, rows: items, leftOut } = plan
    return {
      ...rest,
      kind: 'tables',
      holder: table.output.holder,
      plan: { database, into: target.table, file: { ...file, checksum }, items, leftOut },
      progress: {
        ...firstProgress(isCreated),
        ...same,
        item: row,
        isMakePending: isTablePending,
        pending: pending && { ...pending, ...noLines },
      },
    }
  }
  const [documents, place] = [v.safeParse(ofCollection, value), parsedJson(name)]
  if (!documents.success || !v.is(collectionPlace, place)) return null
  const { file, committed, done, open, txBefore } = documents.output
  const { documents: items, ...same } = file
  return {
    ...rest,
    kind: 'documents',
    holder: documents.output.holder,
    plan: { database: place[1], into: place[2], file: same, items, leftOut: [] },
    progress: {
      ...firstProgress(),
      item: done,
      line: committed?.to ?? 0,
      inserted: done,
      transactions: committed?.transactions ?? 0,
      txs: committed ? [{ from: committed.firstTx, to: committed.lastTx }] : [],
      pending: open && {
        from: done + 1,
        to: done + open.sent,
        fromLine: open.from,
        toLine: open.to,
        txBefore,
      },
    },
  }
}
