import { auditDocument, type DocumentRevision } from '~/api/documents'
import { ApiError } from '~/api/errors'
import { waitForIndex } from '~/api/keys'
import { clientAtom } from '~/core/session/client'
import { whyUnreadable } from '~/core/unreadable'
import { type DocumentFields, documentJson } from '~/immudb/document-json'
import { countable } from '~/lib/rounds'
import { documentDeletion, documentQuestion } from '~/trust/questions'
import {
  type Drawn,
  type During,
  type History,
  nextHistory,
  type Part,
  type RevisionContent,
  saidOfRevision,
  unreadableDocument,
} from './history'
import type { Subject } from './open'
import type { Reads } from './rows'

type DocumentSubject = Extract<Subject, { kind: 'document' }>

/**
 * Opens the revisions of a document.
 * @throws ApiError when the server cannot be asked
 */
export async function openDocumentHistory(
  { get }: Reads,
  subject: DocumentSubject,
): Promise<History> {
  const client = get(clientAtom)
  const { database, collection, id } = subject
  const audit = (place: number, isWhole: boolean, { signal }: During) =>
    auditDocument(client, {
      database,
      collection,
      id,
      page: place + 1,
      pageSize: 1,
      omitPayload: !isWhole,
      isNewestFirst: true,
      ...(signal ? { signal } : {}),
    })
  const behind = await waitForIndex(client, { database }).then(() => null, ifBehind)
  const [newest] = await audit(0, false, {})
  if (!newest && behind) throw behind
  const count = countable(newest?.revision ?? 0)

  /** Revisions that were written since move the others. */
  const one = async (number: number, isWhole: boolean, during: During) => {
    let place = count - number
    for (let round = 0; round < 3; round += 1) {
      const [found] = await audit(place, isWhole, during)
      if (!found || Number(found.revision) === number) return found ?? null
      place = Math.max(0, place + countable(found.revision) - number)
    }
    return null
  }

  const content = async (number: number, during: During): Promise<RevisionContent> => {
    const found = await one(number, true, during).catch(whyUnreadable)
    if (typeof found === 'string')
      return { parts: [], dropped: [], note: unreadableDocument[found] }
    const state = found?.isDeleted ? ({ state: 'deleted' } as const) : {}
    return { ...contentOf(found?.document ?? null), ...state, note: noteOf(found) }
  }

  return {
    id: nextHistory(),
    subject,
    what: `document ${id} of ${collection}`,
    count,
    ...(behind ? { notice: 'Newer revisions may be missing: they are not yet in the index.' } : {}),
    missing: `No such document: ${collection} never had one with this id.`,
    isFar: () => false,
    isSlow: () => false,
    lines: async (from, to, { signal }) => {
      const asked = {
        database,
        collection,
        id,
        omitPayload: true,
        isNewestFirst: true,
        ...(signal ? { signal } : {}),
      }
      const found = await pages(from - to + 1, count - from, (page, pageSize) =>
        auditDocument(client, { ...asked, page, pageSize }),
      )
      const byNumber = new Map(found.map((line) => [Number(line.revision), line]))
      return Array.from({ length: from - to + 1 }, (_, at) => {
        const line = byNumber.get(from - at)
        return {
          number: from - at,
          tx: line?.tx ?? null,
          kind: line ? (line.isDeleted ? 'deleted' : 'written') : null,
          seconds: line?.ts ?? null,
          author: line?.author || null,
        } as const
      })
    },
    content,
    questions: async (_io, drawn) => {
      const { number, content: shown, line } = drawn
      const tx = line?.tx ?? (await one(number, false, {}))?.tx
      if (tx === undefined) return { why: 'The server no longer reports this revision.' }
      const question = documentQuestion({
        database,
        collection,
        id,
        tx,
        seconds: line?.seconds ?? null,
        author: line?.author ?? null,
        document: shown?.document ?? null,
        isDeleted: null,
      })
      const what = `${question.what}, revision ${number}`
      const deletion = saysDeleted(drawn).map(documentDeletion)
      const leaves = [...question.shown.leaves, ...deletion, ...saidOfRevision(drawn)]
      return [{ ...question, what, shown: { ...question.shown, leaves } }]
    },
    provenContent: ([facts], { content: shown }) =>
      facts && 'document' in facts
        ? {
            ...contentOf(facts.deleted ? null : facts.document),
            state: facts.deleted ? 'deleted' : 'live',
            note: shown?.note ?? null,
          }
        : (shown ?? contentOf(null)),
  }
}

/** Audits answer from what is in the index; it lacks what was written last. */
function ifBehind(error: unknown): ApiError {
  if (error instanceof ApiError && error.kind === 'index-behind') return error
  throw error
}

function noteOf(found: DocumentRevision | null): string | null {
  if (found === null) return 'The server no longer reports this revision.'
  return found.isDeleted ? 'This revision deleted the document.' : null
}

/** Whether it is deleted, as the list says and as the content says, which are two answers. */
function saysDeleted({ line, content }: Drawn): readonly boolean[] {
  const said = [line?.kind ?? null, content?.state ?? null]
  return [...new Set(said.flatMap((kind) => (kind === null ? [] : [kind === 'deleted'])))]
}

/** The two pages of a size that hold some lines, because a page begins at a multiple of its size. */
async function pages<T>(
  size: number,
  offset: number,
  read: (page: number, size: number) => Promise<T[]>,
): Promise<T[]> {
  const page = Math.floor(offset / size) + 1
  const first = await read(page, size)
  // One more in case that a revision was written since.
  return first.length < size ? first : [...first, ...(await read(page + 1, size))]
}

const typeOf = (value: unknown) =>
  value === null
    ? 'NULL'
    : Array.isArray(value)
      ? 'JSON'
      : typeof value === 'object'
        ? 'JSON'
        : typeof value

/** A document as the content of a revision; null has none. */
export function contentOf(document: DocumentFields | null): RevisionContent {
  if (document === null) return { parts: [], dropped: [], note: null }
  const parts = Object.entries(document).map(
    ([name, value]): Part => ({
      name,
      type: typeOf(value).toUpperCase(),
      value: value === null ? null : typeof value === 'string' ? value : documentJson(value),
    }),
  )
  return { parts, state: 'live', document, dropped: [], note: null }
}
