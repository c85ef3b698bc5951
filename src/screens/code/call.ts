import type { DocumentQuery } from '~/immudb/document-query'
import { queryJson } from '~/immudb/document-query'
import { type KeyValue, toUrlSafe } from '~/immudb/key-address'
import type { Param } from '~/sql/params'
import { documentRequest } from '~/trust/verification'
import { ascii, asciiJson } from './quoting'

/**
 * A call of the server as a screen made it, described once for every language. Keys are base64,
 * numbers that may be large are text.
 */
export type Call =
  | {
      readonly kind: 'sql'
      readonly sql: string
      readonly params: readonly Param[]
      /** Asked with `sqlquery`; else it is run with `sqlexec`. */
      readonly isQuery: boolean
    }
  /** One row: what reads it, and its primary key for what proves it. */
  | {
      readonly kind: 'row'
      readonly sql: string
      readonly params: readonly Param[]
      readonly table: string
      readonly key: readonly KeyPart[]
      readonly isVerified: boolean
    }
  /** All rows of a statement, which has no LIMIT: more than one answer has. */
  | { readonly kind: 'rows'; readonly sql: string; readonly params: readonly Param[] }
  | {
      readonly kind: 'key'
      readonly key: string
      readonly at: { readonly tx: string } | { readonly revision: string } | null
      readonly isVerified: boolean
    }
  | { readonly kind: 'keys'; readonly prefix: string; readonly limit: number }
  | { readonly kind: 'tx'; readonly tx: string; readonly isVerified: boolean }
  | {
      readonly kind: 'documents'
      readonly collection: string
      readonly query: DocumentQuery
      readonly size: number
    }
  /** The proof of a document in a transaction that wrote it; `0` for its newest revision. */
  | {
      readonly kind: 'document proof'
      readonly collection: string
      readonly id: string
      readonly tx: string
    }

/** A value of a primary key with the type of its column, without its length. */
export type KeyPart = { readonly type: string; readonly value: KeyValue }

/** Ports of a server beside that of its REST interface. */
export type Ports = { readonly grpc: number; readonly pgsql: number }

/** The ports that a server has if it is not told otherwise. */
export const usualPorts: Ports = { grpc: 3322, pgsql: 5432 }

/** Where the call goes, as this page reaches the server. */
export type Place = {
  /** Of the REST interface, such as `http://db.example:8080/api`. */
  readonly api: string
  /** For clients of the database itself; an IPv6 address with its brackets. */
  readonly host: string
  readonly ports: Ports
  readonly database: string
}

/** What a writer made of a call. */
export type Snippet =
  | {
      readonly code: string
      /** Which door of the server it takes. */
      readonly by: 'rest' | 'grpc' | 'pgsql'
      /** What must be installed for it; each with the command for that, where there is one. */
      readonly needs: readonly string[]
      /** What the reader must know beside it; each a sentence. */
      readonly notes: readonly string[]
    }
  /** Why this language cannot do it. */
  | { readonly cannot: string }

/** A call as the REST interface takes it. The path is below the API, the body ASCII JSON. */
export type Request = {
  readonly path: string
  /** Absent for GET. */
  readonly body?: string
  /** Searches of documents want a session, everything else takes a token. */
  readonly login: 'token' | 'session'
}

/** Rows that one request for a whole table asks for; the server gives 2,500 at most. */
export const pageRows = 1000

/** A page of all rows, as the two parts of a body between which the number of rows to skip stands. */
export function pageBody({
  sql,
  params,
}: Extract<Call, { kind: 'rows' }>): readonly [string, string] {
  const begin = asciiJson(`${sql} LIMIT ${pageRows} OFFSET `).slice(0, -1)
  return [`{"sql":${begin}`, params.length > 0 ? `","params":${asciiJson(params)}}` : '"}']
}

/** The request of a call; for all rows that of the first page. */
export function requestOf(call: Call): Request {
  switch (call.kind) {
    case 'sql':
    case 'row': {
      const way = call.kind === 'row' || call.isQuery ? 'sqlquery' : 'sqlexec'
      const body = asciiJson({
        sql: call.sql,
        ...(call.params.length > 0 && { params: call.params }),
      })
      return { path: `/db/${way}`, body, login: 'token' }
    }
    case 'rows':
      return { path: '/db/sqlquery', body: pageBody(call).join('0'), login: 'token' }
    case 'key': {
      const { at } = call
      const when = !at ? '' : 'tx' in at ? `?atTx=${at.tx}` : `?atRevision=${at.revision}`
      return { path: `/db/get/${toUrlSafe(call.key)}${when}`, login: 'token' }
    }
    case 'keys': {
      const body = asciiJson({ prefix: call.prefix, limit: String(call.limit) })
      return { path: '/db/scan', body, login: 'token' }
    }
    case 'tx':
      return { path: `/db/tx/${call.tx}`, login: 'token' }
    case 'documents': {
      const name = encodeURIComponent(call.collection)
      // As text, because numbers of a search have digits that no number of JavaScript keeps.
      const body = ascii(`{"query":${queryJson(call.query)},"page":1,"pageSize":${call.size}}`)
      return { path: `/v2/collection/${name}/documents/search`, body, login: 'session' }
    }
    case 'document proof': {
      const [name, id] = [call.collection, call.id].map(encodeURIComponent)
      // Nothing is known to the program before, so that the proof begins at the first transaction.
      const body = asciiJson({ ...documentRequest(call), proofSinceTransactionId: '0' })
      return { path: `/v2/collection/${name}/document/${id}/proof`, body, login: 'session' }
    }
  }
}
