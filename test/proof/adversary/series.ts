import type { AuditProgress } from '~/proof/audit-messages'
import type { Context, TrustedState } from '~/proof/kernel/context'
import type { TxFacts } from '~/proof/kernel/proven-facts'
import type { FactsOf, Kind, Verified } from '~/proof/kernel/verify'
import type { SavedDeepAudit } from '~/proof/saved-audit'
import {
  bytesValue,
  factsAlone,
  type Leaf,
  numberValue,
  objectLeaf,
  type Shown,
  textValue,
  type Value,
} from '~/proof/shown'
import type { TrustRecord } from '~/trust/trust-record'
import type { Question, Verification } from '~/trust/verification'
import { about } from '../../support/evidence'
import { randomOf } from '../../support/mutations'
import {
  type Built,
  database,
  documentAnswer,
  documentRequest,
  getAnswer,
  getRequest,
  rowAnswer,
  rowRequest,
  type Signed,
  type StoredKind,
  signed,
} from './answers'
import { base64, chainOf, type Entry, type Tx, valueHash } from './forger'
import { collectionNames, collections, Liar, type Names } from './liar'
import { contentOf, LyingDoor } from './lying-door'
import type { Attacked } from './mutant'

// A series: one record of a trusted state, and a server that answers question after question as it
// likes. The law: no two answers that contradict each other are both verified under one record, and
// nothing is verified whose content was not hashed, or beside which a page draws anything else.

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

const id = { origin: 'http://liar', server: 'liar', database }

/** Runs one series; the same seed gives the same one. */
export async function runSeries(attacked: Attacked, seed: number): Promise<Series> {
  return new Play(attacked, randomOf(seed)).run()
}

type Provable = 'state' | 'tx' | 'get' | 'row' | 'document'

/** A question, and all that the liar knows of its answer. */
type Asked = {
  readonly kind: Provable
  readonly request: Json
  readonly response: Json
  readonly tx: Tx
  readonly known: Tx
  readonly by: Signed | null
  /** The entry that is shown, and what it is called. */
  readonly entry?: Entry
  readonly names?: Names
  readonly collection?: { name: string; number: number }
  /** Whether the answer lists what is in the transaction. */
  readonly hasEntries: boolean
}

class Play {
  readonly #attacked: Attacked
  readonly #liar: Liar
  readonly #io: ReturnType<Attacked['createStore']>
  readonly #points: InstanceType<Attacked['TrustedStates']>
  readonly #counts = { answers: 0, verified: 0, refused: 0, unproven: 0 }
  /** What was shown as verified, by what it is about; two values of one name contradict each other. */
  #claims = new Map<string, string>()
  /** Contents that audits were given, and the transactions that they have read. */
  #given = new Set<string>()
  #read = new Set<Tx>()
  readonly #hasKey: boolean
  /** Whether every transaction is read as it arrives. */
  readonly #areArrivalsRead: boolean
  /** Milliseconds; audits ask for more at a time the faster they are answered. */
  #time = 0
  #breach = ''
  /** Whether a row was verified under this record, which the older form never is. */
  #hasLeftOlderForm = false

  constructor(attacked: Attacked, random: () => number) {
    this.#attacked = attacked
    this.#liar = new Liar(random)
    this.#hasKey = this.#liar.chance(0.25)
    this.#areArrivalsRead = this.#liar.chance(0.3)
    this.#io = attacked.createStore()
    const door = { ...attacked.memoryTrustStore(), isKept: true }
    this.#points = new attacked.TrustedStates(() => Promise.resolve(door))
    this.#io.set(attacked.trustedStatesAtom, this.#points)
  }

  async run(): Promise<Series> {
    const liar = this.#liar
    if (this.#hasKey) await this.#pin(liar.signers.right.publicKey)
    const rounds = 10 + liar.below(40)
    for (let round = 0; round < rounds && !this.#breach; round += 1) {
      const known = await this.#known()
      if (liar.chance(0.3)) liar.aim(known)
      if (liar.chance(0.5)) liar.grow(known)
      await (liar.chance(0.2) ? this.#poll() : this.#ask())
      await (liar.chance(0.09) ? this.#audit() : this.#ask())
      if (this.#areArrivalsRead && liar.chance(0.3)) await this.#readArrivals()
      if (liar.chance(0.2)) await this.#showFile()
      if (liar.chance(0.01)) await this.#startOver()
      if (this.#hasKey && liar.chance(0.02)) await this.#changeKey()
    }
    return { ...this.#counts, breach: this.#breach }
  }

  /** A clock of its own, which goes on as it is read: the machine's would change the series. */
  #now(): number {
    this.#time += 1
    return this.#time
  }

  #record(): Promise<TrustRecord | null> {
    return this.#points.read(id)
  }

  async #known(): Promise<Tx | undefined> {
    return this.#liar.byHash((await this.#record())?.point.txHash)
  }

  #pin(publicKey: string | null): Promise<void> {
    return this.#points.pinKey(id.origin, id.server, publicKey)
  }

  #key(): Promise<string | null> {
    return this.#points.pinnedKey(id.origin, id.server)
  }

  /** Who runs the server has a new key, or says so; then nothing that the old one signed counts. */
  async #changeKey(): Promise<void> {
    const { right, other } = this.#liar.signers
    await this.#pin(this.#liar.one([right.publicKey, other.publicKey, null]) ?? null)
  }

  /**
   * The operator forgets the record; another tab, which did not notice, writes down once more what
   * an audit of the history before has read.
   */
  async #startOver(): Promise<void> {
    const audited = await this.#points.readAudit(id)
    await this.#points.forget(id, '')
    this.#hasLeftOlderForm = false
    this.#claims = new Map()
    this.#given = new Set()
    this.#read = new Set()
    // Nobody begins again within a millisecond, by which records are told apart.
    for (const now = Date.now(); Date.now() === now; );
    await this.#poll()
    if (audited) await this.#points.writeAudit(id, audited)
  }

  /** The client asks for the state and moves its record if the engine says so. */
  async #poll(): Promise<void> {
    const record = await this.#record()
    const known = await this.#known()
    const tx = this.#liar.someState(known)
    if (!tx) return
    const { signature, by } = signed(this.#liar, tx)
    const state = { db: database, txId: String(tx.id), txHash: base64(tx.alh), signature }
    const isNewer = known && tx.id > known.id
    const proof = isNewer ? this.#liar.proven(tx, known, false) : undefined
    const response = { state, proof }
    const about = { kind: 'state', request: {}, response, tx, known: known ?? tx, by } as const
    const key = await this.#key()
    const context = { db: database, trusted: record?.point ?? null, publicKey: key }
    const found = await this.#judge({ ...about, hasEntries: false }, context)
    await this.#withoutAdvance({ ...about, hasEntries: false }, context)
    if (found?.verdict !== 'ok' || !found.next) return
    this.#checkSigned(about, found, key)
    const from = record?.point ?? null
    if (from && this.#attacked.isSameState(from, found.next)) {
      await this.#points.noteChecked(id, found.next)
    } else {
      const moved = await this.#points.move(id, from, found.next, from ? 'state' : 'first')
      if (!moved.isMoved) this.#break(`the state went from tx ${from?.txId} to ${found.next.txId}`)
    }
    this.#claim(`tx ${tx.id}`, tx.alh.toString('hex'))
  }

  async #ask(): Promise<void> {
    const asked = await this.#question()
    if (!asked) return
    const record = await this.#record()
    const key = await this.#key()
    const read = record ? await this.#attacked.readRangeOf(this.#io, record) : null
    const wanted = { kind: asked.kind, request: asked.request } as Question
    const pinned = this.#attacked.pinnedFor(record, wanted, read)
    const trusted = record?.point ?? null
    const range = read && { readFrom: read.readFrom, readTo: read.readTo }
    const context: Context = { db: database, trusted, publicKey: key, ...pinned, ...range }
    const found = await this.#judge(asked, context)
    await this.#excuse(asked, context, found)
    await this.#withoutAdvance(asked, context)
    if (!found || !record) return
    // What is newer waits until the state has moved.
    if (BigInt(found.next?.txId ?? 0) > BigInt(record.point.txId)) return
    const { pinSeen } = this.#attacked
    const isPinned =
      found.verdict !== 'ok' || (await pinSeen(this.#io, record, wanted, asked.response))
    if (isPinned && found.verdict === 'ok' && asked.kind === 'row') this.#hasLeftOlderForm = true
    if (!isPinned || !this.#isVerified(asked, found, context, record)) return
    this.#checkSigned(asked, found, key)
    this.#checkShown(asked, found, record.point)
  }

  /** The same row in the form of an old server, which must excuse nothing and prove nothing. */
  async #excuse(asked: Asked, context: Context, found: Verified<FactsOf[Kind]> | null) {
    if (asked.kind !== 'row') return
    const { MaxColId: _, ...response } = asked.response
    const excused = await this.#judge({ ...asked, response }, context)
    if (!excused) return
    const what = `a row of tx ${asked.tx.id} in the older form`
    if (excused.verdict === 'ok') this.#break(`${what} was verified`)
    if (!found) this.#break(`${what} was not refused, and in the newer form it was`)
    if (this.#hasLeftOlderForm) this.#break(`${what} was not refused after a newer one`)
  }

  /** The same from a server too old for linear advance proofs: without one, it moves nothing. */
  async #withoutAdvance(asked: Asked, context: Context): Promise<void> {
    let wasThere = false
    const text = JSON.stringify(asked.response, (name, value: unknown) => {
      if (name !== 'LinearAdvanceProof') return value
      wasThere ||= Boolean(value)
      return undefined
    })
    if (!wasThere) return
    const older = { ...context, mayLackAdvance: true }
    const found = await this.#judge({ ...asked, response: JSON.parse(text) as Json }, older)
    if (!found) return
    const what = `${asked.kind} of tx ${asked.tx.id} without its linear advance proof`
    if (found.verdict === 'ok') this.#break(`${what} was verified`)
    if (found.next?.txHash !== context.trusted?.txHash) this.#break(`${what} moved the state`)
  }

  async #question(): Promise<Asked | undefined> {
    const liar = this.#liar
    const trusted = await this.#known()
    const tx = liar.someTx()
    if (!tx) return undefined
    // Sometimes the proof starts from another transaction with the number of the trusted one.
    const start = liar.chance(0.15) ? liar.one(liar.withId(trusted?.id ?? 0)) : trusted
    return this.#questionOf(tx, start ?? tx)
  }

  /** Some question about a transaction, and the answer to it. */
  #questionOf(
    tx: Tx,
    known: Tx,
    kinds: readonly ('tx' | StoredKind)[] = ['tx', 'get', 'row', 'document', 'letter'],
    names = this.#someNames(tx),
  ): Asked | undefined {
    const liar = this.#liar
    const kind = liar.one(kinds) ?? 'tx'
    const [hasEntries, hasValue] = [liar.chance(0.7), liar.chance(0.95)]
    const built = { tx, known, hasEntries, hasValue }
    const { signature, by } = signed(liar, known.id > tx.id ? known : tx)
    if (kind === 'tx') {
      const response = { ...liar.proven(tx, known, hasEntries), signature }
      return { kind, request: { tx: String(tx.id) }, response, tx, known, by, hasEntries }
    }
    const found = liar.someEntry(tx, kind)
    if (!found) return undefined
    const shown = this.#shownAs(kind, built, found, { signature, names })
    return { ...shown, tx, known, by, entry: found.entry, hasEntries }
  }

  #shownAs(
    kind: Exclude<StoredKind, never>,
    built: Built,
    found: { entry: Entry; inclusionProof: Json },
    { signature, names }: { signature: Json | undefined; names: Names },
  ): Pick<Asked, 'kind' | 'request' | 'response' | 'names' | 'collection'> {
    const liar = this.#liar
    const add = (answer: Json): Json => ({
      ...answer,
      verifiableTx: { ...(answer.verifiableTx as Json), signature },
    })
    if (kind === 'get') {
      const response = add(getAnswer(liar, built, found))
      return { kind, request: getRequest(found.entry), response }
    }
    if (kind === 'row') {
      const response = add(rowAnswer(liar, built, found, names))
      return { kind, request: rowRequest(names), response, names }
    }
    const name = liar.one(collectionNames) ?? ''
    const response = add(documentAnswer(liar, built, found, kind))
    const collection = { name, number: collections[kind] }
    return { kind: 'document', request: documentRequest(name), response, collection }
  }

  /** What the table was called at some time, or never. */
  #someNames(tx: Tx): Names {
    const liar = this.#liar
    const others = liar.txs.filter(({ id }) => id >= tx.id)
    const at = liar.chance(0.7) ? liar.one(others) : liar.one(liar.txs)
    return at && liar.chance(0.95) ? liar.namesAt(at) : { table: 'payments', column: 'made up' }
  }

  /** Whether an operator is shown a green mark for it, which depends on what the page draws. */
  #isVerified(
    asked: Asked,
    verified: Verified<FactsOf[Kind]>,
    context: Context,
    record: TrustRecord,
  ): boolean {
    const { kind, tx, request, response } = asked
    const about: Omit<Verification, 'shown'> = {
      ...{ database, server: id.server, kind, what: '', context, request, response, at: 0 },
      basis: { contact: record.firstContact, keeping: 'kept' },
      outcome:
        verified.verdict === 'ok'
          ? { kind: 'ok', verified }
          : { kind: 'unproven', why: 'it is not tied to the trusted state' },
    }
    const isGreen = (shown: Shown) =>
      this.#attacked.verdictWhenChecked({ verification: { ...about, shown } }).verdict ===
      'verified'
    const isGreenWith = (...leaves: Leaf[]) => isGreen({ leaves, whole: [] })
    const [own, other] = drawnOf(asked)
    const isIt = isGreen(factsAlone)
    if (isGreenWith(own) !== isIt) this.#break(`${kind} of tx ${tx.id} differs from what it holds`)
    if (isGreenWith(other)) this.#break(`${kind} of tx ${tx.id} is green beside other content`)
    if (isGreenWith(own, unproven)) this.#break(`${kind} of tx ${tx.id} is green beside any number`)
    return isIt
  }

  /** Holds what is shown in green against the law. */
  #checkShown(
    asked: Asked,
    found: Verified<FactsOf[Kind]>,
    trusted: TrustedState,
    describedBy = this.#liar.byHash(trusted.txHash),
  ): void {
    const { kind, tx, known, entry, hasEntries } = asked
    const facts = found.facts as Json | null
    if (!facts) {
      this.#break(`${kind} of tx ${tx.id} shows nothing`)
      return
    }
    if (!hasEntries) this.#break(`${kind} of tx ${tx.id} was verified without its entries`)
    const chain = chainOf(this.#liar.byHash(trusted.txHash) ?? null)
    const isInTree = tx.id < known.leaves.length
    const isRead = found.verdict === 'ok' && !found.open.includes('tree')
    if (isRead && isInTree && !this.#read.has(tx)) this.#break(`tx ${tx.id} was never read`)
    if (isRead && chain[tx.id - 1] !== tx) this.#break(`tx ${tx.id} is not the one in the chain`)
    this.#claim(`tx ${tx.id}`, tx.alh.toString('hex'))
    if (kind === 'tx') {
      for (const { key, valueHash } of (facts as Partial<TxFacts>).entries ?? [])
        this.#claim(`tx ${tx.id}, ${key}`, valueHash)
    }
    if (!entry) return
    const [shown, stored] = [contentShown(kind, facts), builtContent(kind, entry)]
    if (shown !== stored) this.#break(`${kind} of tx ${tx.id} shows ${shown}, stored is ${stored}`)
    this.#claim(`tx ${tx.id}, ${entry.key.toString('hex')}`, valueHash(entry).toString('hex'))
    this.#checkDescribed(asked, describedBy)
  }

  /** What is called by a name in green is called so by the history up to the state it was held to. */
  #checkDescribed({ tx, names, collection }: Asked, at: Tx | undefined): void {
    if (!at || (!names && !collection)) return
    const now = this.#liar.namesAt(at)
    if (names && !isSameNames(now, names)) {
      const [shown, said] = [JSON.stringify(names), JSON.stringify(now)]
      this.#break(`a row of tx ${tx.id} shows ${shown}, the history up to tx ${at.id} has ${said}`)
    }
    const name = collection && this.#liar.collectionsAt(at).get(collection.number)
    if (collection && name !== collection.name) {
      this.#break(`a document of tx ${tx.id} is said to be of ${collection.name}, not of ${name}`)
    }
  }

  /** While a key is pinned its holder has signed the newer transaction, for this database. */
  #checkSigned(
    { tx, known, by }: Pick<Asked, 'tx' | 'known' | 'by'>,
    { signed: isSigned }: Verified<FactsOf[Kind]>,
    key: string | null,
  ): void {
    if (key === null) return
    const newer = known.id > tx.id ? known : tx
    const isRight = by?.publicKey === key && by.db === database && by.tx === newer
    if (!isSigned || !isRight) this.#break(`tx ${newer.id} was verified without a right signature`)
  }

  /** Reads the history as an audit does, from the first transaction or from the last audit on. */
  async #audit(): Promise<void> {
    const { auditOf, Walk, findRecord } = this.#attacked
    const trust = await this.#record()
    if (!trust || trust.point.txId === '0') return
    const { record } = await findRecord(this.#io, id)
    const withValues = this.#liar.chance(0.7)
    const last = this.#liar.chance(0.5) ? record.finished : null
    const fresh = { target: trust.point, withValues }
    if (last && BigInt(last.chain.txId) >= BigInt(trust.point.txId)) return
    if (last && !(await this.#fits(trust, last))) return
    let target: Tx | undefined = this.#liar.byHash(trust.point.txHash)
    const known = () => target as Tx // the trusted state, which the liar built
    const door = new LyingDoor(this.#liar, known, this.#given, this.#attacked.ApiError)
    const seen: { progress?: AuditProgress; saved?: SavedDeepAudit } = {}
    const walk = new Walk(auditOf(last ? { since: last, ...fresh } : fresh), {
      server: door,
      database,
      report: (progress, saved) => {
        seen.progress = progress
        if (saved) seen.saved = saved
      },
      newestPoint: async () => {
        await this.#poll()
        const point = (await this.#record())?.point
        const now = this.#liar.byHash(point?.txHash)
        if (!point || !now) return null
        target = now
        return point
      },
      isWanted: () => true,
      now: () => this.#now(),
    })
    const walked = await this.#walked(walk)
    if (!walked || !seen.progress) return
    const { counts } = walked.audit.exceptions
    const isListed = !counts['entries-too-large'] && !counts['entries-withheld']
    const first = Number(walked.audit.first)
    const chain = chainOf(known())
    for (const tx of chain) this.#claimTx(tx, isListed && tx.id >= first)
    for (const tx of chain.slice(first - 1)) this.#read.add(tx)
    await this.#noteAudit(
      trust,
      walked,
      seen as { progress: AuditProgress; saved?: SavedDeepAudit },
    )
  }

  /** Reads what came since the last time, behind what was read before or behind the trusted state. */
  async #readArrivals(): Promise<void> {
    const attacked = this.#attacked
    const trust = await this.#record()
    const known = this.#liar.byHash(trust?.point.txHash)
    if (!trust || !known) return
    const before = await attacked.findArrivals(this.#io, id, trust)
    const { finished } = (await attacked.findRecord(this.#io, id)).record
    const found = this.#arrivalsOf(before === 'damaged' ? null : before, finished)
    if (!found) return this.#beginArrivals(trust, known)
    const { chain } = found.saved
    if (chain.txId === trust.point.txId) return
    if (!(await this.#fits(trust, found.saved))) return
    const door = new LyingDoor(this.#liar, () => known, this.#given, attacked.ApiError)
    let saved: SavedDeepAudit | null = null
    const from = { since: found.saved, target: trust.point, withValues: false }
    const walk = new attacked.Walk(attacked.auditOf(from), {
      server: door,
      database,
      report: (_, now) => {
        saved = now ?? saved
      },
      newestPoint: () => Promise.resolve(null),
      isWanted: () => true,
      now: () => this.#now(),
    })
    const walked = await this.#walked(walk)
    if (!walked || !saved) return
    const arrivals = { first: found.first, saved, at: 0, resting: null }
    await attacked.keepArrivals(this.#io, trust, arrivals)
    for (const tx of chainOf(known).slice(Number(walked.audit.first) - 1)) this.#read.add(tx)
  }

  /** Whether a saved audit stands in the trusted history; no server is asked about it here. */
  async #fits(trust: TrustRecord, { chain }: SavedDeepAudit): Promise<boolean> {
    const found = await this.#attacked.fitOf(this.#io, trust, chain).catch(() => null)
    return found?.kind === 'fits'
  }

  #arrivalsOf(
    known: { first: string; saved: SavedDeepAudit } | null,
    finished: SavedDeepAudit | null,
  ): { first: string; saved: SavedDeepAudit } | null {
    const { catalogTxOf, laterTx } = this.#attacked
    if (!finished || !known) return finished ? { first: '1', saved: finished } : known
    const [end, further] = [BigInt(finished.chain.txId), BigInt(known.saved.chain.txId)]
    if (end + 1n < BigInt(known.first) || end > further) return { first: '1', saved: finished }
    const catalogTx = laterTx(catalogTxOf(finished), catalogTxOf(known.saved))
    return { first: '1', saved: { ...known.saved, catalogTx } }
  }

  /** The proof of the trusted state has what is needed to go on from it. */
  async #beginArrivals(trust: TrustRecord, known: Tx): Promise<void> {
    const { startBehind, startDeepAudit, readTarget, saveDeepAudit } = this.#attacked
    const at = this.#liar.chance(0.9) ? known : (this.#liar.someTx() ?? known)
    try {
      const target = readTarget(trust.point)
      const chain = startBehind(target, this.#liar.proven(at, at, false).dualProof)
      if (!chain) return
      const first = chain.txId + 1n
      const saved = saveDeepAudit({ ...startDeepAudit(target, false), chain, first })
      const arrivals = { first: String(first), at: 0, resting: null }
      if (saved) await this.#attacked.keepArrivals(this.#io, trust, { ...arrivals, saved })
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }

  /** What an audit found at its end; null when something was refused. */
  async #walked(walk: InstanceType<Attacked['Walk']>) {
    this.#counts.answers += 1
    const walked = await walk.run().catch((error: unknown) => {
      if (error instanceof this.#attacked.Refusal || isRefusal(error)) return null
      throw error
    })
    const isDone = walked?.isAtEnd === true
    this.#counts[isDone ? 'verified' : 'refused'] += 1
    return isDone ? walked : null
  }

  async #noteAudit(
    trust: TrustRecord,
    { audit, tables }: Awaited<ReturnType<InstanceType<Attacked['Walk']>['run']>>,
    { progress, saved }: { progress: AuditProgress; saved?: SavedDeepAudit },
  ): Promise<void> {
    const attacked = this.#attacked
    const { txId, alh } = audit.chain
    const target = { txId: String(txId), txHash: base64(alh) }
    const names = attacked.numbersOf([...audit.collections])
    await this.#points.pinAudited(trust, {
      schemas: tables && attacked.schemasOf(audit.catalog),
      collections: names,
      named: attacked.namedInHistory(audit),
      span: { from: String(audit.catalogTx), to: target.txId },
    })
    const { record } = await attacked.findRecord(this.#io, id)
    const before = attacked.beforeOf(progress.first, record.report)
    const ended = { tables, end: audit.end, target, keeping: 'kept', before } as const
    const report = attacked.reportOf(trust, progress, ended)
    const finished = saved ?? record.finished
    await attacked.keepRecord(this.#io, trust, { ...attacked.noRecord, report, finished })
    const now = await this.#record()
    if (!now) return
    const standing = attacked.standingOf(report, attacked.trustOf(now))
    if (attacked.verdictOfReport(report, standing).verdict !== 'verified') return
    for (const tx of chainOf(this.#liar.byHash(target.txHash) ?? null)) {
      const unread = tx.entries.find((entry) => !this.#given.has(contentOf(tx, entry)))
      if (unread)
        this.#break(`a green audit up to tx ${txId} has not read ${contentOf(tx, unread)}`)
    }
  }

  #claimTx(tx: Tx, isListed: boolean): void {
    this.#claim(`tx ${tx.id}`, tx.alh.toString('hex'))
    for (const entry of isListed ? tx.entries : [])
      this.#claim(`tx ${tx.id}, ${entry.key.toString('hex')}`, valueHash(entry).toString('hex'))
  }

  /** A file that anybody could have made, with a trusted state that suits it. */
  async #showFile(): Promise<void> {
    const liar = this.#liar
    const record = await this.#record()
    if (!record) return
    const asked = (liar.chance(0.7) && this.#outOfDate(record)) || this.#inFile(record)
    if (!asked) return
    const { kind, request, response, tx, known, names, collection } = asked
    const publicKey = liar.chance(0.7) ? await this.#key() : null
    const context: Context = {
      db: database,
      trusted: { txId: String(known.id), txHash: base64(known.alh) },
      publicKey,
      ...(names ? { schema: this.#attacked.schemaIn(response, names.table, database) } : {}),
      ...(collection ? { collectionId: collection.number } : {}),
    }
    const verified = await this.#judge(asked, context)
    if (!verified) return
    const checked = { kind, what: '', context, request, response, at: 0 }
    const outcome = { kind: 'ok', verified } as const
    const server = { uuid: id.server, origin: id.origin }
    const file = this.#attacked.writeEvidence({ ...checked, outcome }, { ...about, server })
    const records = await this.#points.all()
    const txs = new Set(records.flatMap(this.#attacked.recordedStates).map(({ txId }) => txId))
    const opened = await this.#attacked.openEvidence(file, txs)
    if ('error' in opened) return this.#break(`a file cannot be read: ${opened.error}`)
    const { evidence, rechecked, claims } = opened
    const pinned = await this.#key()
    const key = !pinned
      ? 'none'
      : !publicKey
        ? 'missing'
        : pinned === publicKey
          ? 'same'
          : 'different'
    const point = this.#attacked.ownState(evidence, claims, records)
    const isDescribed = await this.#attacked.isDescribedIn(this.#io, opened, point, records)
    const judged = this.#attacked.evidenceVerdict(rechecked, {
      ...{ point, key, keeping: 'kept', isDescribed, isBroken: false },
    })
    if (judged.verdict !== 'verified') return
    // What only a signature vouches for may be of a history that this record knows nothing of.
    if (point.kind !== 'same') {
      this.#checkSigned(asked, verified, pinned)
      // But what it is called there is said by that history, and not by the recorded one.
      return this.#checkDescribed(asked, known.id > tx.id ? known : tx)
    }
    // It is shown as of the history up to the state that vouches, which may be an older one: of what
    // is newer the page says nothing, nor does an older state prove what the newer chain holds.
    const vouching = liar.byHash(point.txHash)
    this.#checkShown(asked, verified, point, vouching && vouching.id > tx.id ? vouching : tx)
  }

  #recorded(record: TrustRecord): readonly Tx[] {
    const all = this.#attacked.recordedStates(record).map(({ txHash }) => this.#liar.byHash(txHash))
    return all.filter((tx) => tx !== undefined)
  }

  /** Any question, with a proof that starts most often at what is recorded. */
  #inFile(record: TrustRecord): Asked | undefined {
    const liar = this.#liar
    const own = this.#recorded(record)
    const known = liar.one(liar.chance(0.6) ? own : liar.txs)
    const tx = liar.chance(0.5) ? liar.one(own) : liar.someTx()
    return tx && known && this.#questionOf(tx, known)
  }

  /** What came behind an audit, with the names and from a state of the time of the audit. */
  #outOfDate(record: TrustRecord): Asked | undefined {
    const liar = this.#liar
    const [[table, schema] = []] = record.schemas
    const span = record.spans?.tables.get(table ?? '')
    const column = schema?.cols.find(({ id }) => id === 2)?.name
    if (!table || !span || !column) return undefined
    const then = ({ id }: Tx) => Number(span.from) <= id && id <= Number(span.to)
    const own = this.#recorded(record)
    const known = liar.one((liar.chance(0.7) ? own : liar.txs).filter(then))
    const later = (liar.chance(0.7) ? own : liar.txs).filter(({ id }) => id > Number(span.to))
    const tx = liar.one(later)
    return tx && known && this.#questionOf(tx, known, ['row'], { table, column })
  }

  async #judge(asked: Asked, context: Context): Promise<Verified<FactsOf[Kind]> | null> {
    this.#counts.answers += 1
    try {
      const answer: unknown = JSON.parse(JSON.stringify(asked.response))
      const found = await this.#attacked.verify(asked.kind, context, asked.request, answer)
      this.#counts[found.verdict === 'ok' ? 'verified' : 'unproven'] += 1
      return found
    } catch (error) {
      if (!isRefusal(error)) throw error
      this.#counts.refused += 1
      return null
    }
  }

  #claim(name: string, value: string): void {
    const before = this.#claims.get(name)
    if (before === undefined) this.#claims.set(name, value)
    else if (before !== value) this.#break(`${name} was verified as ${before} and as ${value}`)
  }

  #break(what: string): void {
    this.#breach ||= what
  }
}

const isRefusal = (error: unknown) => error instanceof Error && error.name === 'ProofError'

const isSameNames = (one: Names, other: Names) =>
  one.table === other.table && one.column === other.column

/** What no proof covers. */
const unproven = objectLeaf('the revision number', numberValue(1))

/** What a page draws of it: what is stored, and something else. */
function drawnOf({ kind, tx, entry, names }: Asked): readonly [own: Leaf, other: Leaf] {
  if (!entry) {
    const hash = tx.alh.toString('hex')
    const leaf = (of: string) => objectLeaf('the hash', bytesValue(of))
    return [leaf(hash), leaf(`${hash.slice(2)}00`)]
  }
  const stored = String(builtContent(kind, entry))
  if (kind === 'get') {
    const leaf = (of: string) => objectLeaf('the value', bytesValue(of))
    return [leaf(stored), leaf(`${stored}00`)]
  }
  const leaf = (value: Value): Leaf =>
    kind === 'row'
      ? { group: 'column', name: names?.column ?? '', value: { ...value, type: 'VARCHAR' } }
      : { group: 'field', name: 'text', value }
  const text = kind === 'row' ? Buffer.from(stored, 'hex').toString() : stored
  return [leaf(textValue(text)), leaf(textValue(`${text} `))]
}

function contentShown(kind: Provable, facts: Json): unknown {
  if (kind === 'get') return facts.value
  if (kind === 'row') return (facts.raw as Json)[2]
  return (facts.document as Json).text
}

function builtContent(kind: Provable, { value }: Entry): unknown {
  if (kind === 'get') return value.subarray(1).toString('hex')
  // Behind the number of cells, the first cell and the head of the second.
  if (kind === 'row') return value.subarray(4 + 16 + 8).toString('hex')
  return /\d+ EUR$/.exec(value.toString('latin1'))?.[0]
}
