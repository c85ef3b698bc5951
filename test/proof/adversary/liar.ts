import {
  base64,
  buildTx,
  chainOf,
  dualProof,
  dualProofV2,
  type Entry,
  inclusionJson,
  newSigner,
  type Tx,
  txJson,
  u32,
} from './forger'

type Json = { [name: string]: unknown }

export const tableId = 9
/** Two collections with a document of the same id in each. */
export const collections = { document: 4, letter: 5 } as const
export const documentId = Buffer.from('00000000000000aa', 'hex')
const longest = 24

const plainKey = (name: string) => Buffer.concat([Buffer.of(0), Buffer.from(name)])
const rowKey = (() => {
  const id = Buffer.from('8000000000000001', 'hex')
  const place = Buffer.concat([Buffer.from('\x02R.'), u32(1), u32(tableId), u32(0)])
  return Buffer.concat([place, Buffer.of(0x80), id])
})()
const documentKey = (collection: number) =>
  Buffer.concat([
    Buffer.from('\x03R.'),
    ...[1, collection, 0].map(u32),
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

/** What a kind of object is stored under. */
export const keyOf = {
  get: plainKey('balance'),
  row: rowKey,
  document: documentKey(collections.document),
  letter: documentKey(collections.letter),
}

/** Entries of the catalog, of tables below 2 and of collections below 3. */
const catalogKey = (prefix: number, kind: string, ids: readonly number[], type = '') =>
  Buffer.concat([
    Buffer.of(prefix),
    Buffer.from(`CTL.${kind}.`),
    ...ids.map(u32),
    Buffer.from(type),
  ])
const tableKey = catalogKey(2, 'TABLE', [1, tableId])
const columnKey = (id: number, type: string) => catalogKey(2, 'COLUMN', [1, tableId, id], type)
const amountKey = columnKey(2, 'VARCHAR')
const collectionKey = (id: number) => catalogKey(3, 'TABLE', [1, id])
const named = (key: Buffer, name: string): Entry => ({ key, value: Buffer.from(name) })
const columnOf = (key: Buffer, name: string, maxLen: number): Entry => ({
  key,
  value: Buffer.concat([Buffer.of(0), u32(maxLen), Buffer.from(name)]),
})

/** What the first transaction says of the tables, and of the collections if there are any. */
function firstCatalog(hasCollections: boolean): Entry[] {
  return [
    named(tableKey, 'payments'),
    columnOf(columnKey(1, 'INTEGER'), 'id', 8),
    columnOf(amountKey, 'amount', 0),
    {
      key: catalogKey(2, 'INDEX', [1, tableId, 0]),
      value: Buffer.concat([Buffer.of(1), u32(1), Buffer.of(0)]),
    },
    ...(hasCollections
      ? [
          named(collectionKey(collections.document), 'notes'),
          named(collectionKey(collections.letter), 'letters'),
        ]
      : []),
  ]
}

/** What a history calls its only table and the column of it that can be renamed. */
export type Names = { readonly table: string; readonly column: string }
const tableNames = ['payments', 'refunds']
const columnNames = ['amount', 'owed', 'paid back']

/** What a history calls its collections, by their numbers. */
export type CollectionNames = ReadonlyMap<number, string>
export const collectionNames = ['notes', 'letters']

/** The key of the server that a client means to ask, and one of someone else. */
const signers = { right: newSigner(), other: newSigner() }

/** A server that builds transactions with any content and any tree, and answers as it likes. */
export class Liar {
  readonly signers = signers
  readonly txs: Tx[] = []
  readonly #byAlh = new Map<string, Tx>()
  readonly #random: () => number
  /** How often the tree stands still, and how often it has something else than the chain. */
  #laziness = 0
  #mischief = 0
  /** How often the catalog is changed; 0 on many servers. */
  #restlessness = 0
  readonly hasCollections: boolean
  #signed: Tx | undefined
  readonly #names = new WeakMap<Tx, Names>()
  readonly #collections = new WeakMap<Tx, CollectionNames>()
  /** The transaction about which the server lies most. */
  focus = 3
  #values = 0

  constructor(random: () => number) {
    this.#random = random
    this.turn()
    this.hasCollections = random() > 0.5
    for (let at = 0; at < 4; at += 1) this.build(this.txs.at(-1) ?? null)
  }

  /** Some servers let their trees lag, some are honest about them; each in its own measure. */
  turn(): void {
    const random = this.#random
    this.#laziness = random() < 0.6 ? Math.sqrt(random()) : 0
    this.#mischief = random() < 0.5 ? random() / 2 : 0
    this.#restlessness = random() < 0.6 ? random() / 2 : 0
  }

  chance(measure: number): boolean {
    return this.#random() < measure
  }

  below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  one<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)]
  }

  byHash(txHash: string | undefined): Tx | undefined {
    return txHash === undefined ? undefined : this.#byAlh.get(txHash)
  }

  withId(id: number): readonly Tx[] {
    return this.txs.filter((tx) => tx.id === id)
  }

  /** Turns to a transaction near where the client stands, of which there may be several. */
  aim(known: Tx | undefined): void {
    const at = known?.id ?? 3
    this.focus = this.chance(0.5) ? at + 1 : Math.max(1, at + this.below(6) - 3)
  }

  /** Builds what makes another transaction to lie about, or one behind it. */
  grow(known: Tx | undefined): void {
    this.build(this.#someParent(known))
  }

  #someParent(known: Tx | undefined): Tx | null {
    if (this.chance(0.02)) return null
    if (known && this.chance(0.5)) return known
    const later = this.txs.filter((tx) => known && tx.id >= known.id - 1)
    const before = this.withId(this.focus - 1)
    return this.one(this.chance(0.4) ? before : later) ?? this.txs.at(-1) ?? null
  }

  /** A transaction with contents of its own, sometimes with a key twice, and with any tree. */
  build(parent: Tx | null): void {
    if (parent && parent.id >= longest) return
    const time = 1_700_000_000 + this.txs.length
    const entries = parent
      ? [...this.#entries(), ...this.#alterations()]
      : [...firstCatalog(this.hasCollections), ...this.#entries()]
    const tx = buildTx(parent, entries, this.#leaves(parent), time)
    this.txs.push(tx)
    this.#byAlh.set(base64(tx.alh), tx)
    this.#learn(tx)
  }

  /** What a history says of its table up to a transaction. */
  namesAt(tx: Tx): Names {
    return this.#names.get(tx) ?? { table: '', column: '' }
  }

  /** The same of its collections. */
  collectionsAt(tx: Tx): CollectionNames {
    return this.#collections.get(tx) ?? new Map()
  }

  #learn(tx: Tx): void {
    const before = tx.parent ? this.namesAt(tx.parent) : { table: '', column: '' }
    const text = (key: Buffer, start: number) =>
      tx.entries
        .findLast((entry) => entry.key.equals(key))
        ?.value.subarray(start)
        .toString()
    this.#names.set(tx, {
      table: text(tableKey, 0) ?? before.table,
      column: text(amountKey, 5) ?? before.column,
    })
    const collectionsBefore = tx.parent ? this.collectionsAt(tx.parent) : new Map<number, string>()
    const now = Object.values(collections).map((id) => {
      const name = text(collectionKey(id), 0) ?? collectionsBefore.get(id) ?? ''
      return [id, name] as const
    })
    this.#collections.set(tx, new Map(now))
  }

  /**
   * Whether the holder of the right key has signed this transaction, who only goes on from what it
   * signed before and lies neither in trees nor with keys.
   */
  maySign(tx: Tx): boolean {
    const chain = chainOf(tx)
    const tip = this.#signed
    if (tip && chainOf(tip).includes(tx)) return true
    const isNext = (!tip || chain.includes(tip)) && chain.every(isHonest)
    if (isNext) this.#signed = tx
    return isNext
  }

  /** Other names for what is there. */
  #alterations(): Entry[] {
    const column = columnOf(amountKey, this.one(columnNames) ?? '', 0)
    const [first = '', second = ''] = this.chance(0.5)
      ? collectionNames
      : collectionNames.toReversed()
    const all = [
      [column],
      [named(tableKey, this.one(tableNames) ?? '')],
      this.hasCollections
        ? [
            named(collectionKey(collections.document), first),
            named(collectionKey(collections.letter), second),
          ]
        : [],
    ]
    return all.flatMap((entries) => (this.chance(this.#restlessness) ? entries : []))
  }

  #entries(): Entry[] {
    const text = () => {
      this.#values += 1
      return `${this.#values} EUR`
    }
    const documents = this.hasCollections ? [keyOf.document, keyOf.letter] : []
    const made = [
      { key: keyOf.get, value: Buffer.concat([Buffer.of(0), Buffer.from(text())]) },
      { key: keyOf.row, value: rowOf(text()) },
      ...documents.map((key) => ({ key, value: documentOf(text()) })),
    ].filter(() => this.chance(0.7))
    const twice = this.chance(0.25) ? this.one(made) : undefined
    const again = twice && { key: twice.key, value: changed(twice, text()) }
    const all = again ? [...made, again] : made
    return all.length > 0 ? all : [{ key: plainKey('other'), value: Buffer.of(0, 1) }]
  }

  /** What the tree holds: the chain as far as it goes on, or something else from the parent's end. */
  #leaves(parent: Tx | null): Buffer[] {
    const chain = chainOf(parent).map(({ alh }) => alh)
    const before = parent?.leaves.length ?? 0
    const gap = chain.length - before
    const some = this.chance(0.5) ? 0 : this.below(gap + 1)
    const size = this.chance(this.#laziness) ? before + some : chain.length
    const kept = this.chance(0.9) ? (parent?.leaves ?? []) : chain.slice(0, before)
    const added = chain.slice(before, size).map((alh, at) => {
      const others = this.withId(before + at + 1)
      return this.chance(this.#mischief) ? (this.one(others)?.alh ?? alh) : alh
    })
    return [...kept, ...added]
  }

  /** Some state, which is seldom older than what the client knows. */
  someState(known: Tx | undefined): Tx | undefined {
    const isRestored = this.chance(0.05)
    return this.one(this.txs.filter(({ id }) => isRestored || !known || id >= known.id))
  }

  /** Some transaction, most often one with the number about which it lies. */
  someTx(): Tx | undefined {
    const aimed = this.withId(this.focus)
    return this.one(this.chance(0.8) && aimed.length > 0 ? aimed : this.txs)
  }

  /** A transaction as `/db/verifiable/tx` answers it, with the best proof from where the client is. */
  proven(tx: Tx, known: Tx, hasEntries: boolean): Json {
    const [source, target] = inOrder(known, tx)
    const proof = dualProof(source, target, (alh) => this.byHash(base64(alh)))
    return { tx: txJson(tx, hasEntries), dualProof: proof }
  }

  /** The same as documents have it. */
  provenV2(tx: Tx, known: Tx, hasEntries: boolean): Json {
    return { tx: txJson(tx, hasEntries), dualProof: dualProofV2(...inOrder(known, tx)) }
  }

  /** One of the entries of this kind in a transaction, and the proof that it is in there. */
  someEntry(tx: Tx, kind: keyof typeof keyOf): { entry: Entry; inclusionProof: Json } | undefined {
    const key = keyOf[kind]
    const places = tx.entries.flatMap((entry, at) => (entry.key.equals(key) ? [at] : []))
    const at = this.one(places)
    const entry = at === undefined ? undefined : tx.entries[at]
    return at === undefined || !entry ? undefined : { entry, inclusionProof: inclusionJson(tx, at) }
  }
}

/** Whether no key is there twice, and the tree has what the chain has; it may lag. */
export function isHonest(tx: Tx): boolean {
  const keys = new Set(tx.entries.map((entry) => entry.key.toString('hex')))
  const chain = chainOf(tx)
  const isSame = (leaf: Buffer, at: number) => chain[at]?.alh.equals(leaf) === true
  return keys.size === tx.entries.length && tx.leaves.every(isSame)
}

/** The older one first, as the server orders them. */
function inOrder(one: Tx, other: Tx): [Tx, Tx] {
  return one.id <= other.id ? [one, other] : [other, one]
}

const changed = ({ key }: Entry, text: string) => {
  if (key[0] === 2) return rowOf(text)
  return key[0] === 3 ? documentOf(text) : Buffer.concat([Buffer.of(0), Buffer.from(text)])
}
