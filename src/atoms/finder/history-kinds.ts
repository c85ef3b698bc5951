import { queryClientAtom } from 'jotai-tanstack-query'
import { readState, type State } from '~/api/server'
import type { TxHeader } from '~/api/transactions'
import { resolveTime, timeProblem } from '~/core/history/as-of'
import { newestKnown, stateKey } from '~/core/history/newest-state'
import { clientAtom } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { isTxId, readTyped } from '~/immudb/moment'
import { base64Of, base64ToBytes, bytesToBase64 } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { recordedStates } from '~/trust/trust-record'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { databasesAtom } from '../databases/database-list'
import { isOf, momentsAtom } from '../moments/moments'
import { type Here, inDatabase, type Kind, type Thing } from './thing'

/** Largest number of a transaction that the server's interface takes. */
const largestTx = 2n ** 63n - 1n

/** The number of a transaction that a text is; null for any other text. */
export function txIn(here: Pick<Here, 'zone' | 'now'>, text: string): string | null {
  const at = readTyped(text, here.zone, here.now)
  return at?.kind === 'tx' && BigInt(at.id) <= largestTx ? at.id : null
}

const nameOfTx = (id: string) => `tx ${formatTx(id)}`

export const txThing = (database: string, id: string, note?: string): Thing => ({
  name: nameOfTx(id),
  isNamed: true,
  to: { path: pathTo('transactions', inDatabase(database, { id })) },
  ...(note === undefined ? {} : { note }),
})

/** A transaction by its number; those up to the newest known one are there. */
export const transactions: Kind = {
  label: 'Transaction',
  isInDatabases: true,
  read(here, text) {
    const id = txIn(here, text)
    const newest = newestKnown(here.io.get, here.database)
    return id !== null && BigInt(id) <= BigInt(newest) ? [txThing(here.database, id)] : []
  },
  lookup(here, text) {
    const id = txIn(here, text)
    const { io, database } = here
    if (id === null || database === '') return null
    if (BigInt(id) <= BigInt(newestKnown(io.get, database))) return null
    return {
      id: `tx ${database} ${id}`,
      asks: `Asks the server for the newest transaction of ${database}`,
      async ask(signal) {
        const { txId } = await readState(io.get(clientAtom), database, signal)
        if (BigInt(id) <= BigInt(txId)) return { things: [txThing(here.database, id)] }
        const newest = txId === '0' ? 'The database is empty.' : `The newest is ${formatTx(txId)}.`
        return { things: [], says: `There is no transaction ${formatTx(id)}. ${newest}` }
      },
    }
  },
}

const asOf = 'as of '

/** What stands behind `as of` in a text; null where it does not begin so. */
function behindAsOf(text: string): string | null {
  const plain = text.trimStart()
  return plain.toLowerCase().startsWith(asOf) ? plain.slice(asOf.length) : null
}

/** The time that a text is, as an address has it, with or without `as of` before it. */
function timeIn(here: Here, text: string): string | null {
  const at = readTyped(behindAsOf(text) ?? text, here.zone, here.now)
  return at?.kind === 'time' ? at.text : null
}

const shownTime = (here: Here, text: string) => formatMoment(Date.parse(text), here.zone)

/** A moment of the past that a text names: a time, or a transaction behind `as of`. */
export const times: Kind = {
  label: 'As of',
  read(here, text) {
    if (here.database === '') return []
    const time = timeIn(here, text)
    if (time !== null) {
      const to = { path: here.pathAt({ kind: 'time', text: time }) }
      return [
        { name: shownTime(here, time), isNamed: true, to, refusal: timeProblem(time, here.now) },
      ]
    }
    const rest = behindAsOf(text)
    const id = rest === null ? null : txIn(here, rest)
    const newest = newestKnown(here.io.get, here.database)
    if (id === null) return []
    // The server may have more by now.
    const known =
      newest === '0' ? 'None is known here yet.' : `The newest known one is ${formatTx(newest)}.`
    const refusal = BigInt(id) > BigInt(newest) ? known : undefined
    const to = { path: here.pathAt({ kind: 'tx', id }) }
    return [{ name: nameOfTx(id), isNamed: true, to, refusal }]
  },
  lookup(here, text) {
    const time = timeIn(here, text)
    const { io, database } = here
    if (time === null || database === '' || timeProblem(time, here.now) !== undefined) return null
    const shown = shownTime(here, time)
    return {
      id: `time ${database} ${time}`,
      asks: `Asks the server for the last transaction of ${database} by ${shown}`,
      async ask() {
        const found = await resolveTime(io, time)
        if (!('tx' in found)) return { things: [], says: found.problem }
        return { things: [txThing(here.database, found.tx, `the last one by ${shown}`)] }
      },
    }
  },
}

/** The moments that this browser keeps under a name, of every database of this server. */
export const moments: Kind = {
  label: 'Named moment',
  known(here) {
    const idOf = here.io.get(databaseIdAtom)
    const all = here.io.get(momentsAtom) ?? []
    const others = (here.io.get(databasesAtom).data ?? []).map(({ name }) => name)
    const databases = new Set([here.database, ...others].filter(Boolean))
    return all.flatMap((moment): Thing[] => {
      const { name, database, txId } = moment
      if (!databases.has(database) || !isOf(moment, idOf(database))) return []
      const isHere = database === here.database
      const at = { kind: 'tx', id: txId } as const
      const elsewhere = pathTo('query', { db: database, at: `tx:${txId}` })
      return [
        {
          name,
          isForeign: true,
          note: nameOfTx(txId),
          words: `as of ${nameOfTx(txId)}`,
          to: { path: isHere ? here.pathAt(at) : elsewhere },
          ...(isHere ? {} : { database }),
        },
      ]
    })
  },
}

/** Bytes of every hash here. */
const hashSize = 32

/** The hash that a text is, as standard base64: 64 hex digits, or base64 of either alphabet. */
export function hashIn(text: string): string | null {
  const plain = text.trim()
  if (/^(0x)?[0-9a-f]{64}$/i.test(plain)) return base64Of(plain.replace(/^0x/i, '').toLowerCase())
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(plain)) return null
  const bytes = base64ToBytes(plain.replaceAll('-', '+').replaceAll('_', '/').replace('=', ''))
  return bytes.length === hashSize ? bytesToBase64(bytes) : null
}

/** What a transaction has a hash of, as far as a list of headers tells. */
function* hashesOfList(headers: readonly TxHeader[]): Generator<[string, string, string]> {
  for (const { id, prevAlh, eH, blRoot } of headers) {
    yield [prevAlh, String(BigInt(id) - 1n), 'hash of the state after it']
    yield [eH, id, 'hash of its entries']
    yield [blRoot, id, 'root of the tree of hashes in its header']
  }
}

/** The transactions of the open database that are known here to have a hash. */
function* knownHashes(here: Here): Generator<[hash: string, id: string, note: string]> {
  const { io, database } = here
  const cache = io.get(queryClientAtom)
  const state = cache.getQueryData<State>(stateKey(database))
  if (state) yield [state.txHash, state.txId, 'hash of the newest state, as the server reports it']
  const listed = cache.getQueryData<{ headers: readonly TxHeader[] }>(['transactions', database])
  yield* hashesOfList(listed?.headers ?? [])
  const id = io.get(databaseIdAtom)(database)
  for (const moment of io.get(momentsAtom) ?? []) {
    if (isOf(moment, id)) yield [moment.txHash, moment.txId, 'hash of a named moment']
  }
  for (const record of io.get(trustRecordsAtom)?.records ?? []) {
    const isSame = record.id.database === database && record.id.server === id.server
    if (!isSame || record.id.origin !== id.origin) continue
    for (const { txHash, txId } of recordedStates(record)) {
      yield [txHash, txId, 'hash of a state that this browser trusted']
    }
  }
}

/** Transactions by a hash of their state, header, entries or values. */
export const hashes: Kind = {
  label: 'Transaction',
  isInDatabases: true,
  read(here, text) {
    const wanted = hashIn(text)
    if (wanted === null || here.database === '') return []
    const found = new Map<string, Thing>()
    for (const [hash, id, note] of knownHashes(here)) {
      if (hash === wanted && isTxId(id) && !found.has(id))
        found.set(id, txThing(here.database, id, note))
    }
    return [...found.values()]
  },
  scan: ({ database }, text) => {
    const wanted = hashIn(text)
    if (wanted === null || database === '') return null
    return { kind: 'transactions', database, text: wanted }
  },
}
