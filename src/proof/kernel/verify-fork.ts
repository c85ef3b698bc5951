import { areEqual, bytesToBase64, bytesToHex } from './bytes'
import type { Known, Point } from './context'
import { emptyHash } from './hash'
import type { Header } from './header'
import { Ladder } from './ladder'
import type { ForkFacts, ForkSide } from './proven-facts'
import { type Check, linkTx, type Proven } from './proven-tx'
import { anyFields, type Fields, fieldsOf, isMissing, text } from './read'
import { answerMismatch, requestedId } from './request'
import { checkSignature, readSignature } from './signed-state'
import { malformed, refusalOf } from './steps'
import { readState, stateFields } from './verify-state'

const noFork = refusalOf('no-fork', 'content')

/**
 * Two states with no common history, VERIFY.md 7.9: `{ first, second }`. Each side has a state and
 * the proof that links transaction `tx` of the request to it. The two headers of that transaction
 * differ and continue the same one, and both databases have one name. The state of the first side is
 * the trusted one, and its key the known one. Names and addresses of the sides are only read.
 */
export function verifyFork(check: Check, response: unknown): Proven<ForkFacts> {
  const { known, ladder } = check
  const tx = requestedId(check.request, 'tx')
  const answer = fieldsOf(response, 'answer', 'first second')
  const first = checkSide(check, answer, 'first', tx)
  const second = checkSide(check, answer, 'second', tx)
  if (!known.trusted || !isSame(known.trusted, first.point) || known.db !== first.facts.db) {
    throw answerMismatch('first')
  }
  if (toText(known.publicKey) !== first.facts.key) throw answerMismatch('publicKey')
  // Any honest server holds databases without a common history, and copies under other names.
  if (first.facts.db !== second.facts.db) {
    throw noFork('db', { inputs: { first: first.facts.db, second: second.facts.db } })
  }
  const { prevAlh } = first.header
  const hashes = { prevAlh: bytesToHex(prevAlh), first: first.facts.alh, second: second.facts.alh }
  const inputs = { id: String(tx), ...hashes }
  if (areEqual(first.alh, second.alh)) throw noFork('second', { inputs })
  const isParted = areEqual(prevAlh, second.header.prevAlh)
  if (!isParted || (tx === 1n && !areEqual(prevAlh, emptyHash))) {
    throw noFork('prevAlh', {
      inputs,
      computed: bytesToHex(second.header.prevAlh),
      expected: bytesToHex(tx === 1n ? emptyHash : prevAlh),
    })
  }
  const sides = [first.facts, second.facts] as const
  tellSteps(ladder, inputs, sides)
  return {
    facts: { after: String(tx - 1n), prevAlh: bytesToHex(prevAlh), sides },
    next: first.point,
    firstUse: false,
    signed: sides.every(({ key }) => key !== null),
    isTied: true,
    lags: false,
    open: [],
  }
}

type Side = { facts: ForkSide; point: Point; header: Header; alh: Uint8Array }

/** One state with its own transaction `tx`, which the proof links to it. */
function checkSide(
  { request, signatures }: Check,
  answer: Fields,
  name: 'first' | 'second',
  tx: bigint,
): Side {
  const fields = fieldsOf(answer[name], name, 'name server db state dualProof')
  readNames(fields)
  const db = text(fields, 'db')
  const state = fieldsOf(fields.state, 'state', stateFields)
  const point = readState(state, db)
  if (db === '' || tx > point.txId) malformed(`${name}.state`)
  // Nobody else vouches for a side: a key in it says only that its holder signed the state.
  const key = readSignature(state.signature)?.publicKey ?? null
  const known: Known = { ...nothingPinned, db, trusted: point, publicKey: key }
  const check = { known, request, signatures, ladder: new Ladder() }
  checkSignature(check, state.signature, point)
  const { header, alh } = linkTx(check, { dualProof: fields.dualProof }, tx)
  const facts = {
    db,
    stateTx: String(point.txId),
    stateHash: bytesToHex(point.txHash),
    alh: bytesToHex(alh),
    ts: String(header.ts),
    nentries: header.nentries,
    key: toText(key),
  }
  return { facts, point, header, alh }
}

const nothingPinned = {
  isEmpty: false,
  hasNewerForm: false,
  mayLackAdvance: false,
  schema: null,
  collectionId: null,
  isOnlySeen: false,
  read: null,
}

/** What a side calls itself, which no proof covers. */
function readNames(fields: Fields): void {
  if (typeof fields.name !== 'string') malformed('name')
  const server = anyFields(fields.server, 'server')
  if (typeof server.origin !== 'string') malformed('origin')
  if (!isMissing(server.uuid)) text(server, 'uuid')
}

const toText = (key: Uint8Array | null) => (key ? bytesToBase64(key) : null)
const isSame = (one: Point, other: Point) =>
  one.txId === other.txId && areEqual(one.txHash, other.txHash)

type Sides = readonly [ForkSide, ForkSide]

function tellSteps(ladder: Ladder, inputs: Record<string, string>, [first, second]: Sides): void {
  ladder.add('header', inputs)
  ladder.add('link', {
    firstState: `${first.stateTx} ${first.stateHash}`,
    secondState: `${second.stateTx} ${second.stateHash}`,
  })
  const keys = { firstKey: first.key ?? '', secondKey: second.key ?? '' }
  const isSigned = first.key !== null && second.key !== null
  ladder.add('signature', keys, { result: isSigned ? 'ok' : 'unchecked' })
}
