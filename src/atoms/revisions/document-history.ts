import type { DocumentRevision } from '~/api/documents'
import { ApiError } from '~/api/errors'
import { waitForIndex } from '~/api/keys'
import { differingParts, type OlderRevision } from '~/core/revisions/last-changes'
import {
  documentRevisions,
  lineOf,
  readDocumentRevision,
  withContent,
} from '~/core/revisions/revisions'
import type { Reads } from '~/core/revisions/row-questions'
import { clientAtom } from '~/core/session/client'
import { type DocumentFields, documentJson } from '~/immudb/document-json'
import { documentDeletion, documentQuestion } from '~/trust/questions'
import {
  type Drawn,
  type During,
  type History,
  nextHistory,
  olderAtOnce,
  type Part,
  type RevisionContent,
  saidOfRevision,
  unreadableDocument,
} from './history'
import type { Subject } from './open-revisions'

/** Revisions that are read together, without their contents. */
const linesAtOnce = 50

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
  const name = { database, collection, id }
  const behind = await waitForIndex(client, { database }).then(() => null, ifBehind)
  const revisions = documentRevisions(client, name, { atOnce: linesAtOnce })
  const count = await revisions.count()
  if (count === 0 && behind) throw behind

  const content = async (number: number, { signal }: During): Promise<RevisionContent> => {
    const found = await readDocumentRevision(
      client,
      { ...name, ...(signal ? { signal } : {}) },
      number,
    )
    if (found?.hidden) return { parts: [], dropped: [], note: unreadableDocument[found.hidden] }
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
    lines: (from, to, { signal }) => revisions.lines(from, to, signal),
    content,
    changing: ({ parts }) => parts,
    older: async (from, to, { content: newer }, { signal }) => {
      const size = olderAtOnce(newer)
      // A page of the server begins at a multiple of its size, so one answer holds it.
      const last = Math.max(to, from - ((from - 1) % size))
      const of = { atOnce: from - last + 1, count: from, hasContents: true }
      const told = await documentRevisions(client, name, of).page(from, last, signal)
      const older: OlderRevision[] = []
      for (const [at, one] of told.entries()) {
        const line = lineOf(from - at, one)
        const isThere = one !== null && typeof one !== 'string' && !one.isDeleted
        const whole = isThere
          ? await withContent(client, { ...name, ...(signal ? { signal } : {}) }, one)
          : null
        const document = whole?.document ?? null
        const differing = document && differingParts(newer.parts, contentOf(document).parts)
        older.push({ line, differing })
      }
      return older
    },
    questions: async (_io, drawn) => {
      const { number, content: shown, line } = drawn
      const tx = line?.tx ?? (await revisions.lines(number, number))[0]?.tx ?? null
      if (tx === null) return { why: 'The server no longer reports this revision.' }
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
