import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { openWorker } from '~/core/session/open-worker'
import { evidenceSizeLimit } from '~/lib/constants'
import type {
  EvidenceFile,
  EvidenceProgress,
  ForkParty,
  OpenedEvidence,
  Rechecked,
} from '~/proof/check-evidence'
import type { TrustedState } from '~/proof/kernel/context'
import { isSameSchema } from '~/proof/kernel/schema'
import type { ProvenSubject } from '~/proof/subject'
import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { readRangeOf } from './audit/audit-store'
import {
  forgedNotes,
  type GivenTrust,
  givenKey,
  givenOfSide,
  givenRecords,
  givenStates,
  givenTrustAtom,
  givenTxs,
  hasCheckpoints,
  nothingGiven,
  withMoreTrust,
} from './given-trust'
import { proofOfRefusal } from './object-verdict'
import { type OwnKey, type OwnState, ownState, recordsOf, type Subject } from './recorded-state'
import type { Persistence } from './store'
import { isDescribedAt, noSpans, recordedStates, type TrustRecord } from './trust-record'
import { type TrustedStates, trustedStatesAtom } from './trusted-states'

/** Any file that is chosen or dropped. */
type GivenFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>

export type OpenEvidence =
  | { kind: 'none' }
  | { kind: 'reading'; name: string; progress: EvidenceProgress | null }
  | { kind: 'unreadable'; name: string; error: string }
  | {
      kind: 'checked'
      name: string
      evidence: EvidenceFile
      rechecked: Rechecked
      own: OwnState
      /** What the proven facts are about; null where there are none. */
      subject: ProvenSubject | null
      /** The content was checked but is too long for a page. */
      isTooLong: boolean
      key: OwnKey
      /** An audit in this browser derived the description of the table or collection. */
      isDescribed: boolean
      judged: Judged
      /** What this browser knows of both sides of a fork; null for anything else. */
      fork: readonly ForkSideKnown[] | null
      /** It was compared with what the reader gave, not with what this browser keeps. */
      isGiven: boolean
      /** Those that signed the given state which vouches for it. */
      witnesses: readonly string[]
      /** Given checkpoints of its transactions that were refused: another's signature is on them. */
      forged: readonly { txId: string; by: string }[]
    }

export type ForkSideKnown = { party: ForkParty; own: OwnState; key: OwnKey }

const openAtom = atom<OpenEvidence>({ kind: 'none' })

/** The open evidence file. */
export const evidenceAtom = atom((get) => get(openAtom))

/** The file that is open, to be checked again against what is given meanwhile. */
const fileAtom = atom<GivenFile | null>(null)

/** Stops reading a file, or closes its result. */
export function closeEvidence({ set }: Io) {
  cancelReading()
  set(fileAtom, null)
  set(openAtom, { kind: 'none' })
}

/** Compares files with what is given, too; the open one at once. Nothing for null. */
export async function giveTrust(io: Io, more: Partial<GivenTrust> | null) {
  const known = io.get(givenTrustAtom) ?? nothingGiven
  io.set(givenTrustAtom, more ? withMoreTrust(known, more) : nothingGiven)
  const file = io.get(fileAtom)
  if (file) await openEvidence(io, file)
}

/** Stops reading the previous file. */
let cancelReading = () => {}

/** Reads a file and verifies it without any call. */
export async function openEvidence(io: Io, file: GivenFile) {
  const { get, set } = io
  const { name } = file

  cancelReading()
  set(fileAtom, file)
  let mine: OpenEvidence = { kind: 'reading', name, progress: null }
  // Another file may have been chosen meanwhile.
  const isMine = () => get(openAtom) === mine
  set(openAtom, mine)
  const tell = (progress: EvidenceProgress) => {
    if (!isMine()) return
    mine = { kind: 'reading', name, progress }
    set(openAtom, mine)
  }
  const found = await checkFile(io, file, { tell, isMine }).catch(
    (): OpenEvidence => ({
      kind: 'unreadable',
      name,
      error: 'The file could not be read, or a part of this console could not be loaded.',
    }),
  )
  if (found && isMine()) set(openAtom, found)
}

type Reading = { tell: (progress: EvidenceProgress) => void; isMine: () => boolean }

/** Fetches everything that a file may need, so that it can be verified without the server. */
export function openEngine(): void {
  openEvidenceWorker()
  const parts = [import('~/proof/engine'), import('~/proof/kernel/signature')]
  for (const part of parts) {
    part.catch(() => {})
  }
}

async function checkFile(
  io: Io,
  file: GivenFile,
  { tell, isMine }: Reading,
): Promise<OpenEvidence | null> {
  const { name, size } = file
  if (size > evidenceSizeLimit) {
    return { kind: 'unreadable', name, error: 'This file is larger than any evidence file.' }
  }
  const given = io.get(givenTrustAtom)
  const known = given ? knownToReader(given) : await knownHere(io.get(trustedStatesAtom))
  if (!isMine()) return null
  const { opened: opening, cancel } = readEvidenceFile(file, known.txs, tell, given !== null)
  cancelReading = cancel
  const opened = await opening.finally(() => {
    if (cancelReading === cancel) cancelReading = () => {}
  })
  if ('error' in opened) {
    const isNotes = given !== null && hasCheckpoints(new Uint8Array(await file.arrayBuffer()))
    const error = isNotes
      ? 'These are checkpoints, which prove no content. Give them below, to compare files with them.'
      : opened.error
    return { kind: 'unreadable', name, error }
  }
  const { evidence, rechecked, claims, subject, isTooLong } = opened
  const records = await known.records(evidence, claims)
  const own = ownState(evidence, claims, records)
  const key = await known.key(evidence.server, evidence.context.publicKey)
  const isDescribed = await isDescribedIn(io, opened, own, records)
  const isBroken = recordsOf(evidence, records).some((record) => record.break !== null)
  const keeping = await known.keeping()
  const fork = opened.fork && (await known.sides(opened.fork))
  const judged = fork
    ? forkVerdict(
        rechecked,
        fork.map(({ own: point, key: ownKey }) => ({ point, key: ownKey })),
        { keeping, isOneServer: given === null && isOneServer(fork) },
      )
    : evidenceVerdict(rechecked, { point: own, key, keeping, isDescribed, isBroken })
  const found = { name, evidence, rechecked, own, subject, isTooLong, key, isDescribed }
  const witnesses = await known.witnesses(evidence, own)
  const ofSides = opened.fork?.flatMap((party) => party.claims) ?? []
  const forged = given ? await forgedNotes(given, [...claims, ...ofSides]) : []
  return { kind: 'checked', ...found, judged, fork, isGiven: given !== null, witnesses, forged }
}

/** What files are compared with. */
type KnownTrust = {
  keeping(): Promise<Persistence>
  /** The transactions, of any database, whose hash is known. */
  txs: readonly string[]
  /** All that may be of the database that a file is of. */
  records(of: Subject, claims: readonly TrustedState[]): Promise<readonly TrustRecord[]>
  /** The key of a server beside that of a file. */
  key(server: EvidenceFile['server'], key: string | null): Promise<OwnKey>
  /** The names of given witnesses that signed the state which vouches for a file. */
  witnesses(of: Subject, own: OwnState): Promise<readonly string[]>
  /** What is known of both sides of a fork. */
  sides(fork: Fork): Promise<readonly ForkSideKnown[]>
}

type Fork = readonly [ForkParty, ForkParty]

/** What this browser keeps. */
async function knownHere(points: TrustedStates): Promise<KnownTrust> {
  const all = await points.all().catch(() => [])
  const records = await acceptedAmong(all, points)
  return {
    keeping: () => points.keeping(),
    txs: recordedTxs(records),
    records: async () => records,
    key: (server, key) => ownKey(server, key, points, records),
    witnesses: async () => [],
    sides: (fork) => Promise.all(fork.map((party) => knownOf(party, points, records))),
  }
}

/** What the reader of a page without records gave. */
function knownToReader(given: GivenTrust): KnownTrust {
  return {
    keeping: async () => 'kept',
    txs: givenTxs(given),
    records: async (of, claims) => givenRecords(await givenStates(given, claims), of),
    key: async (_, key) => givenKey(given, key),
    sides: async ([one, other]) => {
      const states = await givenStates(given, [...one.claims, ...other.claims])
      const knownOfSide = (party: ForkParty, beside: ForkParty): ForkSideKnown => {
        const records = givenOfSide(states, sideOf(party), sideOf(beside))
        // Whose key it is says nothing about the other side.
        const isKnown = party.key !== null && given.keys.includes(party.key)
        const own = ownState(sideOf(party), party.claims, records)
        return { party, own, key: isKnown ? 'same' : 'none' }
      }
      return [knownOfSide(one, other), knownOfSide(other, one)]
    },
    witnesses: async (of, own) => {
      if (own.kind !== 'same') return []
      const states = await givenStates(given, [own])
      const isSame = ({ txId, txHash }: TrustedState) => txId === own.txId && txHash === own.txHash
      const isOfFile = (one: (typeof states)[number]) => givenRecords([one], of).length > 0
      return [
        ...new Set(
          states
            .filter(isSame)
            .filter(isOfFile)
            .flatMap(({ by }) => by ?? []),
        ),
      ]
    },
  }
}

const sideOf = ({ server, db, claims }: ForkParty) => ({ context: { db }, server, claims })

/** Whether this browser recorded both states under one server ID. */
function isOneServer(sides: readonly ForkSideKnown[]): boolean {
  const ids = sides.map(({ party, own }) => (own.kind === 'same' ? party.server.uuid : null))
  return ids.every((id) => id && id === ids[0])
}

/** A copy of a server has the same id, so only records of the same address are of a side. */
async function knownOf(
  party: ForkParty,
  points: TrustedStates,
  all: readonly TrustRecord[],
): Promise<ForkSideKnown> {
  const { server, key } = party
  const records = all.filter(({ id }) => id.origin === server.origin)
  const own = ownState(sideOf(party), party.claims, records)
  return { party, own, key: await ownKey(server, key, points, records) }
}

/** Records of servers that the operator still accepts; a revoked one vouches for nothing. */
async function acceptedAmong(
  records: readonly TrustRecord[],
  points: TrustedStates,
): Promise<TrustRecord[]> {
  const isAccepted = await Promise.all(
    records.map(async ({ id }) => points.isAccepted(id.origin, id.server).catch(() => false)),
  )
  return records.filter((_, at) => isAccepted[at])
}

/** The transactions, of any database, whose hash is recorded here. */
function recordedTxs(records: readonly TrustRecord[]): string[] {
  return [...new Set(records.flatMap(recordedStates).map(({ txId }) => txId))]
}

/** The key of the server that the file names, at any known address. */
async function ownKey(
  server: EvidenceFile['server'],
  key: string | null,
  points: TrustedStates,
  records: readonly TrustRecord[],
): Promise<OwnKey> {
  const uuid = server.uuid ?? ''
  const met = records.filter(({ id }) => id.server === uuid).map(({ id }) => id.origin)
  const origins = new Set(uuid === '' ? [server.origin] : [server.origin, ...met])
  const pinned = await Promise.all(
    [...origins].map(async (origin) => {
      if (!(await points.isAccepted(origin, uuid))) return null
      return points.pinnedKey(origin, uuid).catch(() => 'unread' as const)
    }),
  ).catch((): null[] => [])
  if (pinned.some((key) => key === 'unread')) return 'unread'
  const keys = pinned.filter((key) => key !== null)
  if (keys.length === 0) return 'none'
  if (key === null) return 'missing'
  return keys.includes(key) ? 'same' : 'different'
}

type News =
  | { number: 0; progress: EvidenceProgress }
  | { number: 0; verified: OpenedEvidence }
  | { number: 0; failure: string }

/** A worker that waits for a file; cancelling a file ends it. */
let ready: Worker | null = null

/** Fetches the worker early, because the server may be away when a file is opened. */
function openEvidenceWorker(): void {
  ready ??= openWorker('proof')
}

/** A file that is read and checked. */
type EvidenceReading = {
  opened: Promise<OpenedEvidence>
  /** Ends it at once; `opened` is never settled then. */
  cancel: () => void
}

const drawn = () => new Promise<void>((resolve) => setTimeout(resolve, drawingTime))
/** Milliseconds after which a page has drawn what was told. */
const drawingTime = 50

/** Largest file in bytes that the page checks itself when workers are not available. */
const smallFile = 1_048_576

const noWorker =
  'This browser does not allow work in the background, which a file of this size needs.'
const brokeOff =
  'The check of this file stopped unexpectedly. It may need more memory than this browser gives a page.'

/**
 * Reads and checks a file in a worker, as `openEvidence` of the engine does.
 * @param mayStall whether a page without workers checks a large file, too
 */
function readEvidenceFile(
  file: Pick<File, 'size' | 'arrayBuffer'>,
  known: readonly string[],
  tell: (progress: EvidenceProgress) => void,
  mayStall: boolean,
): EvidenceReading {
  const worker = ready ?? openWorker('proof')
  ready = null
  const here = async (why: string): Promise<OpenedEvidence> => {
    if (file.size > smallFile && !mayStall) return { error: why }
    const { openEvidenceFile } = await import('~/proof/engine')
    // What is said of it must be drawn before the page stands still.
    await drawn()
    return openEvidenceFile(file, new Set(known), (progress) => {
      tell(progress)
      return drawn()
    })
  }
  if (!worker) return { opened: here(noWorker), cancel: () => {} }
  const heard = new AbortController()
  const { signal } = heard
  const opened = new Promise<OpenedEvidence>((resolve, reject) => {
    const hear = ({ data }: MessageEvent<News>) => {
      if ('progress' in data) return tell(data.progress)
      heard.abort()
      // Ready for the next file, even if the server is away.
      ready ??= worker
      if ('verified' in data) resolve(data.verified)
      else reject(new Error(data.failure))
    }
    const fail = () => {
      heard.abort()
      worker.terminate()
      here(brokeOff).then(resolve, reject)
    }
    worker.addEventListener('message', hear, { signal })
    worker.addEventListener('error', fail, { signal })
  })
  const cancel = () => {
    if (signal.aborted) return
    heard.abort()
    worker.terminate()
    openEvidenceWorker()
  }
  worker.postMessage({ kind: 'evidence', number: 0, file, known })
  return { opened, cancel }
}

type Opened = Exclude<OpenedEvidence, { error: string }>

/**
 * Whether this browser's own audits confirm a file's description of a table or collection, in the
 * recorded state that vouches for the file. Our records say nothing about a file of another
 * history.
 */
export async function isDescribedIn(
  io: Io,
  { evidence, rechecked }: Pick<Opened, 'evidence' | 'rechecked'>,
  own: OwnState,
  records: readonly TrustRecord[],
): Promise<boolean> {
  const { described, outcome } = rechecked
  if (!described || outcome.kind !== 'ok' || own.kind !== 'same') return false
  // The content is never newer than this. The state that vouches may be the content's own, so both
  // must be recorded here.
  const newest = outcome.verified.next?.txId ?? own.txId
  for (const record of recordsOf(evidence, records)) {
    const span = hasState(record, own) && spanOf(described, record)
    if (!span) continue
    const read = await readRangeOf(io, record).catch(() => null)
    if ([own.txId, newest].every((txId) => isDescribedAt(span, txId, read))) return true
  }
  return false
}

/** Another record may describe another history. */
const hasState = (record: TrustRecord, { txId, txHash }: TrustedState) =>
  recordedStates(record).some((one) => one.txId === txId && one.txHash === txHash)

/** The span in which the history describes it so; undefined when the pin differs. */
function spanOf(described: NonNullable<Rechecked['described']>, record: TrustRecord) {
  const { schemas, collections, spans = noSpans } = record
  if (described.kind === 'collection') {
    const { name, number } = described
    return collections.get(name) === number ? spans.collections.get(name) : undefined
  }
  const { table } = described.schema
  const pinned = schemas.get(table)
  return pinned && isSameSchema(described.schema, pinned) ? spans.tables.get(table) : undefined
}

/** What this browser knows about the subject of a file. */
export type OwnKnowledge = {
  point: OwnState
  key: OwnKey
  /** Without storage, records are only what a server told this page, and vouch for nothing. */
  keeping: Persistence
  /** Whether this browser knows the description of the table from the history itself. */
  isDescribed: boolean
  /** Whether this browser found the recorded history broken, and the alarm has not ended. */
  isBroken: boolean
}

/**
 * What a file of evidence shows in this browser. Anyone can make up a history with proofs that fit
 * it, so only what this browser itself recorded or pinned makes a file more than consistent.
 */
export function evidenceVerdict(rechecked: Rechecked, own: OwnKnowledge): Judged {
  return verdictOf({
    proof: proofOf(rechecked),
    ground: groundOf(rechecked, own),
    history: historyOf(own),
    // The page draws what the file proves, and nothing of the file beside it.
    shown: [],
    isOdd: false,
    open: openOf(rechecked, own),
  })
}

/** What this browser knows of one side of a fork. */
export type SideKnowledge = Pick<OwnKnowledge, 'point' | 'key'>

/**
 * What a certificate of a fork shows in this browser. Two states that part are a broken history only
 * where this browser recorded both, or pinned the keys of both. Two that have no transaction in common
 * are nothing, unless it recorded both of one server.
 */
export function forkVerdict(
  rechecked: Rechecked,
  sides: readonly SideKnowledge[],
  { keeping, isOneServer }: { keeping: Persistence; isOneServer: boolean },
): Judged {
  const own = sides.map(
    (side): OwnKnowledge => ({
      ...side,
      keeping,
      isDescribed: false,
      isBroken: false,
    }),
  )
  const contradicting = own.map(historyOf).find((history) => history !== 'followed')
  const isParted = isApart(rechecked) ? isOneServer : true
  const isKnown =
    isParted &&
    own.every((side) => isKept(side) && (side.point.kind === 'same' || side.key === 'same'))
  return verdictOf({
    proof: proofOf(rechecked),
    ground: isKnown ? 'recorded' : 'file',
    history: contradicting ?? (isKnown ? 'broken' : 'followed'),
    shown: [],
    isOdd: false,
    open: [],
  })
}

/** Whether two histories have no transaction in common. */
export function isApart({ outcome }: Rechecked): boolean {
  const facts = outcome.kind === 'ok' ? outcome.verified.facts : null
  return facts !== null && 'sides' in facts && facts.after === '0'
}

function proofOf({ agrees, outcome }: Rechecked): Known['proof'] {
  if (!agrees) return 'altered'
  if (outcome.kind === 'refused') return proofOfRefusal(outcome.refusal)
  return outcome.kind === 'ok' && outcome.verified.verdict === 'ok' ? 'holds' : 'none'
}

/** Without the key, nothing vouches for a file that the key might refute. */
const isKept = ({ keeping, key }: OwnKnowledge) => keeping === 'kept' && key !== 'unread'

function groundOf({ outcome, unchecked }: Rechecked, own: OwnKnowledge) {
  const { point, key } = own
  if (isKept(own) && point.kind === 'same') return 'recorded'
  const isSigned = outcome.kind === 'ok' && outcome.verified.signed
  if (isKept(own) && isSigned && key === 'same') return 'key'
  if (outcome.kind === 'ok' && outcome.verified.firstUse) return 'first'
  return unchecked.includes('newer') ? 'file-newer' : 'file'
}

function historyOf({ point, key, isBroken }: OwnKnowledge): Known['history'] {
  if (point.kind === 'different') return 'other'
  if (key === 'different') return 'other-key'
  return isBroken ? 'broken' : 'followed'
}

/**
 * Only this browser's own records count for the description of a table, because a file can claim
 * anything. The same holds for the report of an audit.
 */
function openOf(
  { outcome, described, unchecked }: Rechecked,
  { isDescribed }: OwnKnowledge,
): Known['open'] {
  if (outcome.kind !== 'ok') return []
  return [
    ...outcome.verified.open.filter((part) => part !== 'description'),
    ...(described && !isDescribed ? (['description'] as const) : []),
    ...(unchecked.includes('audit') ? (['report'] as const) : []),
    // Without its entries, only the header of a transaction is proven.
    ...(unchecked.includes('entries') ? (['header'] as const) : []),
  ]
}
