import { atom, type Getter } from 'jotai'
import { insertDocuments } from '~/api/documents'
import { ApiError } from '~/api/errors'
import { newestKnown } from '~/core/history/newest-state'
import { clientAtom } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { checkWrite, placeIn, unanswered } from '~/core/write'
import type { Collection } from '~/immudb/collection'
import { afterEvent, idle, isBusy, type Unknown } from '~/lib/write-state'
import { verifyWriteAtom } from '~/trust/receipts'
import { uncomparedWrite } from '~/trust/sent'
import { runWrite } from '~/trust/write'
import { notSoFar } from '~/words/outcome'
import { refreshDocumentsAtom } from './collections'
import { findBatch } from './import-check'
import {
  batchFrom,
  chosenOf,
  type DocumentImport,
  type ImportFile,
  mostDocuments,
} from './import-file'
import {
  endKeptImportAtom,
  type ImportRecord,
  isFileOf,
  keepImportAtom,
  readKeptImportAtom,
} from './import-records'
import { documentImportAtom, importWriteAtom } from './import-state'
import { openLines } from './import-words'
import { repeatSearchAtom } from './search'

/** Forgets an import that does not run. */
export const forgetImportAtom = atom(null, (get, set) => {
  const now = get(documentImportAtom)
  if (now?.state === 'running') return
  if (now?.state === 'stopped') void set(endKeptImportAtom, now.database, now.collection.name)
  set(importWriteAtom, afterEvent(get(importWriteAtom), { kind: 'forget' }))
  set(documentImportAtom, null)
})

/** Lets the present transaction end and sends no other. */
export const cancelImportAtom = atom(null, (get, set) => {
  const now = get(documentImportAtom)
  if (now?.state === 'running') set(documentImportAtom, { ...now, isCancelled: true })
})

/** Imports a file, one bounded transaction after the other. */
export const startImportAtom = atom(
  null,
  async (
    get,
    set,
    collection: Collection,
    read: ImportFile,
    isWithoutWarned?: boolean,
  ): Promise<void> => {
    const leavesWarned = isWithoutWarned === true
    const database = get(databaseAtom)
    if (database === null || get(documentImportAtom)?.state === 'running') return
    set(importWriteAtom, idle)
    set(documentImportAtom, {
      database,
      collection,
      file: chosenOf(read, leavesWarned),
      committed: null,
      done: 0,
      leftOut: [],
      leavesOut: false,
      leavesWarned,
      sent: 0,
      state: 'running',
      isCancelled: false,
      each: mostDocuments,
      txBefore: newestKnown(get, database),
    })
    await set(runAtom)
  },
)

/**
 * Leaves out the document that the server refused, and goes on behind it.
 * @param leavesOut whether the same is done with each that it refuses from now on
 */
export const leaveOutAtom = atom(null, async (get, set, leavesOut: boolean): Promise<void> => {
  const now = get(documentImportAtom)
  if (now?.state !== 'stopped' || get(importWriteAtom).kind !== 'refused' || now.sent !== 1) return
  set(documentImportAtom, { ...withLeftOut(now), leavesOut })
  await set(continueImportAtom)
})

/** The document that was refused alone is behind the import. */
function withLeftOut(now: DocumentImport): DocumentImport {
  const line = now.file.documents[now.done]?.line
  const leftOut = line === undefined ? now.leftOut : [...now.leftOut, line]
  return { ...now, leftOut, done: now.done + 1, sent: 0 }
}

/** Most documents in a row that are refused and left out without a question. */
const mostRefused = 20

/**
 * Continues a stopped import behind the last document that is committed for certain. With an unknown
 * outcome a line could be stored twice, so that is for the operator to decide, after a check.
 */
export const continueImportAtom = atom(null, async (get, set, isDecided = false): Promise<void> => {
  const now = get(documentImportAtom)
  const write = get(importWriteAtom)
  if (now?.state !== 'stopped') return
  if (write.kind === 'unknown' && !(isDecided && isChecked(write))) return
  set(importWriteAtom, idle)
  const again = { state: 'running', isCancelled: false, each: mostDocuments } as const
  set(documentImportAtom, { ...now, ...again })
  await set(runAtom)
})

/** Whether a check has looked for a write without an answer, and not found it. */
export function isChecked(write: Unknown): boolean {
  return write.finding !== null && !write.isChecking
}

const runAtom = atom(null, async (get, set): Promise<void> => {
  let refusedInARow = 0
  for (;;) {
    const now = get(documentImportAtom)
    if (now?.state !== 'running') return
    const { database, collection, file, done } = now
    if (done >= file.documents.length || now.isCancelled) {
      const isComplete = done >= file.documents.length
      set(documentImportAtom, { ...now, state: isComplete ? 'complete' : 'stopped' })
      break
    }
    const sent = batchFrom(file.documents, done, now.each)
    const txBefore = newestOf(get, now)
    const begun = { ...now, sent, txBefore }
    set(documentImportAtom, begun)
    // The page may be left before the answer.
    await set(keepImportAtom, begun, openOf(begun))
    const documents = file.documents.slice(done, done + sent).map(({ json }) => json)
    let mayBeOneOf = false
    const ended = await runWrite<{ tx: string }>(set, placeIn(get, set, importWriteAtom), {
      database,
      send: () =>
        insertDocuments(get(clientAtom), {
          database,
          collection: collection.name,
          documents,
        }).catch((error: unknown) => {
          mayBeOneOf = isAboutContent(error)
          throw error
        }),
      secondReasons: ['document-conflict'],
    })
    const after = get(documentImportAtom)
    if (!after || ended === null) return
    if (ended.kind === 'refused' && mayBeOneOf && sent > 1) {
      // Smaller ones, down to the document that is refused.
      set(importWriteAtom, idle)
      set(documentImportAtom, { ...after, sent: 0, each: Math.floor(sent / 2) })
      continue
    }
    if (ended.kind === 'refused' && mayBeOneOf && after.leavesOut && refusedInARow < mostRefused) {
      refusedInARow += 1
      set(importWriteAtom, idle)
      set(documentImportAtom, { ...withLeftOut(after), each: mostDocuments })
      continue
    }
    if (ended.kind !== 'committed') {
      set(documentImportAtom, { ...after, state: 'stopped' })
      break
    }
    refusedInARow = 0
    set(documentImportAtom, withCommitted(after, ended.value.tx))
  }
  const ended = get(documentImportAtom)
  if (ended === null) return
  await set(rememberAtom)
  const { database, committed } = ended
  void set(refreshDocumentsAtom, database)
  set(repeatSearchAtom)
  if (committed) {
    const write = { database, tx: committed.lastTx, txBefore: '0' }
    void set(verifyWriteAtom, { ...write, of: 'import', questions: uncomparedWrite(write) })
  }
})

/** Remembers how far an import is that does not run, and forgets one that is complete. */
const rememberAtom = atom(null, async (get, set): Promise<void> => {
  const now = get(documentImportAtom)
  if (now === null) return
  const { database, collection, state } = now
  if (state === 'complete') return set(endKeptImportAtom, database, collection.name, now)
  await set(keepImportAtom, now, get(importWriteAtom).kind === 'unknown' ? openOf(now) : null)
})

function openOf(now: DocumentImport): ImportRecord['open'] {
  const lines = openLines(now)
  return lines && { ...lines, sent: now.sent }
}

/**
 * Takes up an import that this browser remembers, with its file; it stays stopped. Resolves with why
 * it cannot, or null.
 */
export const resumeImportAtom = atom(
  null,
  async (get, set, collection: Collection, read: ImportFile): Promise<string | null> => {
    const database = get(databaseAtom)
    if (database === null) return null
    if (get(documentImportAtom)?.state === 'running') return 'Another import is under way.'
    const found = await set(readKeptImportAtom, database, collection.name)
    if (found === null) return 'Nothing is remembered of this import any more.'
    if (found.isElsewhere) return 'Another tab of this browser seems to be at it.'
    const { committed, done, open, txBefore, leftOut = [], leavesWarned = false } = found.kept
    const file = chosenOf(read, leavesWarned)
    if (!isFileOf(found.kept, file))
      return 'This is another file than the one whose import stopped.'
    set(importWriteAtom, open === null ? idle : lost)
    set(documentImportAtom, {
      database,
      collection,
      file,
      committed,
      done,
      leftOut,
      leavesOut: false,
      leavesWarned,
      sent: open?.sent ?? 0,
      state: 'stopped',
      isCancelled: false,
      each: mostDocuments,
      txBefore,
    })
    return null
  },
)

/** Sent by a page that was left. */
const lost = unanswered('them', 'the page was left')

/**
 * Whether nothing was committed because of one document, or of too many: a database may be set to
 * fewer entries.
 */
function isAboutContent(error: unknown): boolean {
  return error instanceof ApiError && /^(refused|conflict|request-too-large)$/.test(error.kind)
}

function withCommitted(now: DocumentImport, tx: string): DocumentImport {
  const { documents } = now.file
  const [first, last] = [documents[now.done], documents[now.done + now.sent - 1]]
  const before = now.committed
  const committed = {
    from: before?.from ?? first?.line ?? 0,
    to: last?.line ?? 0,
    firstTx: before?.firstTx ?? tx,
    lastTx: tx,
    transactions: (before?.transactions ?? 0) + 1,
  }
  return { ...now, committed, done: now.done + now.sent, sent: 0 }
}

/** The newest transaction that a request sent now cannot be in or before. */
function newestOf(get: Getter, { database, committed, txBefore }: DocumentImport): string {
  const known = [newestKnown(get, database), committed?.lastTx ?? '0', txBefore]
  return known.reduce((one, other) => (BigInt(one) > BigInt(other) ? one : other))
}

/** Looks for the last transaction, which had no answer. */
export const checkImportAtom = atom(null, async (get, set): Promise<void> => {
  const now = get(documentImportAtom)
  if (now?.state !== 'stopped' || isBusy(get(importWriteAtom))) return
  const found = await checkWrite<{ tx: string }>(placeIn(get, set, importWriteAtom), async () => {
    const tx = await findBatch({ get, set }, now)
    return tx === null ? notFound : { kind: 'committed', value: { tx } }
  })
  if (found?.kind !== 'committed') return
  set(documentImportAtom, { ...withCommitted(now, found.value.tx), state: 'stopped' })
  const isComplete = now.done + now.sent >= now.file.documents.length
  const after = get(documentImportAtom)
  if (isComplete && after) set(documentImportAtom, { ...after, state: 'complete' })
  await set(rememberAtom)
  void set(refreshDocumentsAtom, now.database)
})

const notFound = notSoFar(
  'No transaction with these documents is there so far.',
  'commit it',
  'check again later and compare the count before you import these lines once more',
)
