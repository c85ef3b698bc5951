import { cpus } from 'node:os'
import { createStore } from 'jotai'
import { readState } from '~/api/server'
import { clientAtom, connect, type Store } from '~/core/session/client'
import { logIn } from '~/core/session/login'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom } from '~/core/session/session'
import { memoryDriver, openStorage } from '~/core/storage/storage'
import { storageAtom } from '~/core/storage/stored'
import type { Trust } from '~/trust/trust'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState, watchState } from '~/trust/verify-state'
import { figure } from '../bench/figures'
import { api } from '../support/api'
import { type ImmudbServer, startServer } from '../support/immudb'
import { keptDoor } from '../support/proving-server'

export type PollOptions = {
  readonly polls: number
  readonly writers: number
  /** Polls between two restarts of the server. */
  readonly restartEvery: number
  readonly say: (line: string) => void
}

const database = 'defaultdb'

type Findings = {
  readonly times: number[]
  readonly alarms: string[]
  unanswered: number
  /** States that were behind the point by the time they were checked. */
  stale: number
  moves: number
  restarts: number
  writes: number
}

/**
 * Checks the newest state back to back while others write and the server is restarted now and
 * then; true when nearly all checks could be made and none took that for a broken history. The console's own code, without a page.
 */
export async function polls(options: PollOptions): Promise<boolean> {
  const server = await startServer()
  const counts = { unanswered: 0, stale: 0, moves: 0, restarts: 0, writes: 0 }
  const findings = { times: [], alarms: [], ...counts }
  let isOver = false
  try {
    const store = openStore(server)
    await signIn(store)
    const writers = Array.from({ length: options.writers }, (_, number) =>
      keepWriting(server, number, () => isOver, findings),
    )
    await pollAll(options, server, store, findings)
    isOver = true
    await Promise.all(writers)
  } finally {
    isOver = true
    await server.dispose()
  }
  options.say(pollReport(options, findings))
  return isGood(findings)
}

/** Polls in a hundred that may go unanswered, beside the first one after each restart. */
const mostUnanswered = 1

/** No alarm says something only if polls were answered, old states among them. */
function isGood({ alarms, times, unanswered, stale, moves, restarts }: Findings): boolean {
  const isAnswered = unanswered - restarts <= (times.length * mostUnanswered) / 100
  return alarms.length === 0 && isAnswered && stale > 0 && moves > 0
}

async function pollAll(
  { polls, restartEvery, say }: PollOptions,
  server: ImmudbServer,
  store: Store,
  findings: Findings,
): Promise<void> {
  let last = ''
  for (let poll = 1; poll <= polls; poll++) {
    const started = performance.now()
    const trust = await checked(store, poll, findings)
    findings.times.push(performance.now() - started)
    const point = judge(trust, poll, findings)
    if (point !== '' && point !== last) findings.moves += 1
    last = point || last
    if (poll % 1_000 === 0) say(`${poll} polls, ${findings.alarms.length} alarms, tx ${last}`)
    if (poll % restartEvery !== 0) continue
    findings.restarts += 1
    await server.restart(findings.restarts % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
    await signIn(store)
  }
}

/**
 * In turns: a check that asks for the state itself, one of a state as the page polls it, and one of
 * such a state that is old by then, because the point moved after it was answered.
 */
async function checked(store: Store, poll: number, findings: Findings): Promise<Trust> {
  const io = { get: store.get, set: store.set }
  const check = () => verifyState(io, database, { isForced: true })
  if (poll % 3 === 0) return check()
  const answer = await readState(store.get(clientAtom), database).then(
    (data) => ({ data, error: null }),
    (error: unknown) => ({ data: undefined, error }),
  )
  const now = poll % 3 === 1 ? await check() : null
  const point = now && 'record' in now ? now.record?.point : undefined
  if (point && answer.data && BigInt(answer.data.txId) < BigInt(point.txId)) findings.stale += 1
  return watchState(io, database, answer)
}

/** The transaction that is trusted now, or nothing when this poll found out nothing. */
function judge(trust: Trust, poll: number, findings: Findings): string {
  if (trust.kind === 'broken') {
    const { kind, reason, part } = trust.broken
    findings.alarms.push(`poll ${poll}: ${kind}, ${reason}, ${part}`)
    return ''
  }
  if (trust.kind !== 'first' && trust.kind !== 'consistent') {
    findings.unanswered += 1
    return ''
  }
  if (trust.why !== null) findings.unanswered += 1
  return trust.record.point.txId
}

function openStore(server: ImmudbServer): Store {
  const store = createStore()
  connect(store, `${server.url}/api`)
  store.set(
    storageAtom,
    openStorage(
      async () => memoryDriver(),
      () => {},
    ),
  )
  openQueryCache(store)
  // A point that is kept, as in a browser; otherwise each check would say that it is not.
  store.set(trustedStatesAtom, new TrustedStates(() => Promise.resolve(keptDoor())))
  return store
}

async function signIn(store: Store): Promise<void> {
  await logIn(store, { user: 'immudb', password: 'immudb', isStored: false })
  store.set(databaseAtom, database)
}

/** One client that writes keys as quickly as it is answered, and signs in again when it must. */
async function keepWriting(
  server: ImmudbServer,
  number: number,
  isOver: () => boolean,
  findings: Findings,
): Promise<void> {
  while (!isOver()) {
    try {
      const client = await api(server.url)
      for (let at = 0; !isOver(); at++) {
        const key = Buffer.from(`${number}.${at}`).toString('base64')
        await client.call('/db/set', { KVs: [{ key, value: key }] })
        findings.writes += 1
      }
    } catch {
      // The server is being restarted.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function pollReport({ writers }: PollOptions, findings: Findings): string {
  const { times, alarms, unanswered, stale, moves, restarts, writes } = findings
  const { median, p95 } = figure(times)
  return [
    '',
    `CPU                   ${cpus()[0]?.model} (${cpus().length} cores)`,
    `polls                 ${times.length}, back to back; ${unanswered} without an answer`,
    `old states            ${stale}, behind the point when they were checked`,
    `point moved           ${moves} times`,
    `writers               ${writers}, ${writes} transactions meanwhile`,
    `server restarts       ${restarts}`,
    `time of a poll        ${median.toFixed(1)} ms median, ${p95.toFixed(1)} ms p95`,
    `false alarms          ${alarms.length}`,
    ...alarms.slice(0, 20),
  ].join('\n')
}
