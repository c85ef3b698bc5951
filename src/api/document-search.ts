import * as v from 'valibot'
import type { DocumentFields } from '~/immudb/document-json'
import { type DocumentQuery, queryJson } from '~/immudb/document-query'
import type { Call, Client } from './client'
import { documentFields } from './documents'
import { filled, filledList, nothing, object, orNothing, token } from './schemas'

const opened = object({ sessionID: token })

/**
 * `POST /v2/authorization/session/open`: a session of the server, which only searches need. The
 * password is sent as it is and kept nowhere. Resolves with the id, which is as good as a token.
 */
export async function openDocumentSession(
  client: Client,
  { user, password, database }: { user: string; password: string; database: string },
): Promise<string> {
  const { sessionID } = await client.call(opened, {
    method: 'POST',
    path: '/v2/authorization/session/open',
    body: { username: user, password, database },
    isAnonymous: true,
  })
  return sessionID
}

/** What a call in a session has in common: its loss never ends the login. */
function inSession(session: string): Pick<Call, 'method' | 'session' | 'isAnonymous' | 'isRead'> {
  return { method: 'POST', session, isAnonymous: true, isRead: true }
}

/** `POST /v2/authorization/session/keepalive`: the server ends a session after 2 to 3 idle minutes. */
export async function keepDocumentSession(client: Client, session: string): Promise<void> {
  const path = '/v2/authorization/session/keepalive'
  await client.call(nothing, { ...inSession(session), path, body: {}, isPoll: true })
}

/** `POST /v2/authorization/session/close`, sent once, also while the page is left. */
export async function closeDocumentSession(client: Client, session: string): Promise<void> {
  const path = '/v2/authorization/session/close'
  await client.call(nothing, {
    ...inSession(session),
    path,
    body: {},
    isPoll: true,
    mayRepeat: false,
    keepalive: true,
  })
}

/** Where a search is read from. */
export type SearchPage = {
  readonly session: string
  /** From 1; documents before it count as pages of the same size. */
  readonly page: number
  readonly pageSize: number
  /** Keeps the search open on the server, so that the next page continues it. */
  readonly keepOpen: boolean
  readonly signal?: AbortSignal
}

const found = orNothing(
  object({
    searchId: v.optional(filled),
    revisions: filledList(object({ documentId: v.optional(filled), document: documentFields })),
  }),
)

/** A page of a search. */
export type FoundDocuments = {
  /** Continues the search; null when its end was reached or it was not kept open. */
  readonly searchId: string | null
  readonly documents: readonly {
    /** Null before 1.11, which has it in the document alone, in the field for ids. */
    readonly id: string | null
    readonly document: DocumentFields
  }[]
}

/** `POST /v2/collection/{name}/documents/search`: begins a search. Sent once. */
export async function searchDocuments(
  client: Client,
  request: SearchPage & { collection: string; query: DocumentQuery },
): Promise<FoundDocuments> {
  const path = `/v2/collection/${encodeURIComponent(request.collection)}/documents/search`
  const body = `{"query":${queryJson(request.query)},${pageJson(request)}}`
  return readFound(client, request, path, body)
}

/** `POST /v2/collection/documents/search/{searchId}`: the next page of an open search. Sent once. */
export async function continueSearch(
  client: Client,
  request: SearchPage & { searchId: string },
): Promise<FoundDocuments> {
  const path = `/v2/collection/documents/search/${encodeURIComponent(request.searchId)}`
  return readFound(client, request, path, `{${pageJson(request)}}`)
}

async function readFound(
  client: Client,
  { session, signal }: SearchPage,
  path: string,
  body: string,
): Promise<FoundDocuments> {
  const answer = await client.call(found, {
    ...inSession(session),
    path,
    body,
    // A repeat would open a second search.
    mayRepeat: false,
    ...(signal ? { signal } : {}),
  })
  return {
    searchId: answer?.searchId ?? null,
    documents: (answer?.revisions ?? []).map(({ documentId = null, document }) => ({
      id: documentId,
      document,
    })),
  }
}

function pageJson({ page, pageSize, keepOpen }: SearchPage): string {
  return `"page":${page},"pageSize":${pageSize},"keepOpen":${keepOpen}`
}
