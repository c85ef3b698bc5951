import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { emptyCatalog, readCatalogEntry, schemasOf } from '../../src/proof/catalog'
import type { Context, TrustedState } from '../../src/proof/kernel/context'
import type { Schema } from '../../src/proof/kernel/schema'
import type { FactsOf, Kind, Verified } from '../../src/proof/kernel/verify'
import { publicKeyOfPem } from '../../src/proof/public-key'
import { type Api, api } from './api'
import { proven } from './proofs'

export const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A key to sign states with: the file for the server, and the point that clients pin. */
export async function signingKey(folder: string): Promise<{ file: string; publicKey: string }> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const file = join(folder, 'signing.pem')
  await writeFile(file, privateKey.export({ type: 'sec1', format: 'pem' }))
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  return { file, publicKey: publicKeyOfPem(String(pem)) ?? '' }
}

type Done<K extends Kind> = Extract<Verified<FactsOf[K]>, { verdict: 'ok' }>

/** A client of one database that shows nothing it has not verified. */
export class Verifier {
  readonly api: Api
  readonly db: string
  readonly publicKey: string | null
  trusted: TrustedState | null = null

  constructor(client: Api, db: string, publicKey: string | null) {
    this.api = client
    this.db = db
    this.publicKey = publicKey
  }

  static async of(url: string, db: string, publicKey: string | null): Promise<Verifier> {
    return new Verifier(await api(url, { database: db }), db, publicKey)
  }

  get since(): string {
    return this.trusted?.txId ?? '0'
  }

  context(more: { schema?: Schema } = {}): Context {
    const { db, trusted, publicKey } = this
    return { db, trusted, publicKey, ...more }
  }

  /** Moves the trusted state to where the server is. */
  async poll(): Promise<Done<'state'>> {
    const state = await this.api.call<{ txId?: string }>('/db/state')
    const path = `/db/verifiable/tx/${state.txId}?proveSinceTx=${this.since}`
    const isNewer = BigInt(state.txId ?? 0) > BigInt(this.since) && this.since !== '0'
    const exclude = '&entriesSpec.kvEntriesSpec.action=EXCLUDE'
    const proof = isNewer ? await this.api.call(`${path}${exclude}`) : undefined
    const done = await proven('state', this.context(), {}, { state, proof })
    this.trusted = done.next
    return done
  }

  /** @param raw with the values, where the server gives them */
  async tx(tx: string | number, raw = false): Promise<Done<'tx'>> {
    const kinds = raw ? ['kv', 'z', 'sql'] : []
    const specs = kinds.map((kind) => `&entriesSpec.${kind}EntriesSpec.action=RAW_VALUE`)
    const path = `/db/verifiable/tx/${tx}?proveSinceTx=${this.since}${specs.join('')}`
    return proven('tx', this.context(), { tx: String(tx) }, await this.api.call(path))
  }

  async get(key: string, more: object = {}): Promise<Done<'get'>> {
    const request = { keyRequest: { key: base64(key), ...more }, proveSinceTx: this.since }
    const answer = await this.api.call('/db/verifiable/get', request)
    return proven('get', this.context(), request, answer)
  }

  async write(path: 'set' | 'setreference' | 'zadd', body: object): Promise<Done<'write'>> {
    const request = { ...body, proveSinceTx: this.since }
    const answer = await this.api.call(`/db/verifiable/${path}`, request)
    return proven('write', this.context(), request, answer)
  }

  async row(
    table: string,
    pkValues: readonly object[],
    more: { atTx?: string; schema?: Schema } = {},
  ): Promise<Done<'row'>> {
    const { schema, ...at } = more
    const request = { sqlGetRequest: { table, pkValues, ...at }, proveSinceTx: this.since }
    const answer = await this.api.call('/db/verifiable/sqlget', request)
    return proven('row', this.context(schema ? { schema } : {}), request, answer)
  }

  async document(collection: string, id: string, tx = '0'): Promise<Done<'document'>> {
    const request = {
      collectionName: collection,
      documentId: id,
      transactionId: tx,
      proofSinceTransactionId: this.since,
    }
    const path = `/v2/collection/${collection}/document/${id}/proof`
    return proven('document', this.context(), request, await this.api.call(path, request))
  }

  /** The tables as the proven history of the database tells them. */
  async schemas(): Promise<Schema[]> {
    const catalog = emptyCatalog()
    for (let tx = 1; tx <= Number(this.since); tx += 1) {
      const { facts } = await this.tx(tx, true)
      for (const { key, value, meta } of facts.entries ?? []) {
        const stored = meta.deleted ? null : Buffer.from(value ?? '', 'hex')
        readCatalogEntry(catalog, Buffer.from(key, 'hex'), stored)
      }
    }
    return schemasOf(catalog)
  }

  /** All transactions, in pages. */
  async audit(): Promise<Done<'audit'>> {
    const all: unknown[] = []
    const last = Number(this.since)
    while (all.length < last) {
      const limit = Math.min(500, last - all.length)
      const page = { initialTx: String(all.length + 1), limit }
      const { txs = [] } = await this.api.call<{ txs?: unknown[] }>('/db/tx', page)
      if (txs.length === 0) break
      all.push(...txs)
    }
    return proven('audit', this.context(), { initialTx: '1' }, { txs: all })
  }
}
