import {
  canBeV2,
  documentAnswer,
  getAnswer,
  rowAnswer,
  type StoredKind,
} from '../proof/adversary/answers'
import { base64, chainOf, type Tx, txJson, valuesJson } from '../proof/adversary/forger'
import { collections, isHonest, keyOf, Liar, type Names } from '../proof/adversary/liar'
import type { FaultProxy, Seen } from './fault-proxy'
import type { Fault } from './faults'

type Json = { [name: string]: unknown }

/** The key that it lies about, base64. */
export const lyingKey = base64(keyOf.get.subarray(1))

/**
 * The table that a real server must have, so that there is something to lie about; see `realValue`.
 */
export const realTable = 'CREATE TABLE payments (id INTEGER, amount VARCHAR, PRIMARY KEY id);'
const realValue = 'REAL'
export const realRow = `INSERT INTO payments (id, amount) VALUES (1, '${realValue}');`

/** Numbers with which the liar builds every transaction whole, behind the one before, in its tree. */
export const honest = () => 0.65

/**
 * The liar behind a port: it answers what is asked about the history and about what is in it, all
 * else is real.
 */
export class LyingServer {
  readonly liar: Liar
  /** What it said of each transaction's hash last, by its number. */
  readonly #told = new Map<number, Tx>()
  #newest: Tx | undefined
  #shown: Tx | undefined
  /** Of which transaction the row was that a query showed last. */
  #selected: Tx | undefined
  readonly #givesValues: boolean

  /** @param givesValues whether an audit gets all that it asks for; then it begins honestly */
  constructor(proxy: FaultProxy, random: () => number, givesValues: boolean) {
    let isBegun = !givesValues
    this.liar = new Liar(() => (isBegun ? random() : honest()))
    isBegun = true
    this.#givesValues = givesValues
    proxy.weather((seen) => this.#answer(seen))
  }

  /** The state that it told last. */
  get newest(): Tx | undefined {
    return this.#newest
  }

  /** Whether some history that it told calls the column so. */
  hasCalled(column: string): boolean {
    return [...this.#told.values()].some((tx) => this.liar.namesAt(tx).column === column)
  }

  /** Goes on building, around where the client stands. */
  grow(): void {
    if (this.liar.chance(0.4)) this.liar.aim(this.#newest)
    if (this.liar.chance(0.7)) this.liar.grow(this.#newest)
  }

  #answer({ path, body }: Seen): Fault | undefined {
    const { pathname, searchParams } = new URL(path.replace(/^\/api/, ''), 'http://liar')
    const asked: Json = body.startsWith('{') ? JSON.parse(body) : {}
    const tx = /^\/db\/verifiable\/tx\/(\d+)$/.exec(pathname)?.[1]
    if (tx !== undefined) return this.#tx(Number(tx), Number(searchParams.get('proveSinceTx')))
    if (pathname.startsWith('/db/get/')) return answer(this.#show())
    if (/^\/v2\/collection\/.*\/proof$/.test(pathname)) return this.#document(asked)
    if (pathname === '/db/sqlquery' && /FROM payments/.test(body)) return this.#select()
    switch (pathname) {
      case '/db/state':
        return this.#state()
      case '/db/scan':
      case '/db/history':
        return answer({ entries: [this.#show()] })
      case '/db/verifiable/get':
        return this.#get(Number(asked.proveSinceTx), (asked.keyRequest as Json).atTx)
      case '/db/verifiable/sqlget':
        return this.#row(Number(asked.proveSinceTx), (asked.sqlGetRequest as Json).atTx)
      case '/v2/collections':
        return this.liar.hasCollections ? answer({ collections: listed }) : undefined
      case '/db/tx':
        return this.#page(Number(asked.initialTx), Number(asked.limit), asked.entriesSpec)
      default:
        return undefined
    }
  }

  /** A caught liar is not asked again, so the state mostly continues an earlier one. */
  #state(): Fault {
    const told = this.#newest
    const goesOn = this.liar.txs.filter(
      (tx) => !told || (chainOf(tx).includes(told) && isHonest(tx)),
    )
    const next = this.liar.chance(0.95) ? this.liar.one(goesOn) : this.liar.someState(told)
    const tx = told && this.liar.chance(0.6) ? told : next
    if (!tx) return refusal
    this.#newest = tx
    this.#told.set(tx.id, tx)
    return answer({ db: 'defaultdb', txId: String(tx.id), txHash: base64(tx.alh) })
  }

  /** From where the client says that it stands; the liar guesses which of those it means. */
  #known(since: number): Tx | undefined {
    return this.#told.get(since) ?? this.liar.one(this.liar.withId(since))
  }

  #tx(id: number, since: number): Fault {
    const [tx, known] = [this.#known(id), this.#known(since)]
    return tx && known ? answer(this.liar.proven(tx, known, this.liar.chance(0.8))) : refusal
  }

  /** Some transaction with such an object; mostly one that may hold, just above what was told. */
  #with(kind: StoredKind): Tx | undefined {
    const all = this.liar.txs.filter((one) => this.liar.someEntry(one, kind))
    const near = all.filter(({ id }) => id === (this.#newest?.id ?? 0) + 1)
    return (this.liar.chance(0.8) && this.#careful(near)) || this.#careful(all)
  }

  #careful(all: readonly Tx[]): Tx | undefined {
    const told = this.#newest
    const before = chainOf(told ?? null)
    const may = all.filter(
      (tx) => (before.includes(tx) || !told || chainOf(tx).includes(told)) && isHonest(tx),
    )
    return this.liar.one(this.liar.chance(0.97) ? may : all)
  }

  /** The key as it stands in some transaction. */
  #show(): Json | undefined {
    const kept = this.#careful(this.#shown ? [this.#shown] : [])
    const tx = this.liar.chance(0.6) ? this.#with('get') : (kept ?? this.#with('get'))
    const found = tx && this.liar.someEntry(tx, 'get')
    if (!found) return undefined
    this.#shown = tx
    const value = base64(found.entry.value.subarray(1))
    return { tx: String(tx.id), key: lyingKey, value, revision: '1' }
  }

  /** Of the transaction that was asked for there may be several. */
  #get(since: number, atTx: unknown): Fault {
    const asked = this.liar.withId(Number(atTx ?? this.#shown?.id ?? 0))
    const others = asked.filter((one) => this.liar.someEntry(one, 'get'))
    const tx = this.#careful(others)
    const known = this.#known(since) ?? tx
    if (!tx || !known) return refusal
    return answer(entryAnswer(this.liar, tx, known))
  }

  /** A real row, with the value that some transaction of the liar has. */
  #select(): Fault {
    const tx = this.#with('row')
    const found = tx && this.liar.someEntry(tx, 'row')
    this.#selected = tx
    const text = /\d+ EUR/.exec(found?.entry.value.toString() ?? '')?.[0] ?? realValue
    return { kind: 'change', change: (body) => body.replaceAll(realValue, text) }
  }

  #row(since: number, atTx: unknown): Fault {
    const asked =
      atTx === undefined ? this.#selected : this.#careful(this.liar.withId(Number(atTx)))
    const tx = atTx === undefined && this.liar.chance(0.3) ? this.#with('row') : asked
    const found = tx && this.liar.someEntry(tx, 'row')
    if (!tx || !found) return missing
    const known = this.#known(since) ?? tx
    const { column } = this.liar.namesAt(this.#newest ?? tx)
    const names: Names = { table: 'payments', column: this.liar.chance(0.1) ? 'owed' : column }
    const built = { tx, known, hasEntries: this.liar.chance(0.8), hasValue: true }
    return answer(rowAnswer(this.liar, built, found, names))
  }

  #document({ collectionName, transactionId, proofSinceTransactionId }: Json): Fault {
    const names = this.liar.collectionsAt(this.#newest ?? (this.liar.txs[0] as Tx))
    const isFirst = names.get(collections.document) === collectionName
    const kind = isFirst !== this.liar.chance(0.1) ? 'document' : 'letter'
    const atTx = Number(transactionId ?? 0)
    const tx = atTx === 0 ? this.#with(kind) : this.#careful(this.liar.withId(atTx))
    const found = tx && this.liar.someEntry(tx, kind)
    if (!tx || !found) return missing
    const known = this.#known(Number(proofSinceTransactionId)) ?? tx
    const built = { tx, known, hasEntries: true, hasValue: true }
    // Where the tree lags there are no proofs of documents.
    if (!canBeV2(built)) return missing
    return answer({ ...documentAnswer(this.liar, built, found, kind), database: 'defaultdb' })
  }

  /** The history as it told it last. */
  #page(first: number, limit: number, spec: unknown): Fault {
    const txs = chainOf(this.#newest ?? null).slice(first - 1, first - 1 + limit)
    const isAskedFor = typeof spec === 'object' && spec !== null && 'kvEntriesSpec' in spec
    if (!isAskedFor || !this.#givesValues) {
      return answer({ txs: txs.map((tx) => txJson(tx, spec === undefined || isAskedFor)) })
    }
    return answer({ txs: txs.map((tx) => valuesJson(tx, ({ key }) => key[0] !== 3)) })
  }
}

/** As `/db/verifiable/get` answers; undefined where the transaction has no such key. */
export function entryAnswer(liar: Liar, tx: Tx, known: Tx): Json | undefined {
  const found = liar.someEntry(tx, 'get')
  if (!found) return undefined
  return getAnswer(liar, { tx, known, hasEntries: liar.chance(0.8), hasValue: true }, found)
}

const listed = ['notes', 'letters'].map((name) => ({ name }))

function answer(body: Json | undefined): Fault {
  if (!body) return refusal
  const headers = { 'content-type': 'application/json' }
  return { kind: 'answer', status: 200, headers, body: JSON.stringify(body) }
}

/** As immudb says what it will not do; a proof since what it does not have, or of what is not there. */
function refusalOf(message: string): Fault {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ error: message, message, code: 2 })
  return { kind: 'answer', status: 500, headers, body }
}

const refusal = refusalOf('illegal state')
const missing = refusalOf('tx not found')
