import type { QueryClient } from '@tanstack/query-core'
import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Io } from '~/core/act'
import type { Reads } from '~/core/revisions/row-questions'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { pageSizes } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { pause } from '~/lib/retry'
import { factsAlone } from '~/proof/shown'
import { openProofDrawer } from '~/trust/proof-drawer'
import { proveAll } from '~/trust/prove'
import { provenFactsAtom } from '~/trust/proven-content'
import type { ObjectKind, Proof, Verification } from '~/trust/verification'
import { openDocumentHistory } from './document-history'
import type { Drawn, History } from './history'
import { openKeyHistory } from './key-history'
import type { Subject } from './open-revisions'
import { openRowHistory } from './row-history'

const keyOf = (subject: Subject) => ['revisions', subject.database, JSON.stringify(subject)]

/**
 * Opens the revisions of something.
 * @throws ApiError when the server cannot be asked
 */
export function openHistory(io: Reads, subject: Subject): Promise<History> {
  switch (subject.kind) {
    case 'row':
      return openRowHistory(io, subject)
    case 'key':
      return openKeyHistory(io, subject)
    case 'document':
      return openDocumentHistory(io, subject)
  }
}

/** Returns the query atom of a history by its subject as JSON, always the same one. */
export const historiesAtom = atom(() =>
  memoizeByNames((text = '') => {
    const subject: Subject = JSON.parse(text)
    return atomWithQuery((get) => ({
      queryKey: keyOf(subject),
      structuralSharing: false,
      refetchOnMount: 'always' as const,
      queryFn: () => openHistory({ get }, subject),
    }))
  }),
)

const nameOf = ({ id }: History, page: number) => `${id} ${page}`

/** Pages far from both ends that the user wants to know of. */
const wantedAtom = atom<ReadonlySet<string>>(new Set<string>())

/** The first and last revision on a page of the list, newest first. */
export function spanOf({ count }: History, page: number): { from: number; to: number } {
  const from = count - page * pageSizes.revisions
  return { from, to: Math.max(1, from - pageSizes.revisions + 1) }
}

/** Whether the user asked for a page far from both ends. */
export const isWantedAtom = atom(
  (get) => (history: History, page: number) => get(wantedAtom).has(nameOf(history, page)),
)

/** Whether a page of lines is looked up only when it is asked for. */
export const isHeldAtom = atom((get) => (history: History, page: number): boolean => {
  const { from, to } = spanOf(history, page)
  return !get(isWantedAtom)(history, page) && history.isFar(from, to)
})

/**
 * Whether the content of a revision is read only when its transaction, or that of the next one, is
 * asked for.
 */
export const isContentHeldAtom = atom((get) => (history: History, number: number): boolean => {
  const isHeld = (one: number) => get(isHeldAtom)(history, pageOf(history, one))
  return history.isSlow(number) && isHeld(number) && isHeld(number + 1)
})

/** The page of the list that has a revision. */
export function pageOf({ count }: History, number: number): number {
  return Math.max(0, Math.floor((count - number) / pageSizes.revisions))
}

/** The query atoms of one history's lines, by page, and of its contents, by revision. */
export const revisionQueriesAtom = atom(() => {
  const made = new WeakMap<History, ReturnType<typeof queriesOf>>()
  return (history: History) => {
    const found = made.get(history) ?? queriesOf(history)
    made.set(history, found)
    return found
  }
})

function queriesOf(history: History) {
  const inTurn = turns()
  const key = (part: string, at: string) => ['revisions of', String(history.id), part, at]
  return {
    lines: memoizeByNames((page = '0') =>
      atomWithQuery((get) => {
        const { from, to } = spanOf(history, Number(page))
        const isHeld = get(isHeldAtom)(history, Number(page))
        const isWanted = get(isWantedAtom)(history, Number(page))
        return {
          queryKey: key('lines', page),
          staleTime: Number.POSITIVE_INFINITY,
          enabled: from >= 1 && !isHeld,
          queryFn: ({ signal, client: cache }) => {
            const onRound = countRounds(cache, key('rounds', page))
            // What takes few requests ends what it began, so that scrolling asks only for what it meets.
            const stopped = isWanted ? { signal } : {}
            return inTurn(signal, () => history.lines(from, to, { onRound, ...stopped }))
          },
        }
      }),
    ),
    /** How far the search for a page of lines is. */
    rounds: memoizeByNames((page = '0') =>
      atomWithQuery(() => ({
        queryKey: key('rounds', page),
        enabled: false,
        queryFn: (): Rounds => ({ done: 0, left: 0 }),
      })),
    ),
    content: memoizeByNames((number = '') =>
      atomWithQuery((get) => ({
        queryKey: key('content', number),
        staleTime: Number.POSITIVE_INFINITY,
        enabled: !get(isContentHeldAtom)(history, Number(number)),
        queryFn: ({ signal, client: cache }) => {
          const page = String(pageOf(history, Number(number)))
          const onRound = countRounds(cache, key('rounds', page))
          return history.content(Number(number), { signal, onRound })
        },
      })),
    ),
  }
}

/** Milliseconds that lines stay in sight before they are looked up while others pass by. */
const passing = 100

/**
 * Does one thing after the other; what nobody waits for when its turn comes is left out. What comes
 * right behind another first shows that it stays.
 */
function turns() {
  let last: Promise<unknown> = Promise.resolve()
  let asked = Number.NEGATIVE_INFINITY
  return <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const now = performance.now()
    const shown = now - asked < passing ? pause(passing, signal) : Promise.resolve()
    asked = now
    const done = Promise.all([last, shown]).then(() => {
      signal.throwIfAborted()
      return work()
    })
    // One that is left out early does not let the next begin before the one that is under way.
    last = Promise.allSettled([last, done]).then(() => undefined)
    return done
  }
}

/** Requests that a search has taken, and how many more it probably takes. */
type Rounds = { readonly done: number; readonly left: number }

/** The lines and the content of a revision wait for the same search, whichever began it. */
function countRounds(cache: QueryClient, queryKey: readonly string[]) {
  return (left: number) =>
    cache.setQueryData<Rounds>(queryKey, (before) => ({ done: (before?.done ?? 0) + 1, left }))
}

/** Looks for the transactions of a page far from both ends. */
export function wantLines({ get, set }: Io, history: History, page: number) {
  set(wantedAtom, new Set([...get(wantedAtom), nameOf(history, page)]))
}

/** Stops looking for the transactions of a page; what was found stays. */
export function stopLines({ get, set }: Io, history: History, page: number) {
  const wanted = new Set(get(wantedAtom))
  wanted.delete(nameOf(history, page))
  set(wantedAtom, wanted)
  const cancel = (...part: string[]) =>
    get(queryClientAtom).cancelQueries({ queryKey: ['revisions of', String(history.id), ...part] })
  return Promise.all([cancel('lines', String(page)), cancel('content')])
}

/**
 * Opens the proof of a revision as it is drawn. Once it is proven, the proven content is drawn in
 * its place; what was drawn stays in the question.
 */
export function openRevisionProof(io: Io, history: History, drawn: Drawn) {
  const of: DrawnRevision = { history, drawn }
  return openProofDrawer(io, { what: nameOfRevision(of), of, prove: proveRevision })
}

type DrawnRevision = { history: History; drawn: Drawn }

const nameOfRevision = ({ history, drawn }: DrawnRevision) =>
  `${history.what}, revision ${drawn.number}`

async function proveRevision(io: Io, revision: DrawnRevision): Promise<readonly Proof[]> {
  const { history, drawn } = revision
  await ensureDatabaseToken(io, io.get(clientAtom), history.subject.database)
  const questions = await history.questions(io, drawn)
  if ('why' in questions) {
    const what = nameOfRevision(revision)
    return [{ verification: unprovenRevision(history, what, questions.why) }]
  }
  const proofs = await proveAll(io, questions)
  const facts = questions.flatMap((question) => {
    const { database, kind, request } = question
    return io.get(provenFactsAtom)<ObjectKind>(database, kind, request) ?? []
  })
  if (facts.length === questions.length) {
    const key = contentKey(history, String(drawn.number))
    io.get(queryClientAtom).setQueryData(key, history.provenContent(facts, drawn))
  }
  return proofs
}

const contentKey = ({ id }: History, number: string) => [
  'revisions of',
  String(id),
  'content',
  number,
]

function unprovenRevision({ subject }: History, what: string, why: string): Verification {
  const { database, kind } = subject
  return {
    database,
    server: '',
    kind: kind === 'key' ? 'get' : kind,
    what,
    context: null,
    basis: null,
    request: null,
    response: null,
    shown: factsAlone,
    at: Date.now(),
    outcome: { kind: 'unproven', why },
  }
}

/** Reads a history again, for instance after a write. */
export function refreshRevisions({ get }: Io, subject: Subject) {
  return get(queryClientAtom).invalidateQueries({ queryKey: keyOf(subject) })
}
