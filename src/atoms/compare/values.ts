import type { Write } from '~/core/history/transaction-reader'
import { listsOf } from '~/core/pages'
import { base64ToBytes, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { inTurn } from '~/lib/job-queue'
import type { DiffAction } from '~/sql/comparison'

/** A key or document that was written between two moments. */
export type Written = {
  /** Base64 of a key; the hex digits of a document's id. */
  readonly id: string
  readonly writes: readonly Write[]
  /** The number of a document's collection; absent for keys. */
  readonly collectionId?: number
  /** Of a step, which is one write: all writes of it between the two moments. */
  readonly among?: readonly Write[]
}

/** Each write by itself, in the order of the transactions. */
export function stepsOf(written: readonly Written[]): Written[] {
  return written
    .flatMap((of) => of.writes.map((write) => ({ ...of, writes: [write], among: of.writes })))
    .sort((one, other) => Number(txOf(one) - txOf(other)))
}

const txOf = ({ writes }: Written) => BigInt(writes.at(-1)?.tx ?? 0)

/** What was there at a moment, in words or as the text of a value; null for nothing. */
export type ValueThen =
  /** `exact`: equal for equal content alone, unlike the text. */
  | { readonly kind: 'value' | 'reference'; readonly text: string; readonly exact: string }
  | { readonly kind: 'unread'; readonly text: string }
  | null

/** A key or document at both moments. */
export type ValueDifference = {
  readonly id: string
  /** `passing`: it came and went in between. */
  readonly action: DiffAction | 'passing' | 'rewritten'
  readonly before: ValueThen
  readonly after: ValueThen
  readonly writes: number
  /** The last transaction that wrote it. */
  readonly tx: string
}

function isSame(one: ValueThen, other: ValueThen): boolean {
  if (!one || !other || one.kind === 'unread' || other.kind === 'unread') return false
  return one.kind === other.kind && one.exact === other.exact
}

export function differenceOf({ id, writes }: Written, before: ValueThen, after: ValueThen) {
  const action: ValueDifference['action'] = before
    ? after
      ? isSame(before, after)
        ? 'rewritten'
        : 'changed'
      : 'deleted'
    : after
      ? 'added'
      : 'passing'
  return { id, action, before, after, writes: writes.length, tx: writes.at(-1)?.tx ?? '0' }
}

/** What is compared: the net change, or what each transaction changed. */
export type ComparedAs = 'net' | 'steps'

/** The database and its two moments. */
export type Ends = { readonly database: string; readonly from: string; readonly to: string }

/** The moments between which something is compared: for a step, those around its transaction. */
export function momentsOf<E extends Ends>(of: Written, ends: E): E {
  if (of.among === undefined) return ends
  const tx = txOf(of)
  return { ...ends, from: String(tx - 1n), to: String(tx) }
}

export const unknown = (text: string): ValueThen => ({ kind: 'unread', text })
export const tooMany = 'not read: its revisions are too many or too large'
export const tooLarge = 'not read: larger than 4 MiB'
export const gone = 'not read: the server no longer has its value'

export function unread(of: Written, why: string): ValueDifference {
  return differenceOf(of, unknown(why), of.writes.at(-1)?.isDeleted ? null : unknown(why))
}

/** A value as people read it: text, else its bytes in hex. */
export function textOf(base64: string): string {
  const bytes = base64ToBytes(base64)
  return decodeUtf8(bytes) ?? `0x${bytesToHex(bytes)}`
}

export type ValuePage = {
  readonly rows: readonly ValueDifference[]
  readonly next: number | null
}

/** Keys or documents whose values are read in one go. */
const valuesAtOnce = 50
/** Requests that are under way at the same time. */
const requestsAtOnce = 4

type Read = (of: Written) => Promise<ValueDifference | null>
export type Begin = (page: readonly Written[], signal: AbortSignal) => Promise<Read>

/** Makes the list of the values at both moments. */
export function valueLists(name: readonly string[], written: readonly Written[], begin: Begin) {
  return listsOf<ValuePage>({
    key: () => ['compare values', ...name],
    start: () => ({ rows: [], next: 0 }),
    read: async (_io, known, { signal }) => {
      if (known.next === null) return known
      const { rows, next } = await readPage(written, begin, known.next, signal)
      return { rows: [...known.rows, ...rows], next }
    },
    next: ({ next }) => next,
    size: ({ next }) => next ?? written.length,
    lasts: 'until an outage',
  })
}

export async function readPage(
  written: readonly Written[],
  begin: Begin,
  from: number,
  signal: AbortSignal,
): Promise<ValuePage> {
  const next = from + valuesAtOnce
  const page = written.slice(from, next)
  const rows = await several(page, await begin(page, signal), signal)
  return { rows, next: next < written.length ? next : null }
}

/** Reads some at a time and keeps their order; what fails ends the others. */
async function several(
  all: readonly Written[],
  read: Read,
  signal: AbortSignal,
): Promise<ValueDifference[]> {
  const failure = new AbortController()
  const end = AbortSignal.any([signal, failure.signal])
  const turn = inTurn(requestsAtOnce)
  const rows = await Promise.all(
    all.map((of) =>
      turn(() => read(of), end).catch((error: unknown) => {
        failure.abort(error)
        throw error
      }),
    ),
  )
  return rows.filter((row) => row !== null)
}
