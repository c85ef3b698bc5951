import { atom } from 'jotai'
import { counted } from '~/lib/text'
import type { Io } from '../act'

/** An export in progress, or its result. */
type Made = {
  readonly state: 'running' | 'complete' | 'stopped' | 'failed'
  /** Names what is exported. */
  readonly of: string
  /** The message for the operator. */
  readonly text: string
}

/** Why a file lacks something although it was read to the end: sentences. Pages throw it last. */
class NotWhole extends Error {
  override readonly name = 'NotWhole'
}

/** Ends pages that were read to the end: with an error if something lacks. */
export function endPages(lacks: readonly string[]): void {
  if (lacks.length > 0) throw new NotWhole(lacks.join(' '))
}

/** A file for the user. */
export type ExportFile = {
  readonly name: string
  readonly parts: readonly (string | Blob)[]
  readonly type: string
}

/** A part of a file, as it is read. */
export type ExportPage = {
  readonly parts: readonly (string | Blob)[]
  /** Rows, events or the like in it. */
  readonly count: number
  /** What ends a file that has nothing behind this page. */
  readonly after?: string
  /** Texts in it that got an apostrophe, so that no spreadsheet reads them as a formula. */
  readonly guarded?: number
  /** How far it is, where the count alone does not say so. */
  readonly soFar?: string
}

/** How a file is made. */
export type ExportOrder = {
  /** What is counted, such as `row`; `many` where an s is not enough. */
  readonly what: string
  readonly many?: string
  /** What a file has that is not complete, such as `the first`. */
  readonly kept: 'the first' | 'the newest'
  readonly type: string
  readonly pages: (signal: AbortSignal) => AsyncIterable<ExportPage>
  readonly nameOf: (count: number, isComplete: boolean) => string
  /** A failure as a sentence. */
  readonly sentence: (error: unknown) => string
  /** What else to know about the file: a sentence, or nothing. */
  readonly note?: () => string
}

/** What can be saved as a file, in one of some formats. */
export type Exportable<Format> = {
  /** Of a kind, one file is written at a time. */
  readonly kind: string
  /** Which of its kind it is. */
  readonly name: string
  readonly begin: (io: Io, format: Format) => ExportOrder
}

/** The newest export of each kind. */
const newestAtom = atom<ReadonlyMap<string, Made>>(new Map())
const controlsAtom = atom<ReadonlyMap<string, AbortController>>(new Map())

/** The newest export of a kind, by its name; null while none was asked for. */
export const newestExportAtom = atom((get) => {
  const newest = get(newestAtom)
  return (kind: string) => newest.get(kind) ?? null
})

export function stopExport({ get }: Io, kind: string): void {
  get(controlsAtom).get(kind)?.abort()
}

/**
 * Writes a file, page by page, and tells how far it is. Null when nothing was read, or one of its kind
 * is already in progress. The file name and the message say whether it is complete.
 */
export async function startExport<Format>(
  io: Io,
  { kind, name, begin }: Exportable<Format>,
  format: Format,
): Promise<ExportFile | null> {
  const { get, set } = io
  if (get(newestAtom).get(kind)?.state === 'running') return null
  const control = new AbortController()
  set(controlsAtom, new Map(get(controlsAtom)).set(kind, control))
  return writeExport(begin(io, format), control.signal, (state, text) =>
    set(newestAtom, new Map(get(newestAtom)).set(kind, { state, text, of: name })),
  )
}

async function writeExport(
  order: ExportOrder,
  signal: AbortSignal,
  tell: (state: Made['state'], text: string) => void,
): Promise<ExportFile | null> {
  const { parts, count, guarded, isComplete, problem, lacks } = await read(order, signal, (text) =>
    tell('running', text),
  )
  const state = isComplete ? 'complete' : signal.aborted ? 'stopped' : 'failed'
  if (parts.length === 0) {
    tell(state, `No file was written. ${problem}`)
    return null
  }
  const name = order.nameOf(count, isComplete)
  const kept = counted(count, order.what, order.many)
  const apostrophes =
    guarded > 0
      ? `${counted(guarded, 'cell has', 'cells have')} an apostrophe, so that no spreadsheet reads a formula.`
      : ''
  const note = [apostrophes, order.note?.() ?? ''].map((one) => one && ` ${one}`).join('')
  tell(
    state,
    isComplete
      ? `Complete: ${kept} in ${name}.${note}`
      : lacks
        ? `Not complete: ${kept} in ${name}. ${problem}${note}`
        : `Not complete: only ${order.kept} ${kept} are in ${name}. ${problem}${note}`,
  )
  return { name, parts, type: order.type }
}

/** Characters that are kept as text; more become a blob, which the browser may keep on the disk. */
const mostText = 4_194_304

/** The parts of a file, of which only the newest are text in memory. */
class Parts {
  readonly #blobs: Blob[] = []
  #newest: (string | Blob)[] = []
  #length = 0

  add(parts: readonly (string | Blob)[]): void {
    this.#newest.push(...parts)
    for (const part of parts) this.#length += typeof part === 'string' ? part.length : 0
    if (this.#length <= mostText) return
    this.#blobs.push(new Blob(this.#newest))
    this.#newest = []
    this.#length = 0
  }

  get all(): readonly (string | Blob)[] {
    return [...this.#blobs, ...this.#newest]
  }
}

/** Reads page after page until the end, a failure or a stop. */
async function read(order: ExportOrder, signal: AbortSignal, tell: (text: string) => void) {
  tell('Reading…')
  const parts = new Parts()
  let [count, guarded, after, isComplete, problem, lacks] = [0, 0, '', false, '', false]
  try {
    for await (const page of order.pages(signal)) {
      parts.add(page.parts)
      count += page.count
      guarded += page.guarded ?? 0
      after = page.after ?? ''
      tell(page.soFar ?? `${counted(count, order.what, order.many)} so far…`)
      // The next page may be here already.
      signal.throwIfAborted()
    }
    isComplete = true
  } catch (error) {
    lacks = error instanceof NotWhole
    problem =
      error instanceof NotWhole
        ? error.message
        : signal.aborted
          ? 'It was stopped.'
          : order.sentence(error)
  }
  if (after !== '') parts.add([after])
  return { parts: parts.all, count, guarded, isComplete, problem, lacks }
}
