import type { TrustedPoint } from '~/proof/context'
import type { TxFacts } from '~/proof/facts'
import type { verify } from '~/proof/verify'
import {
  base64,
  buildTx,
  chainOf,
  dualProof,
  dualProofV2,
  type Entry,
  inclusionJson,
  type Tx,
  txJson,
  u32,
  valueHash,
} from './forger'

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

/** Numbers from 0 up to 1 that are the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const database = 'db'
const tableId = 9
const collectionId = 4
const documentId = Buffer.from('00000000000000aa', 'hex')
const longest = 24

const plainKey = (name: string) => Buffer.concat([Buffer.of(0), Buffer.from(name)])
const rowKey = (() => {
  const id = Buffer.from('8000000000000001', 'hex')
  const place = Buffer.concat([Buffer.from('\x02R.'), u32(1), u32(tableId), u32(0)])
  return Buffer.concat([place, Buffer.of(0x80), id])
})()
const documentKey = Buffer.concat([
  Buffer.from('\x03R.'),
  ...[1, collectionId, 0].map(u32),
  Buffer.of(0x80),
  documentId,
  Buffer.alloc(32 - documentId.length),
  u32(documentId.length),
])

const cell = (id: number, content: Buffer) => Buffer.concat([u32(id), u32(content.length), content])
const rowOf = (text: string) =>
  Buffer.concat([
    u32(2),
    cell(1, Buffer.from('0000000000000001', 'hex')),
    cell(2, Buffer.from(text)),
  ])

/** One field of a protobuf message, with a length below 128. */
const field = (number: number, content: Buffer) =>
  Buffer.concat([Buffer.of(number * 8 + 2, content.length), content])
const member = (name: string, text: string) =>
  field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, field(3, Buffer.from(text)))]))
const documentOf = (text: string) => {
  const struct = Buffer.concat([member('_id', documentId.toString('hex')), member('text', text)])
  return Buffer.concat([u32(2), cell(1, documentId), cell(2, struct)])
}

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
  readonly #random: () => number
  readonly #txs: Tx[] = []
  readonly #byAlh = new Map<string, Tx>()
  readonly #record: Record = { trusted: null, claims: new Map(), readTo: null, breach: '' }
  readonly #counts = { answers: 0, verified: 0, refused: 0, unproven: 0 }
  /** How often the tree stands still, and how often it has something else than the chain. */
  readonly #laziness: number
  readonly #mischief: number
  /** The transaction about which the server is asked, and lies, most. */
  #focus = 3
  #values = 0

  constructor(engine: typeof verify, random: () => number) {
    this.#verify = engine
    this.#random = random
    // Some servers let their trees lag, some are honest about them; each in its own measure.
    this.#laziness = random() < 0.6 ? Math.sqrt(random()) : 0
    this.#mischief = random() < 0.5 ? random() / 2 : 0
  }

  async run(): Promise<Series> {
    for (let at = 0; at < 4; at += 1) this.#build(this.#newest())
    const rounds = 10 + this.#below(40)
    for (let round = 0; round < rounds && !this.#record.breach; round += 1) {
      if (this.#chance(0.3)) this.#aim()
      if (this.#chance(0.5)) this.#build(this.#someParent())
      await (this.#chance(0.2) ? this.#poll() : this.#ask())
      await (this.#chance(0.05) ? this.#audit() : this.#ask())
    }
    return { ...this.#counts, breach: this.#record.breach }
  }

  #chance(measure: number): boolean {
    return this.#random() < measure
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  #one<T>(items: readonly T[]): T | undefined {
    return items[this.#below(items.length)]
  }

  #newest(): Tx | null {
    return this.#txs.at(-1) ?? null
  }

  /** A transaction near where the client stands, of which there may be several. */
  #aim(): void {
    const at = this.#trustedTx()?.id ?? 3
    this.#focus = this.#chance(0.5) ? at + 1 : Math.max(1, at + this.#below(6) - 3)
  }

  /** What makes another transaction to lie about, or one behind it. */
  #someParent(): Tx | null {
    const at = this.#trustedTx()
    if (at && this.#chance(0.5)) return at
    const before = this.#txs.filter(({ id }) => id === this.#focus - 1)
    const later = this.#txs.filter((tx) => at && tx.id >= at.id - 1)
    return this.#one(this.#chance(0.4) ? before : later) ?? this.#newest()
  }

  #trustedTx(): Tx | undefined {
    const { trusted } = this.#record
    return trusted ? this.#byAlh.get(trusted.txHash) : undefined
  }

  /** A transaction with contents of its own, sometimes with a key twice, and with any tree. */
  #build(parent: Tx | null): void {
    if (parent && parent.id >= longest) return
    const tx = buildTx(
      parent,
      this.#entries(),
      this.#leaves(parent),
      1_700_000_000 + this.#txs.length,
    )
    this.#txs.push(tx)
    this.#byAlh.set(base64(tx.alh), tx)
  }

  #entries(): Entry[] {
    const text = () => {
      this.#values += 1
      return `${this.#values} EUR`
    }
    const made = [
      { key: plainKey('balance'), value: Buffer.concat([Buffer.of(0), Buffer.from(text())]) },
      { key: rowKey, value: rowOf(text()) },
      { key: documentKey, value: documentOf(text()) },
    ].filter(() => this.#chance(0.7))
    const twice = this.#chance(0.25) ? this.#one(made) : undefined
    const again = twice && { key: twice.key, value: changed(twice, text()) }
    const all = again ? [...made, again] : made
    return all.length > 0 ? all : [{ key: plainKey('other'), value: Buffer.of(0, 1) }]
  }

  /** What the tree holds: the chain as far as it goes on, or something else from the parent's end. */
  #leaves(parent: Tx | null): Buffer[] {
    const chain = chainOf(parent).map(({ alh }) => alh)
    const before = parent?.leaves.length ?? 0
    const gap = chain.length - before
    const some = this.#chance(0.5) ? 0 : this.#below(gap + 1)
    const size = this.#chance(this.#laziness) ? before + some : chain.length
    const kept = this.#chance(0.9) ? (parent?.leaves ?? []) : chain.slice(0, before)
    const added = chain.slice(before, size).map((alh, at) => {
      const others = this.#txs.filter((tx) => tx.id === before + at + 1)
      return this.#chance(this.#mischief) ? (this.#one(others)?.alh ?? alh) : alh
    })
    return [...kept, ...added]
  }

  #proof(source: Tx, target: Tx): Json {
    return dualProof(source, target, (alh) => this.#byAlh.get(base64(alh)))
  }

  /** The older one first, as the server orders them. */
  #pair(one: Tx, other: Tx): [Tx, Tx] {
    return one.id <= other.id ? [one, other] : [other, one]
  }

  #context(more: Json = {}) {
    const { trusted, readTo } = this.#record
    return { db: database, trusted, readTo, publicKey: null, ...more }
  }

  /** The client asks for the state and moves its record if the engine says so. */
  async #poll(): Promise<void> {
    const known = this.#trustedTx()
    const tx = this.#one(this.#txs.filter(({ id }) => !known || id >= known.id))
    if (!tx) return
    const state = { db: database, txId: String(tx.id), txHash: base64(tx.alh) }
    const isNewer = known && tx.id > known.id
    const proof = isNewer ? { tx: txJson(tx, false), dualProof: this.#proof(known, tx) } : undefined
    const found = await this.#judge('state', this.#context(), {}, { state, proof })
    if (found?.verdict !== 'ok') return
    this.#record.trusted = found.next
    this.#claim(`tx ${tx.id}`, tx.alh.toString('hex'))
  }

  /** The client reads all transactions up to its trusted one, as an audit does. */
  async #audit(): Promise<void> {
    const known = this.#trustedTx()
    if (!known) return
    const chain = chainOf(known)
    const at = this.#below(chain.length)
    const others = this.#txs.filter(({ id }) => id === at + 1)
    const other = this.#chance(0.3) ? this.#one(others) : undefined
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
    const known = this.#trustedTx()
    const aimed = this.#txs.filter(({ id }) => id === this.#focus)
    const tx = this.#one(this.#chance(0.8) && aimed.length > 0 ? aimed : this.#txs)
    if (!tx) return
    const kinds = ['tx', 'get', 'row', 'document'] as const
    // Sometimes the proof starts from another transaction with the number of the trusted one.
    const others = this.#txs.filter(({ id }) => id === known?.id)
    const start = this.#chance(0.15) ? this.#one(others) : known
    await this.#askFor(this.#one(kinds) ?? 'tx', tx, start ?? tx)
  }

  async #askFor(kind: 'tx' | 'get' | 'row' | 'document', tx: Tx, known: Tx): Promise<void> {
    const [source, target] = this.#pair(known, tx)
    const hasEntries = this.#chance(0.7)
    const v1 = { tx: txJson(tx, hasEntries), dualProof: this.#proof(source, target) }
    if (kind === 'tx') return this.#askTx(tx, v1)
    const key = { get: plainKey('balance'), row: rowKey, document: documentKey }[kind]
    const places = tx.entries.flatMap((entry, at) => (entry.key.equals(key) ? [at] : []))
    const at = this.#one(places)
    const entry = at === undefined ? undefined : tx.entries[at]
    if (at === undefined || !entry) return
    const inclusionProof = inclusionJson(tx, at)
    const isWithheld = this.#chance(0.05)
    if (kind === 'get') {
      const value = isWithheld ? undefined : base64(entry.value.subarray(1))
      const asked = { keyRequest: { key: base64(key.subarray(1)) } }
      const given = { tx: String(tx.id), key: base64(key.subarray(1)), value }
      await this.#askEntry(
        'get',
        asked,
        { entry: given, verifiableTx: v1, inclusionProof },
        { tx, entry },
      )
    } else if (kind === 'row') {
      const value = isWithheld ? undefined : base64(entry.value)
      const answer = { sqlEntry: { tx: String(tx.id), value }, verifiableTx: v1, inclusionProof }
      const schema = this.#one(schemas)
      if (schema) await this.#askRow(schema, answer, { tx, entry })
    } else {
      const v2 = { tx: txJson(tx, hasEntries), dualProof: dualProofV2(source, target) }
      const asked = { documentId: documentId.toString('hex'), transactionId: '0' }
      const encodedDocument = isWithheld ? undefined : base64(entry.value)
      const answer = { database, collectionId, documentIdFieldName: '_id', encodedDocument }
      const given = { ...answer, verifiableTx: v2 }
      const more = this.#chance(0.7) ? { collectionId } : {}
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
    const more = this.#chance(0.7) ? { schema: schemas[0] } : {}
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

const changed = ({ key }: Entry, text: string) => {
  if (key[0] === 2) return rowOf(text)
  return key[0] === 3 ? documentOf(text) : Buffer.concat([Buffer.of(0), Buffer.from(text)])
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
