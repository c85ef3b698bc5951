import { atom } from 'jotai'
import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseIdAtom, serverAtom } from '~/core/session/session'
import { pause } from '~/lib/work-in-slices'
import {
  type Checkpoint,
  follows,
  NoteError,
  type NoteFault,
  readCheckpoints,
  readVerifierKey,
  signedBy,
  type VerifierKey,
} from '~/proof/checkpoint'
import { type Conflict, type Proved, proveSigned, type Signed } from './checkpoint-proofs'
import { isSameId, type Sighting } from './trust-record'
import { listRecords } from './trusted-states'
import { verifyState } from './verify-state'

/** Where checkpoints come from; what it is called, such as the name of a file. */
export type CheckpointSource = {
  name: string
  /** Their bytes, or a sentence about why there are none. */
  read(signal: AbortSignal): Promise<{ bytes: Uint8Array } | { problem: string }>
}

/** What is wrong with a file, of which nothing is used then. */
export type FileProblem = {
  line: number
  why: NoteFault | 'wrong-signature' | 'falling'
  /** Of a wrong signature: the key of the witness. */
  witness?: string
}

/** What was in a file. */
export type FileContent = {
  notes: number
  server: string
  database: string
  /** It is of another server than the one that answers, so nothing of it was compared. */
  isElsewhere: boolean
  /** Those that no pinned key has signed, and the keys that they name. */
  unsigned: number
  signers: readonly string[]
}

export type CheckpointRun =
  | { kind: 'none' }
  | { kind: 'reading'; name: string }
  /** In bytes of the file, and in checkpoints. */
  | { kind: 'signatures' | 'proofs'; name: string; done: number; all: number }
  | { kind: 'unread'; name: string; problem: string }
  | { kind: 'refused'; name: string; problem: FileProblem }
  | { kind: 'cancelled'; name: string }
  | { kind: 'done'; name: string; content: FileContent; results: readonly Proved[] }

const runAtom = atom<CheckpointRun>({ kind: 'none' })
const cancelAtom = atom<AbortController | null>(null)

/** The checkpoints that are read or compared now, or were last. */
export const checkpointRunAtom = atom((get) => get(runAtom))

export function cancelCheckpoints({ get }: Io): void {
  get(cancelAtom)?.abort()
}

/** Keys that are listed where no pinned one has signed. */
const mostSigners = 10

/**
 * Reads checkpoints, checks who signed them, and proves those of this server one by one. Only one
 * file is read at a time: another one ends the one before. Never rejects.
 */
export async function loadCheckpoints(io: Io, source: CheckpointSource): Promise<void> {
  cancelCheckpoints(io)
  const ends = new AbortController()
  io.set(cancelAtom, ends)
  const tell = (run: CheckpointRun) => {
    if (io.get(cancelAtom) === ends) io.set(runAtom, run)
  }
  tell({ kind: 'reading', name: source.name })
  tell(await outcomeOf(io, source, { signal: ends.signal, tell }))
}

type Watch = { signal: AbortSignal; tell: (run: CheckpointRun) => void }

async function outcomeOf(io: Io, source: CheckpointSource, watch: Watch): Promise<CheckpointRun> {
  const { name } = source
  const { signal, tell } = watch
  try {
    const read = await source.read(signal)
    if (signal.aborted) return { kind: 'cancelled', name }
    if ('problem' in read) return { kind: 'unread', name, problem: read.problem }
    // Which server answers may not be known yet.
    if (io.get(serverAtom) === null) await verifyState(io)
    const found = await signedIn(io, read.bytes, name, watch)
    if (found === null) return { kind: 'cancelled', name }
    const all = found.signed.reduce((sum, { points }) => sum + points.length, 0)
    const results: Proved[] = []
    for (const signed of found.signed) {
      const before = results.reduce((sum, { given }) => sum + given, 0)
      const tellDone = (done: number) => tell({ kind: 'proofs', name, done: before + done, all })
      tellDone(0)
      const known = sightingOf(found.sightings, signed)
      results.push(await proveSigned(io, signed, known, { signal, tell: tellDone }))
    }
    return { kind: 'done', name, content: found.content, results }
  } catch (error) {
    if (error instanceof FileError) return { kind: 'refused', name, problem: error.problem }
    if (error instanceof NoteError) {
      return { kind: 'refused', name, problem: { line: error.line, why: error.why } }
    }
    // A script could not be loaded, or storage failed.
    return { kind: 'unread', name, problem: unloaded }
  }
}

const unloaded =
  'The checkpoints could not be checked: a part of this console could not be loaded, or this browser could not read what it keeps. Nothing was compared. Reload the page and try again.'

class FileError extends Error {
  readonly problem: FileProblem

  constructor(problem: FileProblem) {
    super(problem.why)
    this.problem = problem
  }
}

type SignedContent = {
  content: FileContent
  signed: readonly Signed[]
  sightings: readonly Sighting[]
}

/** What pinned witnesses signed in a file; null when it was cancelled. */
async function signedIn(
  io: Io,
  file: Uint8Array,
  name: string,
  { signal, tell }: Watch,
): Promise<SignedContent | null> {
  const { witnesses, sightings } = await listRecords(io.get)
  const read = await Promise.all(witnesses.map(({ key }) => readVerifierKey(key)))
  const keys = read.flatMap((one) => ('key' in one ? one.key : []))
  const turns = new Turns(signal)
  let [notes, server, database] = [0, '', '']
  let found: Found | null = null
  for (const note of readCheckpoints(file)) {
    notes += 1
    server = note.server
    database = note.database
    const id = io.get(databaseIdAtom)(database)
    if (server === id.server) {
      found ??= new Found(id, keys, sightings)
      // What comes behind a contradiction counts no more, whatever it is.
      if (await found.add(note)) break
    }
    const done = note.note.byteOffset + note.note.length - file.byteOffset
    if (await turns.isOver(() => tell({ kind: 'signatures', name, done, all: file.length }))) {
      return null
    }
  }
  const [unsigned, signers] = found ? [found.unsigned, [...found.signers]] : [0, []]
  const content = { notes, server, database, isElsewhere: found === null, unsigned, signers }
  return { content, signed: found?.signed() ?? [], sightings }
}

type Group = {
  readonly witness: string
  readonly points: Checkpoint[]
  conflict: Conflict | null
  /** Hashes that were proven before, by transaction. */
  readonly kept: ReadonlyMap<string, string>
}

/** What each witness signed in a file, in its order. */
class Found {
  readonly #id: DatabaseId
  readonly #keys: readonly VerifierKey[]
  readonly #groups: ReadonlyMap<VerifierKey, Group>
  #last: { note: Checkpoint; by: readonly VerifierKey[] } | null = null
  unsigned = 0
  readonly signers = new Set<string>()

  constructor(id: DatabaseId, keys: readonly VerifierKey[], sightings: readonly Sighting[]) {
    this.#id = id
    this.#keys = keys
    this.#groups = new Map(
      keys.map((key) => {
        const seen = sightingOf(sightings, { witness: key.text, id })?.seen ?? []
        const kept = new Map(seen.map(({ txId, txHash }) => [txId, txHash]))
        return [key, { witness: key.text, points: [], conflict: null, kept }]
      }),
    )
  }

  /**
   * Adds the next note of the file. True when a witness contradicts itself there, after which
   * nothing more of the file counts.
   * @throws FileError
   */
  async add(note: Checkpoint): Promise<boolean> {
    const by = await this.#signersOf(note)
    if (by.length === 0) this.#noteUnsigned(note)
    const before = this.#last
    if (before && !follows(note, before.note)) {
      const both = by.filter((key) => before.by.includes(key))
      if (both.length === 0) throw new FileError({ line: note.line, why: 'falling' })
      for (const key of both) this.#contradict(key, { one: note, before: before.note })
      return true
    }
    this.#last = { note, by }
    for (const key of by) this.#addTo(key, note)
    return false
  }

  /** Where a witness contradicts itself in the file, that alone. */
  signed(): readonly Signed[] {
    const id = this.#id
    const all = [...this.#groups.values()].filter(({ points }) => points.length > 0)
    const torn = all.filter(({ conflict }) => conflict?.before.note)
    return (torn.length > 0 ? torn : all).map(({ witness, points, conflict }) => {
      return { witness, id, points, conflict }
    })
  }

  #addTo(key: VerifierKey, note: Checkpoint): void {
    const group = this.#groups.get(key)
    if (!group || group.points.at(-1)?.txId === note.txId) return
    group.points.push(note)
    const kept = group.kept.get(note.txId)
    if (kept === undefined || kept === note.txHash) return
    this.#contradict(key, { one: note, before: { txId: note.txId, txHash: kept, note: null } })
  }

  #contradict(key: VerifierKey, conflict: Conflict): void {
    const group = this.#groups.get(key)
    if (group) group.conflict ??= conflict
  }

  #noteUnsigned({ signatures }: Checkpoint): void {
    this.unsigned += 1
    for (const { name, keyHash } of signatures) {
      if (this.signers.size < mostSigners) this.signers.add(`${name}+${keyHash}`)
    }
  }

  /** The pinned keys that signed a note. What was proven of them before needs no second look. */
  async #signersOf(note: Checkpoint): Promise<VerifierKey[]> {
    const by: VerifierKey[] = []
    for (const key of this.#keys) {
      const { name, keyHash, text } = key
      const isNamed = note.signatures.some((one) => one.name === name && one.keyHash === keyHash)
      if (!isNamed) continue
      const isKnown = this.#groups.get(key)?.kept.get(note.txId) === note.txHash
      const signed = isKnown ? 'signed' : await signedBy(note, key)
      if (signed === 'wrong') {
        throw new FileError({ line: note.line, why: 'wrong-signature', witness: text })
      }
      by.push(key)
    }
    return by
  }
}

function sightingOf(
  sightings: readonly Sighting[],
  { witness, id }: Pick<Signed, 'witness' | 'id'>,
): Sighting | null {
  return sightings.find((one) => one.witness === witness && isSameId(one.id, id)) ?? null
}

/** Milliseconds of work before the page gets its turn. */
const turn = 32

/** Gives the page its turn between steps. */
class Turns {
  readonly #signal: AbortSignal
  #end = performance.now() + turn

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Whether the work is cancelled; `tell` is called before each pause. */
  async isOver(tell: () => void = () => {}): Promise<boolean> {
    if (performance.now() < this.#end) return this.#signal.aborted
    tell()
    await pause()
    this.#end = performance.now() + turn
    return this.#signal.aborted
  }
}
