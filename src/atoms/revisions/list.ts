import { atom } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { openProofAtom } from '../trust/proof-drawer'
import { openDocumentHistory } from './document-history'
import { type During, type History, linesPerPage, type RevisionLine } from './history'
import { openKeyHistory } from './key-history'
import type { Subject } from './open'
import { openRowHistory } from './row-history'
import type { Reads } from './rows'

const keyOf = (subject: string) => ['revisions', subject]

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
  memoizeByNames((subject = '') =>
    atomWithQuery((get) => ({
      queryKey: keyOf(subject),
      structuralSharing: false,
      refetchOnMount: 'always' as const,
      queryFn: () => openHistory({ get }, JSON.parse(subject)),
    })),
  ),
)

const nameOf = ({ id }: History, page: number) => `${id} ${page}`

/** Pages far from both ends that the user wants to know of. */
const wantedAtom = atom<ReadonlySet<string>>(new Set<string>())

/** The first and last revision on a page of the list, newest first. */
export function spanOf({ count }: History, page: number): { from: number; to: number } {
  const from = count - page * linesPerPage
  return { from, to: Math.max(1, from - linesPerPage + 1) }
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
  const key = (part: string, at: string) => ['revisions of', String(history.id), part, at]
  return {
    lines: memoizeByNames((page = '0') =>
      atomWithQuery((get) => {
        const { from, to } = spanOf(history, Number(page))
        const isHeld = get(isHeldAtom)(history, Number(page))
        return {
          queryKey: key('lines', page),
          staleTime: Number.POSITIVE_INFINITY,
          enabled: from >= 1 && !isHeld,
          queryFn: ({ signal, client: cache }) => {
            const onRound = () =>
              cache.setQueryData(key('rounds', page), (done: number = 0) => done + 1)
            return history.lines(from, to, { signal, onRound })
          },
        }
      }),
    ),
    /** Rounds of questions that a page of lines has taken so far. */
    rounds: memoizeByNames((page = '0') =>
      atomWithQuery(() => ({ queryKey: key('rounds', page), enabled: false, queryFn: () => 0 })),
    ),
    content: memoizeByNames((number = '') =>
      atomWithQuery(() => ({
        queryKey: key('content', number),
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: ({ signal }) => history.content(Number(number), { signal }),
      })),
    ),
  }
}

/** Looks for the transactions of a page far from both ends. */
export const wantLinesAtom = atom(null, (get, set, history: History, page: number) => {
  set(wantedAtom, new Set([...get(wantedAtom), nameOf(history, page)]))
})

/** Stops looking for the transactions of a page; what was found stays. */
export const stopLinesAtom = atom(null, (get, set, history: History, page: number) => {
  const wanted = new Set(get(wantedAtom))
  wanted.delete(nameOf(history, page))
  set(wantedAtom, wanted)
  const queryKey = ['revisions of', String(history.id), 'lines', String(page)]
  return get(queryClientAtom).cancelQueries({ queryKey })
})

/** Opens the proof of a revision. */
export const openRevisionProofAtom = atom(null, (get, set, history: History, number: number) =>
  set(openProofAtom, {
    what: `${history.what}, revision ${number}`,
    ask: async () => {
      const io = { get, set }
      await ensureDatabaseToken(io, get(clientAtom), history.subject.database)
      return history.prove(io, number)
    },
  }),
)

/** Reads a history again, for instance after a write. */
export const refreshRevisionsAtom = atom(null, (get, _set, subject: Subject) =>
  get(queryClientAtom).invalidateQueries({ queryKey: keyOf(JSON.stringify(subject)) }),
)

export type WholeRevision = RevisionLine & Awaited<ReturnType<History['content']>>

/** Reads every revision with its content, newest first; `tell` hears how many are read. */
export const readAllRevisionsAtom = atom(
  null,
  async (
    _get,
    _set,
    history: History,
    { tell, ...during }: During & { tell: (done: number) => void },
  ): Promise<WholeRevision[]> => {
    const all: WholeRevision[] = []
    for (let number = history.count; number >= 1; number -= 1) {
      during.signal?.throwIfAborted()
      const [line] = await history.lines(number, number, during)
      const content = await history.content(number, during)
      if (line) all.push({ ...line, ...content })
      tell(all.length)
    }
    return all
  },
)
