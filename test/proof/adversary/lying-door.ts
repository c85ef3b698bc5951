import type { PageEntries } from '~/api/proof'
import type { Answered, AuditedServer } from '~/workers/audit/audited-server'
import {
  canBeV2,
  documentAnswer,
  documentRequest,
  getAnswer,
  rowAnswer,
  rowRequest,
  type StoredKind,
} from './answers'
import { chainOf, type Entry, type Tx, txJson, valuesJson } from './forger'
import { collectionNames, collections, type Liar } from './liar'
import type { Attacked } from './mutant'

/** How a server keeps back what an audit asks for; most keep back nothing. */
const moods = ['open', 'open', 'open', 'some', 'values', 'entries', 'refuses'] as const

/** What an audit asks a liar. It counts the content that it has really given. */
export class LyingDoor implements AuditedServer {
  readonly #liar: Liar
  readonly #known: () => Tx
  readonly #errors: Attacked['ApiError']
  readonly #given: Set<string>
  readonly #mood: (typeof moods)[number]

  /** @param known the state that the audit must end at, of which proofs are asked for */
  constructor(liar: Liar, known: () => Tx, given: Set<string>, errors: Attacked['ApiError']) {
    this.#liar = liar
    this.#known = known
    this.#given = given
    this.#errors = errors
    this.#mood = liar.one(moods) ?? 'open'
  }

  async page(initialTx: bigint, limit: number, what: PageEntries): Promise<unknown> {
    const first = Number(initialTx) - 1
    const txs = this.#chain().slice(first, first + limit)
    if (what === 'headers') return { txs: txs.map((tx) => txJson(tx, false)) }
    if (what === 'digests') {
      if (this.#mood === 'entries' && limit === 1 && this.#liar.chance(0.5)) throw this.#tooLarge()
      return { txs: txs.map((tx) => txJson(tx, true)) }
    }
    if (this.#mood === 'values' || this.#mood === 'entries') throw this.#tooLarge()
    if (this.#mood === 'refuses' && this.#liar.chance(0.3)) throw this.#refusal()
    return { txs: txs.map((tx) => valuesJson(tx, (entry) => this.#gives(tx, entry))) }
  }

  /** The history that must be shown, or nearly. */
  #chain(): Tx[] {
    const chain = chainOf(this.#known())
    if (this.#liar.chance(0.96)) return chain
    const at = this.#liar.below(chain.length)
    const other = this.#liar.one(this.#liar.withId(at + 1))
    return chain.map((tx, nth) => (nth === at && other ? other : tx))
  }

  #gives(tx: Tx, entry: Entry): boolean {
    if (entry.key[0] === 3 || (this.#mood === 'some' && this.#liar.chance(0.1))) return false
    this.#given.add(contentOf(tx, entry))
    return true
  }

  async value(key: string, tx: string): Promise<Answered> {
    const found = this.#found('get', tx)
    if (!found || this.#liar.chance(0.1)) throw this.#refusal()
    const request = { keyRequest: { key, atTx: tx } }
    const answer = { request, response: getAnswer(this.#liar, found.built, found) }
    return this.#told(found, answer)
  }

  async row(table: string, _: unknown, tx: string): Promise<Answered> {
    const found = this.#found('row', tx)
    if (!found || this.#liar.chance(0.1)) throw this.#refusal()
    const names = { ...this.#liar.namesAt(this.#known()), table }
    const response = rowAnswer(this.#liar, found.built, found, names)
    return this.#told(found, { request: rowRequest(names, tx), response })
  }

  async document(collection: string, _: string, tx: string): Promise<Answered> {
    const names = this.#liar.collectionsAt(this.#known())
    const isOther = this.#liar.chance(0.1)
    const kind =
      (names.get(collections.document) === collection) !== isOther ? 'document' : 'letter'
    const found = this.#found(kind, tx)
    if (!found || !canBeV2(found.built)) throw this.#refusal()
    const response = documentAnswer(this.#liar, found.built, found, kind)
    return this.#told(found, { request: documentRequest(collection, tx), response })
  }

  #found(kind: StoredKind, id: string) {
    const known = this.#known()
    const tx = chainOf(known)[Number(id) - 1]
    const found = tx && this.#liar.someEntry(tx, kind)
    if (!tx || !found) return undefined
    return { ...found, built: { tx, known, hasEntries: true, hasValue: true } }
  }

  #told({ built, entry }: { built: { tx: Tx }; entry: Entry }, answered: Answered): Answered {
    this.#given.add(contentOf(built.tx, entry))
    return answered
  }

  async collections(): Promise<readonly string[]> {
    return this.#liar.hasCollections ? collectionNames : []
  }

  async tables(): Promise<readonly string[]> {
    return [this.#liar.namesAt(this.#known()).table]
  }

  async describe() {
    const { column } = this.#liar.namesAt(this.#known())
    const name = this.#liar.chance(0.1) ? 'amount' : column
    return [
      { name: 'id', type: 'INTEGER', isPrimaryKey: true },
      { name, type: 'VARCHAR', isPrimaryKey: false },
    ]
  }

  #tooLarge() {
    return new this.#errors({ kind: 'too-large', text: 'larger than max', status: 500 })
  }

  #refusal() {
    return new this.#errors({ kind: 'refused', text: 'corrupted data', status: 500, code: 2 })
  }
}

/** One text for the content of an entry in its transaction. */
export function contentOf(tx: Tx, { key }: Entry): string {
  return `${tx.alh.toString('hex')} ${key.toString('hex')}`
}
