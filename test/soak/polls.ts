import { cpus } from 'node:os'
import { createStore } from 'jotai'
import { connect, type Store } from '~/atoms/client'
import { loginAtom } from '~/atoms/login'
import { openQueryCache } from '~/atoms/query-client'
import { databaseAtom } from '~/atoms/session'
import { memoryDriver, openStorage } from '~/atoms/storage'
import { storageAtom } from '~/atoms/stored'
import type { Trust } from '~/atoms/trust'
import { checkTrust } from '~/atoms/trust-check'
import { figure } from '../bench/figures'
import { api } from '../support/api'
import { type ImmudbServer, startServer } from '../support/immudb'

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
  moves: number
  restarts: number
  writes: number
}

/**
 * Checks the newest state back to back while others write and the server is restarted now and
 * then; true when no check took that for a broken history. The console's own code, without a page.
 */
export async function polls(options: PollOptions): Promise<boolean> {
  const server = await startServer()
  const findings = { times: [], alarms: [], unanswered: 0, moves: 0, restarts: 0, writes: 0 }
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
  return findings.alarms.length === 0 && findings.moves > 0
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
    const trust = await checkTrust({ get: store.get, set: store.set }, database, { isForced: true })
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
  return store
}

async function signIn(store: Store): Promise<void> {
  await store.set(loginAtom, { user: 'immudb', password: 'immudb', isStored: false })
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
  const { times, alarms, unanswered, moves, restarts, writes } = findings
  const { median, p95 } = figure(times)
  return [
    '',
    `CPU                   ${cpus()[0]?.model} (${cpus().length} cores)`,
    `polls                 ${times.length}, back to back; ${unanswered} without an answer`,
    `point moved           ${moves} times`,
    `writers               ${writers}, ${writes} transactions meanwhile`,
    `server restarts       ${restarts}`,
    `time of a poll        ${median.toFixed(1)} ms median, ${p95.toFixed(1)} ms p95`,
    `false alarms          ${alarms.length}`,
    ...alarms.slice(0, 20),
  ].join('\n')
}
