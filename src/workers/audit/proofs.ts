import { ApiError, isMissing } from '~/api/errors'
import type { KeyValue } from '~/immudb/key-address'
import { areEqual, base64Of, hexToBytes } from '~/lib/bytes'
import { chainSize, isTooLarge } from '~/proof/answer-size'
import { schemasOf } from '~/proof/catalog'
import { type DeepAudit, isExpired, type Pending } from '~/proof/deep-audit'
import { type ExceptionReason, except } from '~/proof/exceptions'
import type { Context } from '~/proof/kernel/context'
import { alhOf, type Header, readHeader } from '~/proof/kernel/header'
import { anyFields, list } from '~/proof/kernel/read'
import { ProofError } from '~/proof/kernel/steps'
import { type Kind, verify } from '~/proof/kernel/verify'
import { pkValues, rowOfKey } from '~/proof/sample-row'
import type { Answered, AuditedServer } from './audited-server'
import { wordsOf } from './tx-pages'

/** Calls that are on their way at once. */
const atOnce = 4

/** A refused proof, with everything needed to check it again. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: Kind
  readonly what: string
  readonly context: Context
  readonly answered: Answered
  readonly refusal: ProofError

  constructor(
    of: { kind: Kind; what: string; context: Context; answered: Answered },
    refusal: ProofError,
  ) {
    super(refusal.message)
    this.kind = of.kind
    this.what = of.what
    this.context = of.context
    this.answered = of.answered
    this.refusal = refusal
  }
}

/**
 * Proves pending items, whose content needs separate calls, and removes them from the list.
 * @param now Unix seconds, to tell entries that have expired since they were listed
 * @throws Refusal for a proof that fails twice
 */
export async function provePending(
  audit: DeepAudit,
  server: AuditedServer,
  context: Context,
  { isWanted, now }: { isWanted: () => boolean; now: () => number },
): Promise<void> {
  const names = new CollectionNames(audit, server, context)
  while (audit.pending.length > 0 && isWanted()) {
    const group = audit.pending.slice(0, atOnce)
    const time = now()
    const found = await Promise.all(
      group.map((one) => {
        const isGone = one.expiresAt !== undefined && isExpired(BigInt(one.expiresAt), time)
        return isGone ? expired : prove(one, audit, names, server, context)
      }),
    )
    const chain = group.some((one, at) => isUnexplained(one, found[at]))
      ? await chainAtTarget(audit, server)
      : 0
    for (const [at, one] of group.entries()) note(audit, one, found[at] ?? null, chain)
    audit.pending = audit.pending.slice(group.length)
  }
}

type Lack = { reason: ExceptionReason; words: string }

/** The bytes that were proven, or the reason why none were. */
type Proven = { bytes: number } | Lack

const expired: Lack = { reason: 'expired', words: '' }

/** Whether the server calls a proof too large to send although its size is within the limit. */
function isUnexplained({ kind, size }: Pending, proven?: Proven | null, chain = 0): boolean {
  if (!proven || !('reason' in proven) || proven.reason !== 'too-large') return false
  // The proof of a document has no chain.
  return size !== undefined && !isTooLarge(size + (kind === 'document' ? 0 : chain))
}

/**
 * The most bytes that the chain at the trusted transaction can add to a proof. The trusted hash
 * proves the header; a missing header explains nothing.
 */
async function chainAtTarget({ target }: DeepAudit, server: AuditedServer): Promise<number> {
  const header = await headerOf(target.txId, server)
  const isTarget = header?.id === target.txId && areEqual(alhOf(header), target.txHash)
  return isTarget ? chainSize(header) : 0
}

async function headerOf(tx: bigint, server: AuditedServer): Promise<Header | null> {
  try {
    const [found] = list(anyFields(await server.page(tx, 1, 'headers'), 'answer'), 'txs')
    return readHeader(anyFields(found, 'tx').header)
  } catch (error) {
    if (isAnswer(error) || error instanceof ProofError) return null
    throw error
  }
}

function note(audit: DeepAudit, pending: Pending, proven: Proven | null, chain: number): void {
  if (!proven) return
  const { kind, tx, key } = pending
  if ('reason' in proven) {
    const isOdd = isUnexplained(pending, proven, chain)
    const found = isOdd ? { ...proven, reason: 'size-unexplained' as const } : proven
    except(audit.exceptions, { ...found, tx, key })
    audit.counts.unseen = (audit.counts.unseen ?? 0) + (pending.vLen ?? 0)
    if (kind === 'document' && proven.reason === unnamed) countUnnamed(audit, pending)
    return
  }
  if (kind === 'document') audit.counts.documents += 1
  audit.counts.values += 1
  audit.counts.bytes += proven.bytes
}

const unnamed = 'collection-unclear'

function countUnnamed({ collections }: DeepAudit, { collectionId }: { collectionId: number }) {
  const count = collections.get(collectionId) ?? 0
  if (typeof count === 'number') collections.set(collectionId, count + 1)
}

function prove(
  pending: Pending,
  audit: DeepAudit,
  names: CollectionNames,
  server: AuditedServer,
  context: Context,
): Promise<Proven> {
  if (pending.kind === 'document') return names.prove(pending)
  if (pending.kind === 'value') return proveValue(pending, server, context)
  return proveRow(pending, audit, server, context)
}

const tooLarge: Lack = { reason: 'too-large', words: '' }

/** Proves a row by its primary key, under the table's name at that point of the audit. */
async function proveRow(
  { tx, key, tableId }: Extract<Pending, { kind: 'row' }>,
  { catalog }: DeepAudit,
  server: AuditedServer,
  context: Context,
): Promise<Proven> {
  const schema = schemasOf(catalog).find((one) => one.tableId === tableId)
  const stored = hexToBytes(key)
  const row = schema && stored && rowOfKey(tx, stored, schema)
  const values = row && pkValues(row, schema)
  if (!values) return tooLarge
  const what = `a row of ${schema.table} in transaction ${tx}`
  try {
    const ask = () => server.row(schema.table, values as KeyValue[], tx) // as it takes
    const { facts } = await checked('row', what, context, ask)
    // The name may belong to another table by now. That looks the same as a server that hides the
    // row.
    if (facts.key !== key || facts.tx !== tx) return { reason: 'row-refused', words: '' }
    const cells = Object.values(facts.raw)
    return { bytes: cells.reduce((sum, cell) => sum + 8 + cell.length / 2, 4) }
  } catch (error) {
    return refusedAs('row-refused', error)
  }
}

async function proveValue(
  { key, tx }: Extract<Pending, { kind: 'value' }>,
  server: AuditedServer,
  context: Context,
): Promise<Proven> {
  const what = `a value of transaction ${tx}`
  try {
    const plain = key.slice(2) // without the prefix of keys
    const ask = () => server.value(base64Of(plain), tx)
    const { facts } = await checked('get', what, context, ask)
    return { bytes: facts.kind === 'value' ? facts.value.length / 2 + 1 : 0 }
  } catch (error) {
    return refusedAs('refused', error)
  }
}

/** The server's text as a reason. @throws errors other than an answer */
function refusedAs(reason: ExceptionReason, error: unknown): Lack {
  if (error instanceof ProofError && error.reason === 'older-form') {
    return { reason, words: 'the answer has the form of immudb 1.5 and older' }
  }
  if (!isAnswer(error)) throw error
  return error.kind === 'too-large' ? tooLarge : { reason, words: wordsOf(error) }
}

/** Asks and checks, and does both once more before it refuses a proof. */
async function checked<K extends 'get' | 'document' | 'row'>(
  kind: K,
  what: string,
  context: Context,
  ask: () => Promise<Answered>,
) {
  for (let again = 0; ; again += 1) {
    const answered = await ask()
    try {
      const verified = await verify(kind, context, answered.request, answered.response)
      if (verified.verdict === 'ok') return verified
      if (verified.why === 'older-form') throw new ProofError('older-form', 'answer', what)
      // Everything that an audit asks for is older than its target.
      throw new ProofError('not-anchored', 'link', 'id')
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      const isOfDescription = error.reason === 'schema-changed' || error.reason === 'older-form'
      if (isOfDescription || error.step === 'context') throw error
      if (again > 0) throw new Refusal({ kind, what, context, answered }, error)
    }
  }
}

/** Documents name their collection by number, calls need its name. */
class CollectionNames {
  readonly #known: DeepAudit['collections']
  readonly #server: AuditedServer
  readonly #context: Context
  #listed: Promise<readonly string[]> | null = null

  constructor({ collections }: DeepAudit, server: AuditedServer, context: Context) {
    this.#known = collections
    this.#server = server
    this.#context = context
  }

  async prove(pending: Extract<Pending, { kind: 'document' }>): Promise<Proven> {
    const { collectionId } = pending
    this.#listed ??= this.#server.collections()
    const listed = await this.#listed
    const known = this.#known.get(collectionId)
    const isNamed = typeof known === 'string' && listed.includes(known)
    if (typeof known === 'string' && !isNamed) this.#known.delete(collectionId)
    // A name may have moved to another collection since it was proven for the first.
    const taken = new Set<unknown>(known === undefined ? [] : this.#known.values())
    const names = listed.filter((name) => !taken.has(name))
    let refused: ApiError | null = null
    for (const name of isNamed ? [known, ...names] : names) {
      const found = await this.#tried(pending, name)
      if (found && !(found instanceof ApiError)) {
        this.#known.set(collectionId, name)
        return found
      }
      refused = found ?? refused
    }
    const words = refused ? wordsOf(refused) : ''
    if (refused?.kind === 'too-large') return tooLarge
    const isRefused = isNamed || (refused && !isMissing(refused))
    return { reason: isRefused ? 'document-refused' : unnamed, words }
  }

  /** Null when the name belongs to another collection. */
  async #tried(
    { collectionId, id, tx }: Extract<Pending, { kind: 'document' }>,
    name: string,
  ): Promise<{ bytes: number } | ApiError | null> {
    const context = { ...this.#context, collectionId }
    try {
      const what = `document ${id} of ${name} in transaction ${tx}`
      let size = 0
      await checked('document', what, context, async () => {
        const answered = await this.#server.document(name, id, tx)
        size = encodedSize(answered.response)
        return answered
      })
      return { bytes: size }
    } catch (error) {
      if (isAnswer(error)) return error
      if (error instanceof ProofError && error.reason === 'schema-changed') return null
      throw error
    }
  }
}

const answers: ReadonlySet<string> = new Set(['refused', 'too-large', 'permission'])

/**
 * Whether the server answered with a refusal instead of a proof, which says nothing against the
 * history.
 */
export function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && answers.has(error.kind)
}

function encodedSize(response: unknown): number {
  if (typeof response !== 'object' || response === null || !('encodedDocument' in response))
    return 0
  const { encodedDocument } = response
  return typeof encodedDocument === 'string' ? Math.floor((encodedDocument.length * 3) / 4) : 0
}
