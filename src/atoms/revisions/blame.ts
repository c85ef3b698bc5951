import { atom } from 'jotai'
import { type Io, mountedAtom } from '~/core/act'
import { type LastChange, LastChanges } from '~/core/revisions/last-changes'
import type { RevisionLine } from '~/core/revisions/revisions'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { PlainError } from '~/lib/plain-error'
import { rounds } from '~/lib/rounds'
import { objectLeaf, textValue } from '~/proof/shown'
import { openProofDrawer } from '~/trust/proof-drawer'
import { proveAll } from '~/trust/prove'
import type { Proof, Question } from '~/trust/verification'
import type { History, Part, Read } from './history'

/** The last change of a part, and what it was before. */
export type PartBlame = {
  readonly part: Part
  /** Null while it is looked for. */
  readonly change: LastChange | null
  /** The part in the revision before the change; absent where it is not read, or too long to be kept. */
  readonly before?: Part
}

/** Which revision changed each part of one last, as far as it was looked for. */
export type Blame = {
  readonly state: 'reading' | 'paused' | 'stopped' | 'failed' | 'done'
  /** The revision itself; null until it is read. */
  readonly of: Read | null
  readonly parts: readonly PartBlame[]
  /** Revisions that were looked at, and how many there are up to this one. */
  readonly read: number
  readonly count: number
  /** Requests that a search probably still takes. */
  readonly left: number
  /** Why it failed, a sentence. */
  readonly problem: string | null
}

/** Revisions that are looked at without being asked to. */
const mostUnasked = 100
/** Longest value of before that is kept. */
const longestKept = 65_536

type Walk = {
  blame: Blame
  changes: LastChanges | null
  readonly before: Map<string, Part>
  control: AbortController
}

/** What was found of each history, by the numbers of its revisions, as long as it is shown. */
const walks = new WeakMap<History, Map<number, Walk>>()
const toldAtom = atom(0)

/** Gives the blame of a revision, always the same atom; it is looked for while someone looks at it. */
export const blamesAtom = atom(() => {
  const made = new WeakMap<History, (number: string) => ReturnType<typeof blameOf>>()
  return (history: History, number: number) => {
    const of = made.get(history) ?? memoizeByNames((at = '') => blameOf(history, Number(at)))
    made.set(history, of)
    return of(String(number))
  }
})

const blameOf = (history: History, number: number) =>
  mountedAtom(
    (get): Blame | null => {
      get(toldAtom)
      return walks.get(history)?.get(number)?.blame ?? null
    },
    (io) => {
      void readBlame(io, history, number)
      return () => stopBlame(io, history, number)
    },
  )

function tell({ set, get }: Io, walk: Walk, more: Partial<Blame>) {
  const { of } = { ...walk.blame, ...more }
  const parts = of && walk.changes ? partsOf(walk, more.parts ?? walk.blame.parts) : []
  walk.blame = { ...walk.blame, ...more, parts }
  set(toldAtom, get(toldAtom) + 1)
}

function partsOf({ changes, before }: Walk, parts: readonly PartBlame[]): readonly PartBlame[] {
  const found = changes?.found ?? new Map<string, LastChange>()
  return parts.map(({ part }) => {
    const was = before.get(part.name)
    return { part, change: found.get(part.name) ?? null, ...(was ? { before: was } : {}) }
  })
}

export function stopBlame(_io: Io, history: History, number: number) {
  walks.get(history)?.get(number)?.control.abort()
}

/**
 * Looks for the last change of each part of a revision, from there back to the first one. It pauses
 * after some revisions unless it is told to look further. Never rejects.
 */
export async function readBlame(
  io: Io,
  history: History,
  number: number,
  isFurther = false,
): Promise<void> {
  const known = walks.get(history)?.get(number)
  const isReading = known?.blame.state === 'reading' && !known.control.signal.aborted
  if (isReading || known?.blame.state === 'done') return
  const walk = known ?? newWalk(number)
  walks.set(history, new Map(walks.get(history)).set(number, walk))
  walk.control = new AbortController()
  const { signal } = walk.control
  tell(io, walk, { state: 'reading', problem: null })
  try {
    await ensureDatabaseToken(io, io.get(clientAtom), history.subject.database)
    const state = await goBack(io, { history, number, walk }, isFurther)
    tell(io, walk, { state, left: 0 })
  } catch (error) {
    // Someone may have begun again meanwhile.
    if (signal !== walk.control.signal) return
    if (signal.aborted) tell(io, walk, { state: 'stopped', left: 0 })
    else tell(io, walk, { state: 'failed', left: 0, problem: sentence(error) })
  }
}

function newWalk(count: number): Walk {
  const blame = { state: 'reading', of: null, parts: [], read: 0, count, left: 0 } as const
  const control = new AbortController()
  return { blame: { ...blame, problem: null }, changes: null, before: new Map(), control }
}

type Walked = { history: History; number: number; walk: Walk }

async function goBack(io: Io, walked: Walked, isFurther: boolean): Promise<Blame['state']> {
  const { history, number, walk } = walked
  const { signal } = walk.control
  const during = { signal, onRound: (left: number) => tell(io, walk, { left }) }
  const of = walk.blame.of ?? (await readOf(history, number, during))
  const changes =
    walk.changes ??
    new LastChanges(
      history.changing(of.content).map(({ name }) => name),
      of.line,
    )
  if (!walk.changes) {
    walk.changes = changes
    const parts = history.changing(of.content).map((part) => ({ part, change: null }))
    tell(io, walk, { of, parts, read: 1 })
  }
  await readBefore(io, walked, of, during)
  const round = rounds(number)
  while (changes.open.size > 0) {
    const from = changes.last.number - 1
    const looked = number - from
    if (!isFurther && looked >= mostUnasked) return 'paused'
    round(from)
    const most = isFurther ? 1 : Math.max(1, number - mostUnasked + 1)
    for (const older of await history.older(from, most, of, during)) {
      if (changes.open.size > 0) changes.take(older)
    }
    signal.throwIfAborted()
    tell(io, walk, { read: number - changes.last.number + 1 })
    await readBefore(io, walked, of, during)
  }
  return 'done'
}

type During = { signal: AbortSignal; onRound: (left: number) => void }

async function readOf(history: History, number: number, during: During): Promise<Read> {
  const [line] = await history.lines(number, number, during)
  if (!line) throw new PlainError('The server no longer reports this revision.')
  return { line, content: await history.content(number, during) }
}

/** Reads what parts were before they changed, where that is known to be there. */
async function readBefore(io: Io, { history, walk }: Walked, of: Read, during: During) {
  const names = new Map<number, string[]>()
  for (const [name, { how, before }] of walk.changes?.found ?? []) {
    if (how !== 'changed' || before === null || walk.before.has(name)) continue
    names.set(before.number, [...(names.get(before.number) ?? []), name])
  }
  for (const [number, some] of names) {
    const { parts } = await history.content(number, during)
    const own = new Map(parts.map((part) => [part.name, part]))
    for (const name of some) {
      const part = own.get(name)
      const now = of.content.parts.find((one) => one.name === name)
      // Two answers about one revision that do not agree.
      if (part && part.value === now?.value && part.type === now.type) throw differing(number)
      if (part && (part.value?.length ?? 0) <= longestKept) walk.before.set(name, part)
    }
    tell(io, walk, {})
  }
}

const differing = (number: number) =>
  new PlainError(
    `The server gave two answers about revision ${number} that differ. Do not rely on what it says of this history.`,
  )

const renamed = (number: number) =>
  new PlainError(
    `Revision ${number} has other names now than are shown here: a column was renamed or dropped since. Nothing was proven. Open the history again.`,
  )

/** A change as it is drawn, with the times that are drawn of it and of the revision before. */
export type DrawnChange = {
  readonly history: History
  readonly blame: Blame
  readonly change: LastChange
  readonly secondsOf: (line: RevisionLine) => string | null
}

/**
 * Opens the proofs of a change as it is drawn: that its transaction wrote the values, and that the
 * transaction of the revision before had others. That nothing came between or after, no proof says.
 */
export function openChangeProof(io: Io, of: DrawnChange) {
  return openProofDrawer(io, { what: nameOf(of), of, prove: proveChange })
}

const nameOf = ({ history, change: { line } }: DrawnChange) =>
  `the last change of ${history.what} in revision ${line.number}`

async function proveChange(io: Io, of: DrawnChange): Promise<readonly Proof[]> {
  await ensureDatabaseToken(io, io.get(clientAtom), of.history.subject.database)
  const { line, before, how } = of.change
  const parts = of.blame.parts.filter(({ change }) => change?.line.number === line.number)
  const after = parts.map(({ part }) => part)
  const asked = [await questionsOf(io, of, line, after, said(how))]
  const was = parts.flatMap(({ before: part }) => part ?? [])
  const isBefore = before !== null && (was.length > 0 || how === 'inserted again')
  if (isBefore) asked.push(await questionsOf(io, of, before, was, []))
  return proveAll(io, asked.flat())
}

/** What a change claims and no proof covers. */
const said = (how: LastChange['how']) => [
  objectLeaf('the last change', textValue(how), 'that it is the last one'),
  ...(how === 'added' || how === 'inserted' || how === 'unread'
    ? [objectLeaf('what it was before', textValue(how))]
    : []),
]

/** The questions for a revision of which some parts are drawn, and others as they were read. */
async function questionsOf(
  io: Io,
  { history, secondsOf }: DrawnChange,
  line: RevisionLine,
  drawn: readonly Part[],
  more: readonly ReturnType<typeof objectLeaf>[],
): Promise<readonly Question[]> {
  const read = await history.content(line.number, {})
  const shown = new Map(drawn.map((part) => [part.name, part]))
  const parts = read.parts.map((part) => shown.get(part.name) ?? part)
  const names = new Set(read.parts.map(({ name }) => name))
  const isMissing = drawn.some(({ name }) => !names.has(name))
  // A column may have been renamed or dropped since it was drawn; a field never is.
  if (isMissing) throw read.document ? differing(line.number) : renamed(line.number)
  // A document is compared as a whole, which is not drawn.
  const isOther = parts.some(
    ({ value, type }, at) => value !== read.parts[at]?.value || type !== read.parts[at]?.type,
  )
  if (read.document && isOther) throw differing(line.number)
  const asked = await history.questions(io, {
    number: line.number,
    against: 0,
    content: { ...read, parts },
    line: { ...line, seconds: secondsOf(line) },
  })
  if ('why' in asked) throw new PlainError(asked.why)
  return asked.map((question, at) =>
    at > 0 || more.length === 0
      ? question
      : {
          ...question,
          shown: { ...question.shown, leaves: [...question.shown.leaves, ...more] },
        },
  )
}
