import * as v from 'valibot'
import {
  type Collection,
  type CollectionField,
  type CollectionIndex,
  fieldTypes,
} from '~/immudb/collection'
import type { Call, Client } from './client'
import { filled, filledList, flag, list, listAnswer, nothing, object } from './schemas'

const collections = listAnswer('collections', object({ name: filled }))

const described = object({ collection: object({ documentIdFieldName: filled }) })

type Of = { database: string; signal?: AbortSignal }

/** `GET /v2/collection/{name}`: the field that holds the ids of its documents. */
export async function readIdField(
  client: Client,
  request: Of & { collection: string },
): Promise<string> {
  const answer = await client.call(described, read(request, pathOf(request.collection)))
  return answer.collection.documentIdFieldName
}

/** `GET /v2/collections`: the names of the collections of documents. */
export async function listCollections(client: Client, request: Of): Promise<string[]> {
  const answer = await client.call(collections, read(request, '/v2/collections'))
  return answer.map(({ name }) => name)
}

/** The server leaves out the first type, STRING. */
const whole = object({
  name: filled,
  documentIdFieldName: filled,
  fields: filledList(
    object({ name: filled, type: v.optional(v.picklist(fieldTypes), fieldTypes[0]) }),
  ),
  indexes: list(object({ fields: filledList(filled), isUnique: flag })),
})

/** `GET /v2/collections`: the collections with their fields and indexes. */
export async function describeCollections(client: Client, request: Of): Promise<Collection[]> {
  const answer = await client.call(
    listAnswer('collections', whole),
    read(request, '/v2/collections'),
  )
  return answer.map(({ documentIdFieldName, ...rest }) => ({
    ...rest,
    idField: documentIdFieldName,
  }))
}

function read({ database, signal }: Of, path: string): Call {
  return { method: 'GET', path, database, ...(signal ? { signal } : {}) }
}

function pathOf(collection: string, rest = ''): string {
  return `/v2/collection/${encodeURIComponent(collection)}${rest}`
}

/** One change of the collections of a database. */
export type CollectionChange =
  | { kind: 'create'; of: Collection }
  | { kind: 'delete'; collection: string }
  | { kind: 'rename ids'; collection: string; from: string; idField: string }
  | { kind: 'add field'; collection: string; field: CollectionField }
  | { kind: 'remove field'; collection: string; field: string }
  | { kind: 'add index'; collection: string; index: CollectionIndex }
  | { kind: 'remove index'; collection: string; fields: readonly string[] }

/**
 * Changes the collections of a database: `POST`, `PUT` and `DELETE` of `/v2/collection/{name}`,
 * `POST` and `DELETE` of its `/field` and of its `/index`. The answer names no transaction.
 */
export async function changeCollection(
  client: Client,
  request: { database: string; change: CollectionChange },
): Promise<void> {
  await client.call(nothing, { ...callOf(request.change), database: request.database })
}

function callOf(change: CollectionChange): Call {
  switch (change.kind) {
    case 'create': {
      const { name, idField, fields, indexes } = change.of
      const body = { documentIdFieldName: idField, fields, indexes }
      return { method: 'POST', path: pathOf(name), body }
    }
    case 'delete':
      return { method: 'DELETE', path: pathOf(change.collection) }
    case 'rename ids': {
      const body = { documentIdFieldName: change.idField }
      return { method: 'PUT', path: pathOf(change.collection), body }
    }
    case 'add field': {
      const body = { field: change.field }
      return { method: 'POST', path: pathOf(change.collection, '/field'), body }
    }
    case 'remove field': {
      const path = pathOf(change.collection, `/field/${encodeURIComponent(change.field)}`)
      return { method: 'DELETE', path }
    }
    case 'add index':
      return { method: 'POST', path: pathOf(change.collection, '/index'), body: change.index }
    case 'remove index': {
      const fields = change.fields.map((field) => `fields=${encodeURIComponent(field)}`)
      return { method: 'DELETE', path: pathOf(change.collection, `/index?${fields.join('&')}`) }
    }
  }
}
