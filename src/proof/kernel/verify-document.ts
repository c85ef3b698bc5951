import { areEqual, bytesToHex, encodeUtf8, hexToBytes, utf8Text, viewOf } from './bytes'
import { hash } from './hash'
import { readHeader } from './header'
import { bytesTag, fixed64Tag, type ProtoField, protoFields, varintTag } from './protobuf'
import type { DocumentFacts, JsonValue } from './proven-facts'
import {
  type Check,
  type Proven,
  type ProvenTx,
  proveTx,
  readVerifiableTx,
  withDescription,
} from './proven-tx'
import { bytes, count, type Fields, fieldsOf, text } from './read'
import { answerMismatch, checkAtTx, inRequest } from './request'
import { rawCells, readRow } from './row'
import { malformed, ProofError, refusalOf } from './steps'
import { documentIdSize, documentKey } from './stored'
import { readTx, type TxEntry, wrongEntries } from './transaction'

const answerFields = 'database collectionId documentIdFieldName encodedDocument verifiableTx'

/** Columns of the table behind every collection, embedded/document/engine.go. */
const idColumn = 1
const documentColumn = 2

/**
 * One revision of a document, VERIFY.md 7.7: the answer of
 * `/v2/collection/{name}/document/{id}/proof`; `VerifyDocument` of
 * pkg/verification/verification.go, which accepts a deleted document as an existing one.
 */
export function verifyDocument(check: Check, response: unknown): Proven<DocumentFacts> {
  const id = askedId(check.request)
  const fields = fieldsOf(response, 'answer', answerFields)
  const collectionId = readCollection(check, fields)
  const verifiable = readVerifiableTx(fields.verifiableTx)
  const { id: tx } = readHeader(readTx(verifiable.tx).header, 'tx.header')
  checkAtTx(check.request, 'transactionId', tx)
  const proven = proveTx(check, verifiable, tx, true)
  const encoded = bytes(fields, 'encodedDocument')
  const metadata = findDocument(check, documentKey(collectionId, id), encoded, proven)
  const facts = {
    collectionId,
    documentId: bytesToHex(id),
    tx: String(tx),
    ts: String(proven.header.ts),
    deleted: metadata.deleted,
    ...content(encoded, id, text(fields, 'documentIdFieldName')),
  }
  const open = withDescription(check, proven.outcome.open, check.known.collectionId !== null)
  return { facts, ...proven.outcome, open }
}

function askedId(request: Fields): Uint8Array {
  const id = inRequest(() => text(request, 'documentId'))
  const bytes = /^[0-9a-f]+$/i.test(id) ? hexToBytes(id) : null
  if (bytes === null || bytes.length > documentIdSize) malformed('documentId', 'request')
  return bytes
}

function readCollection({ known }: Check, fields: Fields): number {
  if (text(fields, 'database') !== known.db) {
    throw new ProofError('wrong-database', 'request', 'database')
  }
  const collectionId = count(fields, 'collectionId', 0xffff_ffff)
  if (known.collectionId !== null && collectionId !== known.collectionId) {
    throw new ProofError('schema-changed', 'content', 'collectionId')
  }
  return collectionId
}

function findDocument(
  { ladder }: Check,
  key: Uint8Array,
  encoded: Uint8Array,
  { entries }: ProvenTx,
): TxEntry['metadata'] {
  if (!entries) throw wrongEntries('entries')
  const [entry, second] = entries.filter((each) => areEqual(each.key, key))
  const inputs = { key: bytesToHex(key), size: String(encoded.length) }
  if (!entry || second) {
    throw new ProofError('entry-not-included', 'entry', 'documentId', { inputs })
  }
  ladder.match(
    'value',
    inputs,
    [hash(encoded), entry.hValue],
    refusalOf('entry-not-included', 'value'),
    'encodedDocument',
  )
  const { deleted, expiresAt, nonIndexable } = entry.metadata
  if (expiresAt === null && !nonIndexable) return { deleted, expiresAt, nonIndexable }
  throw answerMismatch('metadata')
}

function content(
  encoded: Uint8Array,
  id: Uint8Array,
  idField: string,
): Pick<DocumentFacts, 'document' | 'indexed'> {
  const cells = readRow(encoded, 'document-encoding')
  const [storedId, struct] = [cells.get(idColumn), cells.get(documentColumn)]
  if (!storedId || !areEqual(storedId, id)) throw badDocument('documentId')
  if (!struct) throw badDocument('encodedDocument')
  const document = readDocument(struct)
  const others = [...cells].filter(([column]) => column > documentColumn)
  if (!hasItsId(document, idField, bytesToHex(id), others)) throw badDocument('documentIdFieldName')
  return { document, indexed: rawCells(others) }
}

/**
 * The answer names the field for ids of today. A document from before it was renamed has its id
 * under the name of then, and may have anything under today's. Only a field that is indexed cannot
 * become the field for ids: one whose text stands in more cells than in other fields.
 */
function hasItsId(
  document: DocumentFacts['document'],
  idField: string,
  id: string,
  indexed: readonly [number, Uint8Array][],
): boolean {
  const named = Object.hasOwn(document, idField) ? document[idField] : undefined
  // The server keeps it in capitals where a client wrote it so.
  const isId = (value: unknown) => typeof value === 'string' && value.toLowerCase() === id
  if (isId(named)) return true
  if (!Object.values(document).some(isId)) return false
  if (typeof named !== 'string') return true
  const cells = indexed.filter(([, cell]) => areEqual(cell, encodeUtf8(named)))
  return cells.length < timesIn(document, named)
}

/** How often a text is a value in a document, which may be nested thousands deep. */
function timesIn(document: JsonValue, text: string): number {
  let times = 0
  const open = [document]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === text) times += 1
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) open.push(inner)
  }
  return times
}

const badDocument = refusalOf('document-encoding', 'content')

type JsonObject = { [name: string]: JsonValue }

/** An object or array whose members are still to be read from its message. */
type Open = { readonly message: Uint8Array; readonly into: JsonObject | JsonValue[] }

/**
 * Reads a `google.protobuf.Struct`, the stored form of a document, VERIFY.md 7.7. Refuses unknown
 * fields and fields that occur twice. A loop: immudb stores documents that are nested thousands deep.
 */
export function readDocument(struct: Uint8Array): JsonObject {
  const document: JsonObject = {}
  const open: Open[] = [{ message: struct, into: document }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { message, into } = next
    if (Array.isArray(into)) {
      for (const field of structFields(message)) into.push(readValue(only(field), open))
    } else {
      readFields(message, into, open)
    }
  }
  return document
}

function readFields(struct: Uint8Array, into: JsonObject, open: Open[]): void {
  const names = new Set<string>()
  for (const field of structFields(struct)) {
    const parts = structFields(only(field))
    const entry = new Map(parts)
    const [named, held] = [entry.get(bytesTag(1)), entry.get(bytesTag(2))]
    const known = [named, held].filter((part) => part !== undefined)
    if (known.length < parts.length) throw badDocument('entry')
    const name = named instanceof Uint8Array ? textOf(named) : ''
    if (names.has(name)) throw badDocument('name')
    names.add(name)
    const value = held instanceof Uint8Array ? readValue(held, open) : null
    // Unlike an assignment, this creates a field for any name, even `__proto__`.
    Object.defineProperty(into, name, { ...asField, value })
  }
}

const asField = { configurable: true, enumerable: true, writable: true }

/** A `google.protobuf.Value`; one without a kind is null, as it is for Go. */
function readValue(message: Uint8Array, open: Open[]): JsonValue {
  const [field, ...others] = structFields(message)
  if (others.length > 0) throw badDocument('value')
  const [tag, value] = field ?? [varintTag(1), 0]
  if (tag === varintTag(1)) return null
  if (tag === varintTag(4)) return value !== 0
  if (typeof value !== 'number') {
    if (tag === fixed64Tag(2)) return viewOf(value).getFloat64(0, true)
    if (tag === bytesTag(3)) return textOf(value)
    if (tag === bytesTag(5)) return later({}, value, open)
    if (tag === bytesTag(6)) return later([], value, open)
  }
  throw badDocument('value')
}

function later(into: Open['into'], message: Uint8Array, open: Open[]): JsonValue {
  open.push({ message, into })
  return into
}

function structFields(message: Uint8Array): ProtoField[] {
  return protoFields(message) ?? refuse('message')
}

/** Refuses bytes that are not UTF-8, as Go does, because they would all look alike. */
function textOf(bytes: Uint8Array): string {
  const text = utf8Text(bytes)
  return areEqual(encodeUtf8(text), bytes) ? text : refuse('text')
}

/** The content of field 1, the only field of its message. */
function only([tag, value]: ProtoField): Uint8Array {
  return tag === bytesTag(1) && typeof value !== 'number' ? value : refuse('message')
}

function refuse(part: string): never {
  throw badDocument(part)
}
