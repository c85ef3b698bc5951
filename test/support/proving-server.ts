import { createStore } from 'jotai'
import { connect, type Store } from '~/core/session/client'
import { databaseAtom, sessionAtom } from '~/core/session/session'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { emptyHash } from '~/proof/kernel/hash'
import { plainKey, plainValue } from '~/proof/kernel/stored'
import { memoryTrustStore, type TrustStore } from '~/trust/store'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { History, type Json } from './history'

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** As immudb answers what it will not do. */
export const refusal = (message: string, status = 500) =>
  json({ error: message, message, code: 2 }, status)

/** A history of as many transactions, each with one key; `word` tells branches apart. */
export function historyOf(size: number, word = 'a', shared = 0): History {
  const history = new History()
  for (let at = 1; at <= size; at += 1) grow(history, at <= shared ? 'a' : word)
  return history
}

/**
 * A history of 20 transactions whose tree has stood still since the tenth, with one more whose tree
 * goes on without showing how it is tied to the transactions before.
 */
export function laggingHistory(): History {
  const history = new History()
  for (let at = 1; at <= 21; at += 1) {
    const lag = at <= 10 ? 0 : at <= 20 ? at - 10 : 5
    const entry = { key: plainKey(encodeUtf8(`k${at}`)), value: plainValue(encodeUtf8(`a${at}`)) }
    history.add([entry], { lag })
  }
  return history
}

export function grow(history: History, word = 'a'): void {
  const at = history.headers.length + 1
  history.add([
    { key: plainKey(encodeUtf8(`k${at}`)), value: plainValue(encodeUtf8(`${word}${at}`)) },
  ])
}

/** A server of one database that proves what it says; everything about it may change at any time. */
export class ProvingServer {
  history: History
  uuid = 'server-one'
  readonly asked: string[] = []
  /** Answers in the place of the server when it returns something. */
  instead: (path: string) => Response | undefined | Promise<Response | undefined> = () => undefined
  /** Changes an answer on its way. */
  change: (answer: Json, path: string) => Json = (answer) => answer

  constructor(history: History) {
    this.history = history
  }

  count(part: string): number {
    return this.asked.filter((path) => path.includes(part)).length
  }

  readonly fetch = (async (input: unknown, init: RequestInit = {}) => {
    const path = String(input).replace(/^.*\/api/, '')
    this.asked.push(path)
    await Promise.resolve()
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Json) : {}
    const response = (await this.instead(path)) ?? this.#answer(path, body)
    response.headers.set('Grpc-Metadata-Immudb-Uuid', this.uuid)
    return response
  }) as typeof fetch

  state(tx = this.history.headers.length): Json {
    const txHash = bytesToBase64(this.history.alh(tx))
    return tx === 0
      ? { db: 'db', txHash: bytesToBase64(emptyHash) }
      : { db: 'db', txId: String(tx), txHash }
  }

  #answer(path: string, body: Json): Response {
    if (path === '/db/state') return json(this.change(this.state(), path))
    if (path === '/db/verifiable/get') return this.#get(path, body)
    const [, tx = '', since = ''] =
      /^\/db\/verifiable\/tx\/(\d+)\?proveSinceTx=(\d+)/.exec(path) ?? []
    if (!this.#has(tx) || !this.#has(since)) return refusal('illegal state')
    const { tx: whole, ...rest } = this.history.verifiableTx(Number(tx), Number(since))
    const shown = path.includes('EXCLUDE') ? { header: (whole as Json).header } : whole
    return json(this.change({ tx: shown, ...rest }, path))
  }

  #has(tx: string): boolean {
    return Number(tx) <= this.history.headers.length
  }

  /** Keys are named after the transaction that wrote them. */
  #get(path: string, { keyRequest, proveSinceTx }: Json): Response {
    const key = atob(String((keyRequest as Json).key))
    const tx = Number(key.slice(1))
    if (!this.#has(String(proveSinceTx))) return refusal('illegal state')
    if (tx > this.history.headers.length) return refusal('tbtree: key not found')
    const value = btoa(`${this.word}${tx}`)
    const entry = { tx: String(tx), key: btoa(key), value }
    const verifiableTx = this.history.verifiableTx(tx, Number(proveSinceTx))
    const inclusionProof = this.history.inclusionProof(tx, 0)
    return json(this.change({ entry, verifiableTx, inclusionProof }, path))
  }

  /** What its values begin with. */
  word = 'a'
}

/** Storage that outlives the pages of a test. */
export const keptDoor = (): TrustStore => ({ ...memoryTrustStore(), isKept: true })

/** A tab that has the database open, wired to the server. */
export function tabOf(server: ProvingServer, door: TrustStore = keptDoor()): Store {
  const store = createStore()
  connect(store, '/api', server.fetch)
  const databaseTokens = new Map([['db', 'token']])
  store.set(sessionAtom, { user: 'u', token: 'token', databaseTokens, isStored: false, since: 0 })
  store.set(databaseAtom, 'db')
  store.set(trustedStatesAtom, new TrustedStates(() => Promise.resolve(door)))
  return store
}

/** A tab whose storage does not answer until it is told to. */
export function lateTab(server: ProvingServer) {
  const tab = tabOf(server)
  let answer: (door: TrustStore) => void = () => {}
  const opening = new Promise<TrustStore>((resolve) => {
    answer = resolve
  })
  tab.set(trustedStatesAtom, new TrustedStates(() => opening, 0))
  return { tab, answer }
}
