import type { TrustedPoint } from '~/proof/context'
import type { TxFacts } from '~/proof/facts'
import type { verify } from '~/proof/verify'
import { randomOf } from '../../support/mutations'
import { base64, chainOf, type Entry, type Tx, txJson, valueHash } from './forger'
import { collectionId, documentId, Liar, tableId } from './liar'

// A series: one record of a trusted state, and a server that answers question after question as it
// likes. The law: no two answers that contradict each other are both verified under one record, and
// nothing is verified whose content was not hashed.

type Json = { [name: string]: unknown }

/** What happened in a series, and what broke the law in it. */
export type Series = {
  readonly answers: number
  readonly verified: number
  readonly refused: number
  readonly unproven: number
  /** Empty when the law held; else what contradicts what. */
  readonly breach: string
}

const database = 'db'
const schemas = ['payments', 'refunds'].map((table) => ({
  table,
  tableId,
  pk: [1],
  cols: [
    { id: 1, name: 'id', type: 'INTEGER', maxLen: 8 },
    { id: 2, name: 'amount', type: 'VARCHAR', maxLen: 0 },
  ],
  maxColId: 2,
}))

/** What the client keeps, and everything that it was shown as verified under it. */
type Record = {
  trusted: TrustedPoint | null
  /** What was verified, by what it is about; two values of one name contradict each other. */
  readonly claims: Map<string, string>
  /** The transactions that an audit has read. */
  readTo: string | null
  breach: string
}

/** Runs one series; the same seed gives the same one. */
export async function runSeries(engine: typeof verify, seed: number): Promise<Series> {
  return new Play(engine, randomOf(seed)).run()
}

class Play {
  readonly #verify: typeof verify
  readonly #liar: Liar
  readonly #record: Record = { trusted: null, claims: new Map(), readTo: null, breach: '' }
  readonly #counts = { answers: 0, verified: 0, refused: 0, unproven: 0 }

  constructor(engine: typeof verify, random: () => number) {
    this.#verify = engine
    this.#liar = new Liar(random)
  }

  async run(): Promise<Series> {
    const liar = this.#liar
    const rounds = 10 + liar.below(40)
    for (let round = 0; round < rounds && !this.#record.breach; round += 1) {
      if (liar.chance(0.3)) liar.aim(this.#known())
      if (liar.chance(0.5)) liar.grow(this.#known())
      await (liar.chance(0.2) ? this.#poll() : this.#ask())
      await (liar.chance(0.05) ? this.#audit() : this.#ask())
    }
    return { ...this.#counts, breach: this.#record.breach }
  }

  #known(): Tx | undefined {
    return this.#liar.byHash(this.#record.trusted?.txHash)
  }

  #context(more: Json = {}) {
    const { trusted, readTo } = this.#record
    return { db: database, trusted, readTo, publicKey: null, ...more }
  }

  /** The client asks for the state and moves its record if the engine says so. */
  async #poll(): Promise<void> {
    const known = this.#known()
    const tx = this.#liar.someState(known)
    if (!tx) return
    const state = { db: database, txId: String(tx.id), txHash: base64(tx.alh) }
    const isNewer = known && tx.id > known.id
    const proof = isNewer ? this.#liar.proven(tx, known, false) : undefined
    const found = await this.#judge('state', this.#context(), {}, { state, proof })
    if (found?.verdict !== 'ok') return
    this.#record.trusted = found.next
    this.#claim(`tx ${tx.id}`, tx.alh.toString('hex'))
  }

  /** The client reads all transactions up to its trusted one, as an audit does. */
  async #audit(): Promise<void> {
    const known = this.#known()
    if (!known) return
    const chain = chainOf(known)
    const at = this.#liar.below(chain.length)
    const others = this.#liar.withId(at + 1)
    const other = this.#liar.chance(0.3) ? this.#liar.one(others) : undefined
    const given = chain.map((tx, nth) => (nth === at && other ? other : tx))
    const txs = given.map((tx) => txJson(tx, true))
    const found = await this.#judge('audit', this.#context(), {}, { txs })
    if (found?.verdict !== 'ok') return
    for (const tx of given) this.#claimTx(tx)
    this.#record.readTo = String(known.id)
  }

  #claimTx(tx: Tx): void {
    this.#claim(`tx ${tx.id}`, tx.alh.toString('hex'))
    for (const entry of tx.entries)
      this.#claim(`tx ${tx.id}, ${entry.key.toString('hex')}`, valueHash(entry).toString('hex'))
  }

  async #ask(): Promise<void> {
    const liar = this.#liar
    const known = this.#known()
    const tx = liar.someTx()
    if (!tx) return
    const kinds = ['tx', 'get', 'row', 'document'] as const
    // Sometimes the proof starts from another transaction with the number of the trusted one.
    const start = liar.chance(0.15) ? liar.one(liar.withId(known?.id ?? 0)) : known
    await this.#askFor(liar.one(kinds) ?? 'tx', tx, start ?? tx)
  }

  async #askFor(kind: 'tx' | 'get' | 'row' | 'document', tx: Tx, known: Tx): Promise<void> {
    const liar = this.#liar
    const hasEntries = liar.chance(0.7)
    const v1 = liar.proven(tx, known, hasEntries)
    if (kind === 'tx') return this.#askTx(tx, v1)
    const found = liar.someEntry(tx, kind)
    if (!found) return
    const { entry, inclusionProof } = found
    const isWithheld = liar.chance(0.05)
    if (kind === 'get') {
      const key = base64(entry.key.subarray(1))
      const value = isWithheld ? undefined : base64(entry.value.subarray(1))
      const given = {
        entry: { tx: String(tx.id), key, value },
        verifiableTx: v1,
        inclusionProof,
      }
      await this.#askEntry('get', { keyRequest: { key } }, given, { tx, entry })
    } else if (kind === 'row') {
      const value = isWithheld ? undefined : base64(entry.value)
      const answer = { sqlEntry: { tx: String(tx.id), value }, verifiableTx: v1, inclusionProof }
      const schema = liar.one(schemas)
      if (schema) await this.#askRow(schema, answer, { tx, entry })
    } else {
      const asked = { documentId: documentId.toString('hex'), transactionId: '0' }
      const encodedDocument = isWithheld ? undefined : base64(entry.value)
      const answer = { database, collectionId, documentIdFieldName: '_id', encodedDocument }
      const given = { ...answer, verifiableTx: liar.provenV2(tx, known, hasEntries) }
      const more = liar.chance(0.7) ? { collectionId } : {}
      await this.#askEntry('document', asked, given, { tx, entry }, more)
    }
  }

  async #askTx(tx: Tx, answer: Json): Promise<void> {
    const found = await this.#judge('tx', this.#context(), { tx: String(tx.id) }, answer)
    const facts = this.#verifiedFacts(found) as Partial<TxFacts> | null
    if (!facts) return
    this.#claim(`tx ${tx.id}`, String(facts.alh))
    for (const { key, valueHash } of facts.entries ?? [])
      this.#claim(`tx ${tx.id}, ${key}`, valueHash)
  }

  async #askRow(
    schema: (typeof schemas)[number],
    answer: Json,
    built: { tx: Tx; entry: Entry },
  ): Promise<void> {
    const { table } = schema
    const of = (name: 'name' | 'type' | 'maxLen') =>
      Object.fromEntries(schema.cols.map((column) => [column.id, column[name]]))
    const ids = schema.cols.map(({ id, name }) => [`(${table}.${name})`, id])
    const described = {
      ...{ DatabaseId: 1, TableId: tableId, PKIDs: [1], MaxColId: 2 },
      ...{ ColNamesById: of('name'), ColTypesById: of('type'), ColLenById: of('maxLen') },
      ColIdsByName: Object.fromEntries(ids),
    }
    const asked = { sqlGetRequest: { table, pkValues: [{ n: '1' }] } }
    // The client knows one of them from an audit; the other one is what a liar calls it.
    const more = this.#liar.chance(0.7) ? { schema: schemas[0] } : {}
    await this.#askEntry('row', asked, { ...answer, ...described }, built, more, `${table}: `)
  }

  async #askEntry(
    kind: 'get' | 'row' | 'document',
    asked: Json,
    answer: Json,
    { tx, entry }: { tx: Tx; entry: Entry },
    more: Json = {},
    what = '',
  ): Promise<void> {
    const facts = this.#verifiedFacts(await this.#judge(kind, this.#context(more), asked, answer))
    if (!facts) return
    const key = entry.key.toString('hex')
    const shown = JSON.stringify(contentOf(kind, facts))
    const stored = JSON.stringify(builtContent(kind, entry))
    if (shown !== stored) this.#break(`${kind} of tx ${tx.id} shows ${shown}, stored is ${stored}`)
    this.#claim(`tx ${tx.id}, ${key}`, valueHash(entry).toString('hex'))
    if (kind === 'row') this.#claim(`table ${tableId}`, what)
  }

  /** Verified for an operator: proven, up to the trusted state, with nothing but the tree open. */
  #verifiedFacts(found: Awaited<ReturnType<typeof verify>> | null): Json | null {
    if (found?.verdict !== 'ok' || found.firstUse) return null
    const trusted = this.#record.trusted?.txId ?? '0'
    // What is newer waits until the state has moved.
    if (BigInt(found.next?.txId ?? 0) > BigInt(trusted)) return null
    return found.open.every((part) => part === 'tree') ? (found.facts as Json | null) : null
  }

  async #judge(
    kind: 'state' | 'tx' | 'get' | 'row' | 'document' | 'audit',
    ...given: [Json, Json, Json]
  ) {
    const [context, request, response] = given
    this.#counts.answers += 1
    try {
      const answer: unknown = JSON.parse(JSON.stringify(response))
      const found = await this.#verify(kind, context as never, request, answer)
      this.#counts[found.verdict === 'ok' ? 'verified' : 'unproven'] += 1
      return found
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ProofError') throw error
      this.#counts.refused += 1
      return null
    }
  }

  #claim(name: string, value: string): void {
    const before = this.#record.claims.get(name)
    if (before === undefined) this.#record.claims.set(name, value)
    else if (before !== value) this.#break(`${name} was verified as ${before} and as ${value}`)
  }

  #break(what: string): void {
    this.#record.breach ||= what
  }
}

function contentOf(kind: 'get' | 'row' | 'document', facts: Json): unknown {
  if (kind === 'get') return facts.value
  if (kind === 'row') return (facts.raw as Json)[2]
  return (facts.document as Json).text
}

function builtContent(kind: 'get' | 'row' | 'document', { value }: Entry): unknown {
  if (kind === 'get') return value.subarray(1).toString('hex')
  // Behind the number of cells, the first cell and the head of the second.
  if (kind === 'row') return value.subarray(4 + 16 + 8).toString('hex')
  return /\d+ EUR$/.exec(value.toString('latin1'))?.[0]
}
