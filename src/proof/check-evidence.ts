import { beginning } from '~/lib/visible-text'
import { asFields, type Checked, type Evidence, readEvidence, recorded } from './evidence'
import { ProofError } from './failure'
import type { OpenPart } from './proven-tx'
import { claimedSchema, type Schema } from './schema'
import { verify } from './verify'

/**
 * What a file cannot show by itself: that the server `gave` this answer at all and `still` says so,
 * who vouches for the trusted `point` or that there is `none`, whose `key` signed and that no key
 * was known (`unsigned`), that a history went on from its point to what is `newer`, that the content
 * is the newest (`current`), the `names` of a table and its columns or of a `collection`, the
 * `entries` of a transaction, the `others` beside the one that was asked for or their `values`, the
 * place in the chain of what is in the `tree`, the `target` of a reference, what an `audit` went
 * through, and the `words` around it: what it is called, who saved it, when, and of which server.
 */
export type Unchecked =
  | 'gave'
  | 'still'
  | 'point'
  | 'none'
  | 'key'
  | 'unsigned'
  | 'newer'
  | 'current'
  | 'names'
  | 'collection'
  | 'entries'
  | 'others'
  | 'tree'
  | 'values'
  | 'target'
  | 'audit'
  | 'words'

export type Rechecked = {
  outcome: Checked['outcome']
  /** Whether the file says the same of itself; if not, it was changed after it was saved. */
  agrees: boolean
  unchecked: readonly Unchecked[]
  /** What the answer calls its table or collection, if it is of one. */
  described: Described | null
}

/** A description that no proof covers, as the server gave it. */
export type Described =
  | { kind: 'table'; schema: Schema }
  | { kind: 'collection'; name: string; number: number }

/** What a screen shows of a file: all but the answer, which is large, and the report as text. */
export type EvidenceFile = Omit<Evidence, 'request' | 'response' | 'report'> & {
  report: string | null
}

export type OpenedEvidence = { evidence: EvidenceFile; rechecked: Rechecked } | { error: string }

/**
 * Reads a file and verifies what it holds once more. The result is plain data, which a worker can
 * hand over; `error` is a sentence.
 */
export async function openEvidence(text: string): Promise<OpenedEvidence> {
  const found = readEvidence(text)
  if ('error' in found) return found
  const rechecked = await checkEvidence(found.evidence)
  const { request: _request, response: _response, report, ...shown } = found.evidence
  return { evidence: { ...shown, report: written(report) }, rechecked: plain(rechecked) }
}

/** An error loses its fields on the way from a worker. */
function plain({ outcome, ...rest }: Rechecked): Rechecked {
  if (outcome.kind !== 'refused') return { ...rest, outcome }
  const { reason, step, part, compared, steps } = outcome.refusal
  return { ...rest, outcome: { kind: 'refused', refusal: { reason, step, part, compared, steps } } }
}

/** Characters of a report that are shown; the file has all of it. */
const shownLength = 200_000

/** Anybody can write a report, also one that no program can write down again. */
function written(report: unknown): string | null {
  if (report === undefined) return null
  try {
    const text = JSON.stringify(report, null, 2)
    return text.length > shownLength ? `${beginning(text, shownLength)}…` : text
  } catch {
    return 'It is too deeply nested to be shown.'
  }
}

/**
 * Verifies what a file holds once more, by the file alone.
 * @throws only when the code for signatures cannot be loaded, which says nothing about the file
 */
export async function checkEvidence(evidence: Evidence): Promise<Rechecked> {
  const outcome = await outcomeNow(evidence)
  const agrees = canonical(recorded(outcome)) === canonical(evidence.outcome)
  return {
    outcome,
    agrees: agrees || isUnproven(outcome, evidence),
    unchecked: left(evidence, outcome),
    described: describedIn(evidence, outcome),
  }
}

function describedIn(
  { kind, request, response }: Evidence,
  outcome: Checked['outcome'],
): Described | null {
  const facts = outcome.kind === 'ok' ? asFields(outcome.verified.facts) : null
  const [asked, answer] = [asFields(request), asFields(response)]
  if (!facts || !asked || !answer) return null
  if (kind === 'row') {
    const { table } = asFields(asked.sqlGetRequest) ?? {}
    return { kind: 'table', schema: claimedSchema(answer, String(table)) }
  }
  if (kind !== 'document') return null
  const { collectionName } = asked
  return { kind: 'collection', name: String(collectionName), number: Number(facts.collectionId) }
}

async function outcomeNow(evidence: Evidence): Promise<Checked['outcome']> {
  const { kind, context, request, response, outcome } = evidence
  // What was not proven when it was saved is not proven by having been saved.
  const why = outcome.verdict === 'unproven' ? outcome.why : 'The file holds no answer to check.'
  if (outcome.verdict === 'unproven' || response === null) return { kind: 'unproven', why }
  try {
    return { kind: 'ok', verified: await verify(kind, context, request, response) }
  } catch (error) {
    if (error instanceof ProofError) return { kind: 'refused', refusal: error }
    throw error
  }
}

/** The words for why nothing is proven are not compared. */
function isUnproven(outcome: Checked['outcome'], { outcome: before }: Evidence): boolean {
  return recorded(outcome).verdict === 'unproven' && before.verdict === 'unproven'
}

/** One text for one value, in whatever order its fields are. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    const fields = asFields(each)
    return fields ? Object.fromEntries(Object.entries(fields).sort(byName)) : each
  })
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

function left({ kind, context, request }: Evidence, outcome: Checked['outcome']): Unchecked[] {
  const verified = outcome.kind === 'ok' && outcome.verified.verdict === 'ok'
  const facts = verified ? asFields(outcome.verified.facts) : null
  const open: readonly OpenPart[] = verified ? outcome.verified.open : []
  const hasContent = kind !== 'state' && kind !== 'audit'
  const found: (Unchecked | false)[] = [
    // A right answer cannot be made up beside a point that somebody vouches for; a wrong one can.
    outcome.kind === 'refused' && 'gave',
    verified && outcome.verified.firstUse ? 'none' : context.trusted !== null && 'point',
    context.publicKey === null || (verified && !outcome.verified.signed) ? 'unsigned' : 'key',
    isNewer(context, outcome) && 'newer',
    verified && hasContent && 'current',
    verified && kind === 'row' && 'names',
    verified && kind === 'document' && 'collection',
    open.includes('tree') && 'tree',
    open.includes('entries') && 'others',
    verified && kind === 'tx' && leftOut(facts),
    verified && facts?.kind === 'reference' && 'target',
    kind === 'audit' && !isWholeAudit(request, outcome) && 'audit',
    'still',
    'words',
  ]
  return found.filter((each) => each !== false)
}

/** Whoever has a history up to a point can make up what follows it; only a later point tells. */
function isNewer({ trusted }: Evidence['context'], outcome: Checked['outcome']): boolean {
  const next = outcome.kind === 'ok' && !outcome.verified.firstUse ? outcome.verified.next : null
  return trusted !== null && next !== null && BigInt(next.txId) > BigInt(trusted.txId)
}

function leftOut(facts: ReturnType<typeof asFields>): Unchecked | false {
  const entries = facts?.entries
  if (!Array.isArray(entries)) return facts?.nentries !== 0 && 'entries'
  return entries.some((entry) => asFields(entry)?.value === undefined) && 'values'
}

/** Not the last steps of one alone, which go on from where the file says that it was before. */
function isWholeAudit(request: unknown, outcome: Checked['outcome']): boolean {
  return outcome.kind === 'ok' && !asFields(request)?.after
}
