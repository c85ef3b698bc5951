import { atom } from 'jotai'
import type { Client } from '~/api/client'
import { isBecause } from '~/api/errors'
import { readVerifiableState, readVerifiableTx } from '~/api/proof'
import type { Io } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { databaseIdAtom } from '~/core/session/session'
import { defaultDatabase, systemDatabase } from '~/lib/constants'
import { inTurn } from '~/lib/job-queue'
import { type Checked, writeEvidence } from '~/proof/evidence'
import { forkQuestion } from '~/proof/fork-question'
import type { ForkFacts, ForkSide } from '~/proof/kernel/proven-facts'
import { ProofError } from '~/proof/kernel/steps'
import {
  compareHistories,
  type Fork,
  type Relation,
  readSourceState,
  type Source,
  type SourceState,
  type Unproven,
} from '~/proof/same-history'
import { type Judged, verdictOf } from '~/proof/verdict'
import { consoleNow } from '~/trust/evidence-file'
import { verifyInWorker } from '~/trust/proof-worker'
import { trustRecordsAtom } from '~/trust/trusted-states'
import type { Member, ReplicaGroup } from './replicas'
import type { Standing } from './standing'

/** A database on a server, and the client that reads it there. */
export type ComparedServer = {
  name: string
  database: string
  client: Client
  /** The address by which this browser keeps records of the server; absent: that of this page. */
  origin?: string
}

/** Why nothing could be shown, ready to be put in words; `of` is the server that it is about. */
export type WhyUnproven =
  | { why: 'failed'; of: string; text: string }
  | { why: 'shorter' | 'lags' | 'torn'; of: string }
  | { why: 'refused'; of: string; reason: string }
  | { why: 'empty'; of: string | null }

/** A server beside the one with the longest history, or the one that was compared first. */
export type ComparedPair = {
  server: string
  /** The server it was compared with; null when it could not be compared. */
  other: string | null
  /** Present where both gave one id: one server under two names, or a copy of its files. */
  isOneId?: true
  found:
    | { kind: 'same'; tx: string }
    | { kind: 'behind'; by: string; tx: string; isTreeOnly: boolean }
    | ({ kind: 'forked'; facts: ForkShown } & ForkCertificate)
    /** No transaction in common, on servers that do not say that they are one. */
    | { kind: 'apart'; facts: ForkShown }
    | ({ kind: 'unproven' } & WhyUnproven)
}

/** What is shown of a fork. */
type ForkShown = Pick<ForkFacts, 'after' | 'prevAlh'> & {
  sides: readonly [ForkSideShown, ForkSideShown]
}
type ForkSideShown = Pick<ForkSide, 'db' | 'alh' | 'key'>

/**
 * Absent for databases of different names: any honest server holds those, and that one should be a
 * copy of the other is only said by settings, which no proof covers.
 */
export type ForkCertificate = { certificate: Checked | null; server: ForkServer }

type ForkServer = { uuid: string | null; origin: string }

/** The comparison of several servers, or its result. */
export type Histories = {
  state: 'running' | 'stopped' | 'done'
  databases: readonly string[]
  /** When the states were read, in milliseconds since 1970. */
  at: number
  /** How many servers there are to be compared with another. */
  of: number
  /** The two that are compared, and where their last common transaction is looked for. */
  now: { server: string; other: string; from: string; to: string } | null
  pairs: readonly ComparedPair[]
}

const nowAtom = atom<Histories | null>(null)
const controlAtom = atom<AbortController | null>(null)

/** The last comparison; null before the first. */
export const historiesAtom = atom((get) => get(nowAtom))

/** Ends a comparison; what was found stays. */
export function stopHistories({ get }: Io) {
  return get(controlAtom)?.abort()
}

/** A server whose state was read. */
type Known = { server: ComparedServer; source: Source; state: SourceState; names: Names }
type Names = { name: string; server: ForkServer }

/**
 * Compares each server with the one that has the longest history. Where that one proves nothing, the
 * next one takes its place.
 */
export async function compareAllHistories(
  { get, set }: Io,
  servers: readonly ComparedServer[],
): Promise<void> {
  get(controlAtom)?.abort()
  const control = new AbortController()
  set(controlAtom, control)
  const { signal } = control
  let histories: Histories = {
    state: 'running',
    databases: [...new Set(servers.map(({ database }) => database))],
    at: Date.now(),
    of: servers.length - 1,
    now: null,
    pairs: [],
  }
  const tell = (news: Partial<Histories>) => {
    // A later comparison has taken its place.
    if (get(controlAtom) !== control) return
    histories = { ...histories, ...news }
    set(nowAtom, histories)
  }
  tell({})
  const add = (pair: ComparedPair) => {
    if (!signal.aborted) tell({ pairs: [...histories.pairs, pair], now: null })
  }
  const originOf = (server: ComparedServer) =>
    server.origin ?? get(databaseIdAtom)(server.database).origin
  const known = await readStates(servers, originOf, signal, add)
  await compareAll(known, {
    add,
    look: (now) => tell({ now }),
    isStopped: () => signal.aborted,
  })
  tell({ state: signal.aborted ? 'stopped' : 'done', now: null })
}

/** Servers that hang must leave some of the browser's six connections to its host free. */
const statesAtOnce = 4

async function readStates(
  servers: readonly ComparedServer[],
  originOf: (server: ComparedServer) => string,
  signal: AbortSignal,
  add: (pair: ComparedPair) => void,
): Promise<Known[]> {
  const readOne = async (server: ComparedServer): Promise<Known | null> => {
    const { source, uuid } = sourceOf(server, signal)
    const state = await readSourceState(verifyInWorker, source)
    if ('why' in state) {
      add({ server: server.name, other: null, found: unprovenOf(state, [server.name, '']) })
      return null
    }
    const names = { name: server.name, server: { uuid: uuid(), origin: originOf(server) } }
    return { server, source, state, names }
  }
  const turn = inTurn(statesAtOnce)
  const nullIfStopped = (error: unknown) => {
    if (signal.aborted) return null
    throw error
  }
  const all = await Promise.all(
    servers.map((server) => turn(() => readOne(server), signal).catch(nullIfStopped)),
  )
  return all.filter((one) => one !== null)
}

function sourceOf({ client, database }: ComparedServer, signal: AbortSignal) {
  let uuid: string | null = null
  const onServer = (found: string | null) => {
    uuid = found
  }
  const asked = { database, signal }
  const source: Source = {
    db: database,
    readState: () =>
      untilStopped(signal, () => readVerifiableState(client, { ...asked, onServer })),
    readTx: (tx, since) =>
      untilStopped(signal, () =>
        readVerifiableTx(client, { ...asked, tx, since, entries: 'none' }),
      ),
  }
  return { source, uuid: () => uuid }
}

/** Sends nothing after a stop and waits for no answer. */
async function untilStopped(signal: AbortSignal, send: () => Promise<unknown>): Promise<unknown> {
  signal.throwIfAborted()
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([send(), stopped])
}

type Steps = {
  add: (pair: ComparedPair) => void
  look: (now: Histories['now']) => void
  isStopped: () => boolean
}

const longestFirst = (one: Known, other: Known) =>
  Number(BigInt(other.state.point.txId) - BigInt(one.state.point.txId))

async function compareAll(known: readonly Known[], { add, look, isStopped }: Steps) {
  let [longest, ...others] = [...known].sort(longestFirst)
  for (let next = others.shift(); longest && next; next = others.shift()) {
    if (isStopped()) return
    const names = { server: next.server.name, other: longest.server.name }
    look({ ...names, from: '', to: '' })
    const relation = await compareHistories(
      verifyInWorker,
      [next.source, longest.source],
      [next.state, longest.state],
      (from, to) => look({ ...names, from, to }),
    )
    if (isFaultOf(relation, 1)) {
      add({
        server: names.other,
        other: names.server,
        found: unprovenOf(relation, [names.server, names.other]),
      })
      // The next longest one is compared with the rest, and with those before it no more.
      longest = next
      continue
    }
    const found = await foundOf(relation, [next, longest])
    add({ ...names, found, ...(isOneId(next, longest) && { isOneId: true }) })
  }
}

/** Whether two names of the list gave one id. */
function isOneId({ names: { server } }: Known, { names: { server: other } }: Known): boolean {
  return server.uuid !== null && server.uuid === other.uuid && server.origin !== other.origin
}

type UnprovenRelation = Extract<Relation, { kind: 'unproven' }>

/** Whether nothing can be shown because of one of the two. */
function isFaultOf(relation: Relation, side: 0 | 1): relation is UnprovenRelation {
  const isFault = relation.kind === 'unproven' && relation.why !== 'lags' && relation.side !== null
  return isFault && relation.side === side
}

async function foundOf(
  relation: Relation,
  pair: readonly [Known, Known],
): Promise<ComparedPair['found']> {
  if (relation.kind === 'unproven') {
    return unprovenOf(relation, [pair[0].names.name, pair[1].names.name])
  }
  if (relation.kind !== 'forked') return relation
  const [one, other] = pair
  const isOneName = one.source.db === other.source.db
  // Nothing parts what was never one, unless one server shows two first transactions.
  const { uuid } = one.names.server
  const isOneServer = isOneName && uuid !== null && uuid === other.names.server.uuid
  if (relation.after === '0' && !isOneServer) {
    return { kind: 'apart', facts: shownOf(relation, pair) }
  }
  if (isOneName) return certified(relation, pair)
  // Only settings link the two databases.
  const facts = shownOf(relation, pair)
  return { kind: 'forked', facts, certificate: null, server: one.names.server }
}

function shownOf({ after, prevAlh, alhs }: Fork, [one, other]: readonly [Known, Known]): ForkShown {
  const sideOf = ({ source, state }: Known, alh: string) => ({
    db: source.db,
    alh,
    key: state.key,
  })
  return { after, prevAlh, sides: [sideOf(one, alhs[0]), sideOf(other, alhs[1])] }
}

/** A fork only counts when its own certificate holds. */
async function certified(
  fork: Fork,
  [one, other]: readonly [Known, Known],
): Promise<ComparedPair['found']> {
  const { context, request, response } = forkQuestion(
    fork,
    [one.source.db, other.source.db],
    [one.state, other.state],
    [one.names, other.names],
  )
  try {
    const verified = await verifyInWorker('fork', context, request, response)
    if (!verified.facts) throw new ProofError('no-fork', 'content', 'facts')
    const certificate: Checked = {
      kind: 'fork',
      what: `fork of ${context.db} after tx ${fork.after}: ${one.names.name} and ${other.names.name}`,
      context,
      request,
      response,
      at: Date.now(),
      outcome: { kind: 'ok', verified },
    }
    return { kind: 'forked', facts: verified.facts, certificate, server: one.names.server }
  } catch (error) {
    const of = one.names.name
    return error instanceof ProofError
      ? { kind: 'unproven', why: 'refused', of, reason: error.reason }
      : { kind: 'unproven', why: 'failed', of, text: sentence(error) }
  }
}

function unprovenOf(
  found: Unproven,
  names: readonly [string, string],
): Extract<ComparedPair['found'], { kind: 'unproven' }> {
  const of = found.side === null ? null : names[found.side]
  if (found.why === 'empty') return { kind: 'unproven', why: 'empty', of }
  const name = of ?? ''
  if (found.why === 'refused') {
    return { kind: 'unproven', why: 'refused', of: name, reason: found.refusal.reason }
  }
  if (found.why !== 'failed') return { kind: 'unproven', why: found.why, of: name }
  const { error } = found
  return isBecause(error, 'illegal-state', 'tx-not-found')
    ? { kind: 'unproven', why: 'shorter', of: name }
    : { kind: 'unproven', why: 'failed', of: name, text: sentence(error) }
}

/** The file of a fork, to be saved. */
export function forkFile(certificate: Checked, server: ForkServer): { name: string; text: string } {
  const text = writeEvidence(certificate, { server, console: consoleNow(), firstContact: null })
  const moment = new Date(certificate.at).toISOString().slice(0, 19).replaceAll(':', '')
  return { name: `evidence ${moment} ${certificate.what}`, text }
}

/**
 * The verdict on whether two servers have one history; null where that is not what was found.
 * A finding of this browser about the database on either server counts against it.
 */
export const pairVerdictAtom = atom((get) => {
  const records = get(trustRecordsAtom)?.records ?? null
  const addressOf = get(databaseIdAtom)
  return (
    { server, other, isOneId, found }: ComparedPair,
    servers: readonly ComparedServer[],
  ): Judged | null => {
    if (found.kind !== 'same') return null
    const both = servers.filter(({ name }) => name === server || name === other)
    const isBroken = both.some(({ database, origin = addressOf(database).origin }) =>
      records?.some(
        ({ id, ...record }) =>
          id.origin === origin && id.database === database && record.break !== null,
      ),
    )
    return verdictOf({
      proof: 'holds',
      ground: records === null ? 'late' : 'each-other',
      history: isBroken ? 'broken' : 'followed',
      // The words are what was compared.
      shown: [],
      isOdd: false,
      // With one id it may be one server that was compared with itself.
      open: isOneId ? ['one-server'] : [],
    })
  }
})

/** A database whose history at least two servers hold. */
export type Comparable = {
  /** Its name on the primary where there are replicas. */
  database: string
  /** Servers that do not answer stand last. */
  members: readonly Member[]
}

/**
 * The databases that can be compared: those of one name on several servers, with their replicas
 * under other names, which only settings link to them.
 */
export function comparables(
  standings: readonly Standing[],
  groups: readonly ReplicaGroup[],
): readonly Comparable[] {
  const holders = new Map<string, Member[]>()
  const add = (database: string, member: Member) => {
    if (member.holding.loaded) holders.set(database, [...(holders.get(database) ?? []), member])
  }
  for (const standing of standings) {
    const { server, holdings } = standing
    for (const holding of holdings ?? []) add(holding.name, { server, holding, standing })
  }
  for (const { database, primary, candidates, replicas } of groups) {
    const isAlone = !primary && candidates.length === 0 && replicas.length < 2
    for (const replica of isAlone ? [] : replicas) {
      if (replica.holding.name !== database) add(database, replica)
    }
  }
  const isSilent = ({ standing }: Member) => Number(standing.kind === 'silent')
  return [...holders]
    .filter(([, members]) => members.length > 1)
    .map(([database, members]) => ({
      database,
      members: members.sort((one, other) => isSilent(one) - isSilent(other)),
    }))
}

/** What to compare first: a database that has replicas, or one that is not there from the start. */
export function firstOf(all: readonly Comparable[]): Comparable | undefined {
  const isMade = ({ database }: Comparable) =>
    database !== defaultDatabase && database !== systemDatabase
  const isCopied = ({ members }: Comparable) => members.some(({ holding }) => holding.primary)
  return all.find(isCopied) ?? all.find(isMade) ?? all[0]
}

/** What a server is called where one of its databases is compared under another name. */
export function comparedName({ server, holding }: Member, database: string): string {
  return holding.name === database ? server.name : `${server.name} (${holding.name})`
}
